import assert from "node:assert/strict";
import { join } from "node:path";
import FakeTimers from "@sinonjs/fake-timers";
import { AnswerPrinter } from "../../../src/cli/ask/printer.ts";
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

describe("A model that says nothing for long", () => {
  const place = { parentId: "s1", time: 0, sessionId: "s", turnId: "t", agent: "a", respondent: "A" };
  const start = (id: string) => {
    return {
      ...{ ...place, type: "model.start" as const, id },
      data: {
        "gen_ai.operation.name": "chat" as const,
        ...{ "gen_ai.provider.name": "ollama", "gen_ai.request.model": "qwen3:8b" },
        ...{ "gen_ai.request.max_tokens": 1, "conclave.context_length": 1 },
        ...{ "conclave.think": "off" as const, "conclave.messages": [] },
      },
    };
  };

  function watched(rest: boolean) {
    const clock = FakeTimers.install({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    let said = "";
    const terminal = {
      ...{ out: () => undefined, err: (text: string) => void (said += text) },
      ...{ env: {}, cwd: "/", input: () => Promise.resolve("") },
    };
    return { clock, printer: new AnswerPrinter(terminal, { answer: true, rest }), said: () => said };
  }

  it("is told of every few seconds, on standard error, until it speaks", () => {
    const { clock, printer, said } = watched(true);
    try {
      printer.take(start("m1"));
      clock.tick(10_000);
      assert.equal(said(), "... Loading qwen3:8b, 5 s\n... Loading qwen3:8b, 10 s\n");
      const spoken = { channel: "answer" as const, text: "Well" };
      printer.take({ ...place, type: "model.delta", id: "m1", data: spoken });
      clock.tick(10_000);
      assert.doesNotMatch(said(), /15 s/);
      assert.equal(clock.countTimers(), 0);
    } finally {
      clock.uninstall();
    }
  });

  it("is not told of where only the answer is wanted", () => {
    const { clock, printer, said } = watched(false);
    try {
      printer.take(start("m1"));
      clock.tick(10_000);
      assert.equal(said(), "");
      printer.end({ outcome: "cancelled", answer: "" });
      assert.equal(clock.countTimers(), 0);
    } finally {
      clock.uninstall();
    }
  });
});
