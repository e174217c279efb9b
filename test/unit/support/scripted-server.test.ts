import assert from "node:assert/strict";
import { install, type Clock } from "@sinonjs/fake-timers";
import { downloadSteps, gate, line, text, wait } from "../../support/ollama/index.ts";
import { chat, lines, serve, stopServers } from "./ollama-support.ts";

const post = (host: string, path: string, body: object) =>
  fetch(host + path, { method: "POST", body: JSON.stringify(body) });

interface Running {
  readonly models: readonly { readonly name: string; readonly context_length: number }[];
}

describe("the scripted server", () => {
  afterEach(stopServers);

  const running = async (host: string) => ((await (await fetch(`${host}/api/ps`)).json()) as Running).models;

  it("records what it was asked, newest last, and keeps only so many", async () => {
    const server = await serve({ keepRequests: 2 });
    for (const content of ["one", "two", "three"]) {
      await (await chat(server, { messages: [{ role: "user", content }] })).text();
    }
    assert.equal(server.requests.length, 2);
    assert.deepEqual(
      server.chats.map((body) => body.messages[0]?.content),
      ["two", "three"],
    );
    assert.equal(server.requests[0]?.path, "/api/chat");
  });

  it("tells when so many requests have come", async () => {
    const server = await serve();
    const second = server.received(2);
    await (await chat(server)).text();
    await (await chat(server, { messages: [{ role: "user", content: "two" }] })).text();
    assert.match((await second).text, /two/);
    assert.equal((await server.received(2)).path, "/api/chat");
  });

  it("loads a model before its first answer, and again only when its options change", async () => {
    const server = await serve({ models: [{ name: "m", contextLength: 4_096 }] });
    for (const num_ctx of [1_024, 1_024, 2_048, 99_999]) {
      await (await chat(server, { model: "m", options: { num_ctx } })).text();
    }
    assert.deepEqual(
      server.loads.map((load) => load.contextLength),
      [1_024, 2_048, 4_096],
    );
    assert.equal((await running(server.host))[0]?.context_length, 4_096);
  });

  it("sends no header while a model loads, and lists it as running", async () => {
    const ready = gate();
    const server = await serve({ models: [{ name: "m", load: () => ready.passed }] });
    let answered = false;
    const waiting = chat(server, { model: "m" }).then((response) => {
      answered = true;
      return response.text();
    });
    await server.received();
    assert.equal((await running(server.host))[0]?.name, "m:latest");
    assert.equal(answered, false);
    assert.equal(server.loads[0]?.outcome, "loading");
    ready.open();
    assert.match(await waiting, /"done":true/);
    assert.equal(server.loads[0].outcome, "loaded");
  });

  it("gives up a load with the client that waited for it; another that waited begins anew", async () => {
    const never = gate();
    const second = gate();
    const loads = [never.passed, second.passed];
    const server = await serve({ models: [{ name: "m", load: () => loads.shift() ?? Promise.resolve() }] });
    const gone = new AbortController();
    const first = chat(server, { model: "m" }, gone.signal);
    const refused = assert.rejects(first);
    await server.received(1);
    const waiting = chat(server, { model: "m" });
    await server.received(2);
    gone.abort();
    await refused;
    await server.requests[0]?.ended;
    second.open();
    assert.match(await (await waiting).text(), /"done":true/);
    assert.deepEqual(
      server.loads.map((load) => load.outcome),
      ["failed", "loaded"],
    );
  });

  it("answers 500 when a load fails", async () => {
    const server = await serve({
      models: [{ name: "m", load: () => Promise.reject(new Error("too large")) }],
    });
    const response = await chat(server, { model: "m" });
    assert.deepEqual([response.status, await response.text()], [500, '{"error":"too large"}']);
  });

  it("lets requests wait without headers while a model is busy, in order", async () => {
    const server = await serve({ parallel: 1 });
    const busy = gate();
    server.enqueue([text("one"), wait(busy)], [text("two")]);
    const first = await chat(server);
    let answered = false;
    const second = chat(server).then((response) => {
      answered = true;
      return response.text();
    });
    await server.received(2);
    await running(server.host);
    assert.equal(answered, false);
    busy.open();
    assert.match(await first.text(), /"one"/);
    assert.match(await second, /"two"/);
  });

  it("answers 503 when too many wait, and a client that leaves makes room", async () => {
    const server = await serve({ parallel: 1, maxQueue: 1 });
    const busy = gate();
    server.enqueue([text("one"), wait(busy)], [text("three")]);
    const first = await chat(server);
    const gone = new AbortController();
    const second = assert.rejects(chat(server, {}, gone.signal));
    await server.received(2);
    assert.equal((await chat(server)).status, 503);
    gone.abort();
    await second;
    await server.requests[1]?.ended;
    const third = chat(server);
    await server.received(4);
    busy.open();
    await first.text();
    assert.match(await (await third).text(), /"three"/);
  });

  it("forgets a model after the time it was to be kept", async () => {
    const clock: Clock = install({ now: Date.UTC(2026, 0, 1), toFake: ["Date"] });
    try {
      const server = await serve();
      server.unload("scripted-plain");
      const loaded = () => running(server.host).then((models) => models.length);
      await (await chat(server, { keep_alive: "2m" })).text();
      clock.tick(119_000);
      assert.equal(await loaded(), 1);
      clock.tick(2_000);
      assert.equal(await loaded(), 0);
      await (await chat(server, { keep_alive: -1 })).text();
      clock.tick(365 * 86_400_000);
      assert.equal(await loaded(), 1);
      await (await chat(server, { keep_alive: 0 })).text();
      assert.equal(await loaded(), 0);
    } finally {
      clock.uninstall();
    }
  });

  it("pulls what it was told of, and stops with the client", async () => {
    const half = gate();
    const server = await serve({
      models: [],
      pulls: {
        small: { model: { name: "small", contextLength: 512 } },
        endless: { steps: [line({ status: "pulling manifest" }), wait(half), ...downloadSteps(10, 1)] },
      },
    });
    const pulled = await lines(await post(server.host, "/api/pull", { model: "small" }));
    assert.deepEqual(pulled.at(-1), { status: "success" });
    assert.equal((await post(server.host, "/api/show", { model: "small" })).status, 200);
    const gone = new AbortController();
    const response = await fetch(`${server.host}/api/pull`, {
      method: "POST",
      body: JSON.stringify({ model: "endless" }),
      signal: gone.signal,
    });
    await response.body?.getReader().read();
    gone.abort();
    assert.equal(await server.requests.at(-1)?.ended, "aborted");
    assert.equal((await post(server.host, "/api/show", { model: "endless" })).status, 404);
  });

  it("ends every open connection when it is closed", async () => {
    const server = await serve();
    server.enqueue([text("one"), wait(gate())]);
    const response = await chat(server);
    await server.close();
    await assert.rejects(response.text());
  });

  it("keeps the request's limits without a script: stop words and length", async () => {
    const server = await serve();
    const stopped = await lines(await chat(server, { options: { stop: [" scripted"] } }));
    assert.match(JSON.stringify(stopped), /This "|"is "|the"/);
    assert.doesNotMatch(
      JSON.stringify(stopped.map((one) => (one as { message: unknown }).message)),
      /scripted/,
    );
    const cut = await lines(await chat(server, { options: { num_predict: 2 } }));
    assert.equal((cut.at(-1) as { done_reason: string }).done_reason, "length");
    assert.equal(cut.length, 3);
  });
});
