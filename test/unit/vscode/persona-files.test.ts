import assert from "node:assert/strict";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PersonaFiles } from "../../../src/vscode/agents/persona-files.ts";

describe("agent files", () => {
  let own: string;
  let shared: string;
  let problems: string[];
  let files: PersonaFiles;

  beforeEach(async () => {
    own = await mkdtemp(join(tmpdir(), "conclave-agents-"));
    shared = await mkdtemp(join(tmpdir(), "conclave-agents-"));
    problems = [];
    files = new PersonaFiles({ folders: () => [own, shared], onProblem: (line) => problems.push(line) });
  });

  afterEach(async () => {
    for (const folder of [own, shared]) await rm(folder, { recursive: true, force: true });
  });

  it("say who an agent is, the folder's own before the user's", async () => {
    await writeFile(join(shared, "vera.yaml"), "name: Vera\njob: marine biologist\n");
    assert.equal(files.of("vera")?.job, "marine biologist");
    await writeFile(join(own, "vera.json"), JSON.stringify({ name: "Vera", job: "pilot" }));
    assert.equal(files.of("vera")?.job, "pilot");
    assert.equal(files.of("nobody"), undefined);
    assert.deepEqual(problems, []);
  });

  it("hold as soon as they are saved", async () => {
    const path = join(own, "vera.yaml");
    await writeFile(path, "name: Vera\njob: pilot\n");
    assert.equal(files.of("vera")?.job, "pilot");
    await writeFile(path, "name: Vera\njob: baker\n");
    await utimes(path, new Date(), new Date(Date.now() + 5_000));
    assert.equal(files.of("vera")?.job, "baker");
  });

  it("are named once, with the line, when they can't be used", async () => {
    const path = join(own, "vera.yaml");
    await writeFile(path, "name: Vera\ntraits: 7: 8\n");
    assert.equal(files.of("vera"), undefined);
    assert.equal(files.of("vera"), undefined);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? "", /vera\.yaml: The agent file can't be used: .*line 2/);
  });

  it("are never looked for outside their folders", () => {
    for (const name of ["../vera", "/etc/passwd", "..", "", "a/b", "a\\b", "x".repeat(500)]) {
      assert.equal(files.of(name), undefined);
    }
  });
});
