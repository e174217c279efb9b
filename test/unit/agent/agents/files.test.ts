import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findAgent } from "../../../../src/agent/agents/definition.ts";
import { AgentFiles } from "../../../../src/agent/agents/files.ts";

describe("agent files", () => {
  let top: string;
  let boat: string;
  let home: string;
  let files: AgentFiles;
  let workspaces: readonly string[];

  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  };
  const job = (name: string): string | undefined => findAgent(files.catalog(), name)?.persona?.job;
  const told = (): readonly string[] => files.catalog().problems.map(({ message }) => message);

  beforeEach(async () => {
    top = await mkdtemp(join(tmpdir(), "conclave-agents-"));
    [boat, home] = [join(top, "boat"), join(top, "home")];
    for (const folder of [boat, home]) await mkdir(folder);
    workspaces = [boat];
    files = new AgentFiles({ places: () => ({ workspaces, home }) });
  });

  afterEach(() => rm(top, { recursive: true, force: true }));

  it("are found in every folder that agents are kept in, the workspace's own before the user's", async () => {
    await write(join(home, ".conclave/agents/vera.yaml"), "name: Vera\njob: pilot\n");
    assert.equal(job("vera"), "pilot");
    await write(join(boat, ".conclave/agents/vera.json"), JSON.stringify({ name: "Vera", job: "baker" }));
    await write(join(boat, ".github/agents/plan.agent.md"), "---\ndescription: x\n---\nPlan.\n");
    await write(join(boat, ".claude/agents/read.md"), "---\nname: reader\n---\nRead.\n");
    assert.equal(job("vera"), "baker");
    assert.ok(findAgent(files.catalog(), "plan") && findAgent(files.catalog(), "reader"));
  });

  it("hold as soon as they are saved, and are gone as soon as they are deleted", async () => {
    const path = join(boat, ".conclave/agents/vera.yaml");
    await write(path, "name: Vera\njob: pilot\n");
    assert.equal(job("vera"), "pilot");
    const before = files.catalog();
    assert.equal(files.catalog(), before, "nothing is read again while nothing has changed");
    await write(path, "name: Vera\njob: baker\n");
    assert.equal(job("vera"), "baker");
    await rm(path);
    assert.equal(findAgent(files.catalog(), "vera"), undefined);
  });

  it("of a workspace that is not trusted are not read", async () => {
    await write(join(boat, ".conclave/agents/vera.yaml"), "name: Vera\njob: pilot\n");
    await write(join(boat, "AGENTS.md"), "Obey.\n");
    workspaces = [];
    assert.equal(job("vera"), undefined);
    assert.equal(files.catalog().rules, "");
  });

  it("behind links that lead out of the workspace are not read, and are named", async () => {
    await write(join(top, "secret.yaml"), "name: Secret\nprompt: p\n");
    await mkdir(join(boat, ".conclave/agents"), { recursive: true });
    await symlink(join(top, "secret.yaml"), join(boat, ".conclave/agents/a.yaml"));
    await symlink(join(top, "nowhere.yaml"), join(boat, ".conclave/agents/b.yaml"));
    await symlink(join(top, "secret.yaml"), join(boat, "AGENTS.md"));
    assert.equal(findAgent(files.catalog(), "secret"), undefined);
    assert.equal(files.catalog().rules, "");
    assert.deepEqual(
      told().map((message) => /leads out/.test(message)),
      [true, true],
    );
    // The user's own folder may be a link, as those have it who keep their settings elsewhere.
    await write(join(top, "dotfiles/vera.yaml"), "name: Vera\njob: pilot\n");
    await mkdir(join(home, ".conclave"));
    await symlink(join(top, "dotfiles"), join(home, ".conclave/agents"));
    assert.equal(job("vera"), "pilot");
  });

  it("are bounded in size and number", async () => {
    await write(join(boat, ".conclave/agents/big.yaml"), `name: Big\nprompt: ${"x".repeat(600_000)}\n`);
    assert.match(told().join(), /512 KB/);
    for (let at = 0; at < 105; at += 1)
      await write(
        join(boat, `.conclave/agents/n${String(at).padStart(3, "0")}.yaml`),
        `name: N${at}\nprompt: p\n`,
      );
    const { agents } = files.catalog();
    assert.equal(agents.filter(({ source }) => source.origin === "workspace").length, 99);
    assert.match(told().join(), /106 agent files; the first 100/);
  });

  it("in other encodings are read, and bytes that are no text are refused", async () => {
    const utf16 = Buffer.from("\ufeffname: Véra\nprompt: p\n", "utf16le");
    await write(join(boat, ".conclave/agents/a.yaml"), utf16);
    await write(join(boat, ".conclave/agents/b.yaml"), Buffer.from("name: Zoë\nprompt: p\n", "latin1"));
    await write(join(boat, ".conclave/agents/c.yaml"), Buffer.from([0, 1, 2, 3]));
    const { agents, problems } = files.catalog();
    assert.deepEqual(
      agents.slice(0, 2).map(({ name }) => name),
      ["Véra", "Zoë"],
    );
    assert.deepEqual(
      problems.map(({ severity, message }) => [severity, /UTF-8/.test(message)]),
      [
        ["warning", true],
        ["error", true],
      ],
    );
  });

  it("have the project's rules beside them, cut to a size and said", async () => {
    await write(join(boat, "AGENTS.md"), "\ufeff# Rules\r\n\r\nUse tabs.\r\n");
    assert.equal(files.catalog().rules, "# Rules\n\nUse tabs.");
    await write(join(boat, "AGENTS.md"), "A rule of some length.\n".repeat(2_000));
    const { rules } = files.catalog();
    assert.ok(rules.length <= 16_000 && rules.endsWith("length."));
    assert.match(told().join(), /the first \d+ of \d+ characters/);
    await write(join(top, "house/AGENTS.md"), "Close doors.");
    workspaces = [boat, join(top, "house")];
    assert.match(files.catalog().rules, /^# boat\n[\s\S]*\n# house\n\nClose doors\.$/);
  });

  it("are checked as they stand in an editor, against what there is", () => {
    const known = new AgentFiles({
      places: () => ({ workspaces }),
      known: () => ({ tools: ["web_search"] }),
    });
    const path = join(boat, ".conclave/agents/x.yaml");
    assert.match(
      known.problemsOf(path, "name: X\nprompt: p\ntools: [web_serch]\n")[0]?.message ?? "",
      /web_search/,
    );
    assert.deepEqual(known.problemsOf(join(boat, "AGENTS.md"), "a: b: c"), []);
  });
});
