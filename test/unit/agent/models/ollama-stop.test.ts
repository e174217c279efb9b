import assert from "node:assert/strict";
import type { ChatChunk } from "../../../../src/agent/models/types.ts";
import {
  done,
  gate,
  headers,
  startScriptedOllama,
  text,
  wait,
  type ScriptedOllama,
} from "../../../support/ollama/index.ts";
import { ASK, collect, failureOf, hear, ManualClock, modelAt, NEVER } from "./support.ts";

/** Fires the signal and waits for the stream's end, which comes although the server is silent. */
async function stop(
  abort: AbortController,
  ended: Promise<readonly ChatChunk[]>,
): Promise<ChatChunk | undefined> {
  abort.abort();
  const chunks = await ended;
  return chunks.at(-1);
}

describe("stopping a chat", () => {
  let server: ScriptedOllama;
  let abort: AbortController;
  beforeEach(async () => {
    server = await startScriptedOllama({
      models: [
        { name: "scripted", loaded: true },
        { name: "cold", load: () => new Promise(() => undefined) },
      ],
    });
    abort = new AbortController();
  });
  afterEach(() => server.close());

  it("before it was begun sends nothing", async () => {
    abort.abort();
    const failure = await failureOf(modelAt(server.host).chat(ASK, abort.signal));
    assert.equal(failure.code, "cancelled");
    assert.equal(server.requests.length, 0);
  });

  it("while a model loads closes the connection", async () => {
    const ended = collect(modelAt(server.host, { model: "cold" }).chat(ASK, abort.signal));
    const request = await server.received();
    const last = await stop(abort, ended);
    assert.ok(last?.type === "failure" && last.failure.code === "cancelled");
    assert.equal(await request.ended, "aborted");
  });

  it("after the headers and before the first line closes the connection", async () => {
    server.enqueue([headers(), wait(new Promise(() => undefined))]);
    const ended = collect(modelAt(server.host).chat(ASK, abort.signal));
    const request = await server.received();
    const last = await stop(abort, ended);
    assert.ok(last?.type === "failure" && last.failure.code === "cancelled");
    assert.equal(await request.ended, "aborted");
  });

  it("in mid-stream keeps what was given and closes the connection", async () => {
    server.enqueue([text("It "), wait(new Promise(() => undefined))]);
    const stream = modelAt(server.host).chat(ASK, abort.signal)[Symbol.asyncIterator]();
    assert.deepEqual((await stream.next()).value, { type: "content", text: "It " });
    abort.abort();
    const last = (await stream.next()).value as ChatChunk;
    assert.ok(last.type === "failure" && last.failure.code === "cancelled");
    assert.deepEqual(await stream.next(), { done: true, value: undefined });
    assert.equal(await server.requests.at(-1)?.ended, "aborted");
  });

  it("by leaving the iteration closes the connection", async () => {
    server.enqueue([text("It "), wait(new Promise(() => undefined))]);
    for await (const chunk of modelAt(server.host).chat(ASK, NEVER)) {
      assert.equal(chunk.type, "content");
      break;
    }
    assert.equal(await server.requests.at(-1)?.ended, "aborted");
  });

  it("ends only its own stream, not another of the same model", async () => {
    const goOn = gate();
    server.enqueue(
      [text("a "), wait(new Promise(() => undefined))],
      [text("b "), wait(goOn), text("c"), done()],
    );
    const model = modelAt(server.host);
    const first = collect(model.chat(ASK, abort.signal));
    await server.received(1);
    const second = hear(model.chat(ASK, NEVER));
    await server.received(2);
    await stop(abort, first);
    goOn.open();
    assert.equal((await second).content, "b c");
  });

  it("after its end changes nothing", async () => {
    server.enqueue([text("42"), done()]);
    const chunks = await collect(modelAt(server.host).chat(ASK, abort.signal));
    abort.abort();
    assert.equal(chunks.at(-1)?.type, "end");
  });
});

describe("the time limits of a chat", () => {
  const limits = { connectMs: 10_000, firstByteMs: 900_000, idleMs: 60_000 };
  let server: ScriptedOllama;
  let clock: ManualClock;
  beforeEach(async () => {
    server = await startScriptedOllama({ models: [{ name: "scripted", loaded: true }] });
    clock = new ManualClock();
  });
  afterEach(() => server.close());

  it("let a model load for 310 seconds, with one request", async () => {
    const loaded = gate();
    server.enqueue([wait(loaded), text("42"), done()]);
    const heard = hear(modelAt(server.host, { clock, limits }).chat(ASK, NEVER));
    await server.received();
    clock.advance(310_000);
    loaded.open();
    assert.equal((await heard).content, "42");
    assert.equal(server.chats.length, 1);
  });

  it("say which one fired, and in seconds, when the first answer never comes", async () => {
    server.enqueue([wait(new Promise(() => undefined))]);
    const failure = failureOf(modelAt(server.host, { clock, limits }).chat(ASK, NEVER));
    const request = await server.received();
    clock.advance(900_000);
    const { code, message } = await failure;
    assert.equal(code, "timeout");
    assert.match(
      message,
      /scripted .* within 900 s \(the limit for the first answer.*conclave\.requestTimeout/,
    );
    assert.equal(await request.ended, "aborted");
  });

  it("count silence in mid-stream from the last piece", async () => {
    const [second, third] = [gate(), gate()];
    const forEver = new Promise(() => undefined);
    server.enqueue([text("It "), wait(second), text("is "), wait(third), text("42."), wait(forEver)]);
    const stream = modelAt(server.host, { clock, limits }).chat(ASK, NEVER)[Symbol.asyncIterator]();
    const next = async (): Promise<ChatChunk> => (await stream.next()).value as ChatChunk;
    await next();
    for (const [goOn, expected] of [
      [second, "is "],
      [third, "42."],
    ] as const) {
      clock.advance(59_000);
      goOn.open();
      assert.deepEqual(await next(), { type: "content", text: expected });
    }
    clock.advance(60_000);
    const last = await next();
    assert.ok(last.type === "failure" && last.failure.code === "timeout");
    assert.match(last.failure.message, /within 60 s \(the limit between two pieces/);
  });

  it("leave no timer behind", async () => {
    server.enqueue([text("42"), done()]);
    const model = modelAt(server.host, { clock, limits });
    await hear(model.chat(ASK, NEVER));
    await server.requests.at(-1)?.ended;
    await hear(model.chat({ ...ASK, messages: [] }, AbortSignal.abort()));
    assert.ok(clock.waiting <= 1, "only the moment that a connection may linger");
    clock.advance(10_000);
    assert.equal(clock.waiting, 0);
  });
});
