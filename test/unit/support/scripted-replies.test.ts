import assert from "node:assert/strict";
import {
  call,
  destroySocket,
  done,
  endWithoutDone,
  errorLine,
  framing,
  gate,
  headers,
  httpError,
  message,
  plainError,
  queueFull,
  raw,
  runnerStopped,
  text,
  thinking,
  toolCall,
  toolCalls,
  unparsableToolCall,
  wait,
  words,
} from "../../support/ollama/index.ts";
import { chat, chunks, lines, serve, stopServers } from "./ollama-support.ts";

describe("a scripted reply", () => {
  afterEach(stopServers);

  it("is the next that was enqueued, and running out of them is an error", async () => {
    const server = await serve();
    server.enqueue([text("one")], [text("two")]);
    assert.match(await (await chat(server)).text(), /"one"/);
    assert.match(await (await chat(server)).text(), /"two"/);
    const third = await chat(server);
    assert.equal(third.status, 500);
    assert.match(await third.text(), /no reply left/);
  });

  it("may depend on the request", async () => {
    const server = await serve();
    server.enqueue(({ body, count }) => [text(`${body.messages[0]?.content ?? ""} ${count}`)]);
    assert.match(await (await chat(server)).text(), /"Hello 1"/);
  });

  it("falls back to the server's script once nothing is enqueued", async () => {
    const server = await serve({ script: () => [text("scripted")] });
    server.enqueue([text("first")]);
    assert.match(await (await chat(server)).text(), /"first"/);
    assert.match(await (await chat(server)).text(), /"scripted"/);
  });

  it("is finished with a done line; numbers that are zero are left out", async () => {
    const server = await serve();
    server.enqueue([text("x"), done({ done_reason: "length", prompt_eval_count: 0, eval_count: 7 })]);
    const all = await lines(await chat(server));
    const last = all.at(-1) as Record<string, unknown>;
    assert.deepEqual([last["done"], last["done_reason"], last["eval_count"]], [true, "length", 7]);
    assert.ok(!("prompt_eval_count" in last));
    assert.ok(Number(last["total_duration"]) > 0);
  });

  it("goes out one line a write unless told otherwise", async () => {
    const server = await serve();
    server.enqueue(words("a b c"));
    const written = await chunks(server);
    assert.ok(written.length >= 2);
    assert.ok(written.every((bytes) => bytes.toString().endsWith("}\n")));
  });

  it("can put several lines in one write", async () => {
    const server = await serve();
    server.enqueue([framing({ lines: 100 }), ...words("a b c")]);
    const written = await chunks(server);
    assert.equal(written.length, 1);
    assert.equal(written[0]?.toString().trimEnd().split("\n").length, 4);
  });

  it("can cut a line in the middle of a character", async () => {
    const server = await serve();
    server.enqueue([framing({ bytes: 1 }), text("ü")]);
    const written = await chunks(server);
    const both = Buffer.from("ü");
    assert.ok(
      written.some((bytes) => bytes.at(-1) === both[0]),
      "a write ends with half a character",
    );
    const whole = Buffer.concat(written).toString();
    assert.match(whole, /"content":"ü"/);
  });

  it("holds everything back until a gate opens, headers too", async () => {
    const server = await serve();
    const ready = gate();
    server.enqueue([wait(ready), text("late")], [text("other")]);
    let answered = false;
    const waiting = chat(server).then((response) => {
      answered = true;
      return response;
    });
    await server.received();
    await (await chat(server)).text();
    assert.equal(answered, false);
    ready.open();
    assert.match(await (await waiting).text(), /"late"/);
  });

  it("can send headers and then nothing until a gate opens", async () => {
    const server = await serve();
    const ready = gate();
    server.enqueue([headers(), wait(ready), text("late")]);
    const response = await chat(server);
    assert.equal(response.status, 200);
    ready.open();
    assert.match(await response.text(), /"late"/);
  });

  it("sends what was written before it waits", async () => {
    const server = await serve();
    const ready = gate();
    server.enqueue([framing({ lines: 50 }), text("early"), wait(ready), text("late")]);
    const reader = (await chat(server)).body?.getReader();
    const first = await reader?.read();
    assert.match(Buffer.from(first?.value as Uint8Array).toString(), /"early"/);
    ready.open();
    await reader?.cancel();
  });

  it("of a failure is a status before anything was sent, and a line after", async () => {
    const server = await serve();
    server.enqueue([errorLine("broken")], [text("x"), errorLine("broken")]);
    const early = await chat(server);
    assert.deepEqual([early.status, await early.text()], [500, '{"error":"broken"}']);
    const late = await chat(server);
    const all = await lines(late);
    assert.deepEqual([late.status, all.length, all[1]], [200, 2, { error: "broken" }]);
  });

  it("can be any HTTP answer", async () => {
    const server = await serve();
    server.enqueue([httpError(400, "no")], [plainError(401, "unauthorized")], [queueFull()]);
    const asJson = await chat(server);
    assert.deepEqual([asJson.status, await asJson.text()], [400, '{"error":"no"}']);
    const asText = await chat(server);
    assert.deepEqual([asText.status, await asText.text()], [401, "unauthorized"]);
    assert.match(asText.headers.get("content-type") ?? "", /text\/plain/);
    assert.equal((await chat(server)).status, 503);
  });

  it("knows the server's own failures by name", async () => {
    const server = await serve();
    server.enqueue([runnerStopped()], [unparsableToolCall('{"name":')]);
    assert.match(await (await chat(server)).text(), /model runner has unexpectedly stopped/);
    const unparsable = await chat(server);
    assert.equal(unparsable.status, 500);
    assert.match(await unparsable.text(), /error parsing tool call: raw='\{\\"name\\":'/);
  });

  it("can end without done, with garbage, or with the connection cut", async () => {
    const server = await serve();
    server.enqueue(
      [text("x"), endWithoutDone()],
      [raw("not json\n"), text("x")],
      [text("x"), destroySocket()],
    );
    assert.equal((await lines(await chat(server))).length, 1);
    assert.match(await (await chat(server)).text(), /^not json\n\{/);
    await assert.rejects((await chat(server)).text());
  });

  it("carries calls with or without an id, one a chunk or several", async () => {
    const server = await serve();
    server.enqueue([
      toolCall("a", { n: 1 }),
      toolCalls(call("b", {}, { id: null }), call("c", "{}", { index: 1 })),
    ]);
    const [one, two] = (await lines(await chat(server))) as {
      message: { tool_calls: Record<string, unknown>[] };
    }[];
    assert.match(String(one?.message.tool_calls[0]?.["id"]), /^call_\w{8}$/);
    assert.deepEqual(two?.message.tool_calls[0], { function: { index: 0, name: "b", arguments: {} } });
    assert.equal(two.message.tool_calls.length, 2);
  });

  it("is put together when it is not to stream", async () => {
    const server = await serve();
    server.enqueue([thinking("hm "), thinking("so"), toolCall("a"), text("b "), message({ content: "c" })]);
    const response = await chat(server, { stream: false });
    const whole = (await response.json()) as { message: Record<string, unknown>; done: boolean };
    assert.equal(whole.done, true);
    assert.deepEqual([whole.message["thinking"], whole.message["content"]], ["hm so", "b c"]);
    assert.equal((whole.message["tool_calls"] as unknown[]).length, 1);
  });

  it("stops when the client goes away, and the record says so", async () => {
    const server = await serve();
    const never = gate();
    let stopped = false;
    server.enqueue(function* () {
      try {
        yield text("one");
        yield wait(never);
        yield text("two");
      } finally {
        stopped = true;
      }
    });
    const gone = new AbortController();
    const response = await chat(server, {}, gone.signal);
    await response.body?.getReader().read();
    gone.abort();
    const [record] = server.requests;
    assert.equal(await record?.ended, "aborted");
    assert.equal(record?.aborted, true);
    server.enqueue([text("next")]);
    await (await chat(server)).text();
    assert.equal(stopped, true);
    assert.equal(await server.requests[1]?.ended, "finished");
  });

  it("that never ends stops with its client too", async () => {
    const server = await serve();
    let stopped = false;
    server.enqueue(function* () {
      try {
        for (;;) yield text("again ");
      } finally {
        stopped = true;
      }
    });
    const gone = new AbortController();
    const response = await chat(server, {}, gone.signal);
    await response.body?.getReader().read();
    gone.abort();
    await server.requests[0]?.ended;
    server.enqueue([text("next")]);
    await (await chat(server)).text();
    assert.equal(stopped, true);
  });
});
