import assert from "node:assert/strict";
import { mkdtemp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectionToken, DEMO_MODEL, writeSettings } from "../../../scripts/lib/profile.mjs";
import { startOf } from "../../../scripts/lib/shell.mjs";
import { DEMO_MODELS } from "../../support/ollama/demo-script.ts";

describe("the windows that npm start opens", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-start-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const settings = async (): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, "User", "settings.json"), "utf8"));

  it("keep what the user set in them", async () => {
    await mkdir(join(folder, "User"), { recursive: true });
    const own = { "conclave.model": "qwen3:8b", "editor.fontSize": 15 };
    await writeFile(join(folder, "User", "settings.json"), JSON.stringify(own));
    await writeSettings(folder, { "conclave.ollama.host": "http://127.0.0.1:11434" });
    assert.deepEqual(await settings(), {
      "workbench.startupEditor": "readme",
      ...own,
      "conclave.ollama.host": "http://127.0.0.1:11434",
    });
  });

  it("ask no real Ollama for the model of the demo that was tried before", async () => {
    for (const { name } of DEMO_MODELS) {
      await writeSettings(folder, { "conclave.ollama.host": "http://127.0.0.1:1", "conclave.model": name });
      await writeSettings(folder, { "conclave.ollama.host": "http://127.0.0.1:11434" });
      assert.deepEqual(await settings(), {
        "workbench.startupEditor": "readme",
        "conclave.ollama.host": "http://127.0.0.1:11434",
      });
    }
    assert.ok(DEMO_MODELS.some(({ name }) => name === `${DEMO_MODEL}:latest`));
  });

  it("are served only to who knows a token, which stays the same and is the user's own to read", async () => {
    const first = await connectionToken(folder);
    assert.match(first.token, /^[0-9a-f]{32}$/);
    assert.deepEqual(await connectionToken(folder), first);
    assert.equal(await readFile(first.file, "utf8"), first.token);
    if (process.platform !== "win32") assert.equal((await stat(first.file)).mode & 0o077, 0);
  });
});

describe("how scripts start programs on Windows", () => {
  it("is without a shell for a program proper, wherever it is installed", () => {
    const node = "C:\\Program Files\\nodejs\\node.exe";
    assert.deepEqual(startOf(node, ["a b.mjs"], "win32"), { command: node, args: ["a b.mjs"], shell: false });
  });

  it("is by a shell for scripts, with quotes around what it would take apart", () => {
    const { command, args, shell } = startOf(
      "C:\\Users\\Dara O'Neil\\bin\\code.cmd",
      ["--wait", "C:\\My Folder\\", "--flag=a&b", "--model=qwen3:8b"],
      "win32",
    );
    assert.equal(shell, true);
    assert.equal(command, `"C:\\Users\\Dara O'Neil\\bin\\code.cmd"`);
    assert.deepEqual(args, ["--wait", `"C:\\My Folder\\\\"`, `"--flag=a&b"`, "--model=qwen3:8b"]);
  });
});
