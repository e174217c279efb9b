import assert from "node:assert/strict";
import { join } from "node:path";
import { shippedParts } from "../../../src/cli/places.ts";
import { runCli } from "../../../src/cli/run-cli.ts";
import * as ollama from "../../support/ollama/index.ts";
import { cleanUp, folderWith, never } from "./support.ts";

describe("An answer on a terminal, which shows both streams", () => {
  let server: ollama.ScriptedOllama;
  before(async () => {
    server = await ollama.startScriptedOllama({ models: [{ name: "scripted:latest" }] });
  });
  after(() => server.close());
  afterEach(cleanUp);

  it("has what is said about it on lines of their own, and nothing of it on standard output", async () => {
    const folder = await folderWith();
    let screen = "";
    let out = "";
    const terminal = {
      out: (text: string) => {
        out += text;
        screen += text;
      },
      err: (text: string) => void (screen += text),
      env: { OLLAMA_HOST: server.host, CONCLAVE_DATA: join(folder, "data") },
      cwd: folder,
      input: () => Promise.resolve(""),
    };
    server.enqueue([ollama.text("Red, orange and"), ollama.done({ done_reason: "length" })]);
    const args = ["ask", "Colours?", "-m", "scripted", "--no-memory"];
    assert.equal(await runCli(args, terminal, shippedParts(folder, "9.9.9"), never), 0, screen);
    assert.equal(out, "Red, orange and\n");
    assert.match(screen, /Red, orange and\n! [^\n]+\n/u);
  });
});
