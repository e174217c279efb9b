import assert from "node:assert/strict";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Engine, RunningTurn } from "../../../src/agent/engine-port.ts";
import type { TurnEvent } from "../../../src/agent/events.ts";
import * as ollama from "../../support/ollama/index.ts";
import type { ReplyStep, ScriptedOllama } from "../../support/ollama/index.ts";
import { engineAt, makeTool, only, read, start, toolSet } from "./support.ts";

const FOR_EVER = new Promise(() => undefined);

/** Cancels and waits for the end, which must come although the server is silent, and say so. */
async function cancel(turn: RunningTurn): Promise<void> {
  turn.cancel();
  const { outcome, error } = await turn.done;
  assert.deepEqual([outcome, error?.code], ["cancelled", "cancelled"]);
  assert.equal(only(await read(turn.events), "turn.end").data.outcome, "cancelled");
}

/** Waits for an event that `isIt`. */
async function come(turn: RunningTurn, isIt: (event: TurnEvent) => boolean): Promise<void> {
  for await (const event of turn.events) if (isIt(event)) return;
  assert.fail("the turn ended before that");
}

const shows =
  (channel: string) =>
  (event: TurnEvent): boolean =>
    event.type === "model.delta" && event.data.channel === channel;

describe("cancelling a turn over HTTP", () => {
  let server: ScriptedOllama;
  let engine: Engine;

  beforeEach(async () => {
    server = await ollama.startScriptedOllama({
      models: [
        { name: "scripted:latest", loaded: true },
        { name: "cold:latest", load: () => FOR_EVER },
      ],
    });
    const stuck = makeTool({ name: "web_search", run: () => new Promise(() => undefined) });
    engine = engineAt(server.host, { tools: toolSet(stuck) });
  });
  afterEach(async () => {
    await engine.dispose();
    await server.close();
  });

  const stages: readonly (readonly [string, readonly ReplyStep[], (event: TurnEvent) => boolean])[] = [
    ["before the headers", [ollama.noHeadersUntil(FOR_EVER)], ({ type }) => type === "model.start"],
    ["after the headers", [ollama.headers(), ollama.wait(FOR_EVER)], ({ type }) => type === "model.start"],
    ["in mid-thinking", [ollama.thinking("hm "), ollama.wait(FOR_EVER)], shows("thinking")],
    ["in mid-answer", [ollama.text("half "), ollama.wait(FOR_EVER)], shows("answer")],
  ];
  for (const [when, steps, isThen] of stages) {
    it(`stops within a moment ${when}, and the server sees it`, async () => {
      server.enqueue(steps);
      const turn = await start(engine);
      const request = await server.received();
      await come(turn, isThen);
      await cancel(turn);
      assert.equal(await request.ended, "aborted");
    });
  }

  it("stops within a moment while the model loads", async () => {
    const turn = await start(engine, "When?", { options: { model: "cold:latest" } });
    const request = await server.received();
    await cancel(turn);
    assert.equal(await request.ended, "aborted");
  });

  it("stops within a moment while a tool runs that heeds no signal", async () => {
    server.enqueue([ollama.toolCall("web_search", { query: "tide" })]);
    const turn = await start(engine);
    await come(turn, ({ type }) => type === "tool.request");
    await cancel(turn);
    assert.equal(server.chats.length, 1);
  });

  it("stops within a moment while it waits behind another session, which goes on", async () => {
    const goOn = ollama.gate();
    server.enqueue([ollama.text("First"), ollama.wait(goOn), ollama.text(" done.")]);
    const first = await start(engine, "One?");
    await come(first, shows("answer"));
    const second = await start(engine, "Two?");
    await come(second, ({ type }) => type === "step.start");
    await cancel(second);
    goOn.open();
    assert.equal((await first.done).answer, "First done.");
    assert.equal(server.chats.length, 1);
  });

  it("stops all that runs when the engine is disposed of, also what waits", async () => {
    server.enqueue([ollama.text("half "), ollama.wait(FOR_EVER)]);
    const first = await start(engine, "One?");
    await come(first, shows("answer"));
    const second = await start(engine, "Two?");
    await engine.dispose();
    assert.deepEqual([(await first.done).outcome, (await second.done).outcome], ["cancelled", "cancelled"]);
  });
});

describe("cancelling a turn while the server is asked what the model can do", () => {
  let server: Server;
  let asked: Promise<ServerResponse>;

  beforeEach(async () => {
    server = createServer();
    asked = new Promise((resolve) => server.on("request", (_request, response) => resolve(response)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => new Promise<void>((resolve) => void server.close(() => resolve())));

  it("stops within a moment and hangs up", async () => {
    const { port } = server.address() as AddressInfo;
    const turn = await start(engineAt(`http://127.0.0.1:${port}`));
    const response = await asked;
    const hungUp = new Promise<void>((resolve) => void response.on("close", () => resolve()));
    await cancel(turn);
    await hungUp;
  });
});
