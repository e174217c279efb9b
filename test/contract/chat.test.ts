import assert from "node:assert/strict";
import { readTextLine } from "../../src/agent/models/text-line.ts";
import { contract } from "./targets.ts";
import { errorOf, post, readStream, readWhole, SHORT, user } from "./wire.ts";

contract("chat", (target) => {
  const ask = (extra: object) =>
    post(target, "/api/chat", {
      model: target.full,
      messages: [user("Say hello to the harbour.")],
      think: false,
      options: SHORT,
      ...extra,
    });

  it("streams the answer line by line and ends with what it cost", async () => {
    const { chunks, last, content, thinking } = readStream(await ask({}));
    assert.ok(chunks.length >= 2, "one token a line");
    assert.notEqual(content, "");
    assert.equal(thinking, "");
    assert.ok((last.prompt_eval_count ?? 0) > 5);
    assert.ok((last.eval_count ?? 0) <= SHORT.num_predict);
    assert.ok((last.total_duration ?? 0) >= (last.eval_duration ?? Infinity));
  });

  it("names the model as it was asked for", async () => {
    const withTag = await ask({ model: `${target.full}:latest` });
    assert.equal(readStream(withTag).last.model, `${target.full}:latest`);
    assert.equal(readStream(await ask({})).last.model, target.full);
  });

  it("gives the same answer whole when it is not to stream", async () => {
    const streamed = readStream(await ask({}));
    const whole = readWhole(await ask({ stream: false }));
    assert.equal(whole.message.content, streamed.content);
    assert.equal(whole.done_reason, streamed.last.done_reason);
    assert.equal(whole.eval_count, streamed.last.eval_count);
  });

  it("says that the output limit cut an answer", async () => {
    const { last } = readStream(await ask({ options: { ...SHORT, num_predict: 3 } }));
    assert.equal(last.done_reason, "length");
    assert.equal(last.eval_count, 3);
  });

  it("streams thinking apart from the answer", async () => {
    const { thinking, chunks } = readStream(
      await ask({ think: true, options: { ...SHORT, num_predict: 6 } }),
    );
    assert.notEqual(thinking, "");
    assert.doesNotMatch(thinking, /<think>/);
    assert.ok(chunks.every(({ message }) => message.thinking === undefined || message.content === ""));
  });

  it("writes pieces of text in the form that is read without parsing", async () => {
    for (const think of [false, true]) {
      const { text } = await ask({ think });
      const plain = text.split("\n").filter((line) => line.endsWith('"done":false}') && !line.includes("\\"));
      assert.ok(plain.length > 0);
      for (const line of plain) assert.notEqual(readTextLine(line), undefined, line);
    }
  });

  it("tells how likely the tokens of an answer were where that is asked for", async () => {
    const { chunks } = readStream(await ask({ logprobs: true, top_logprobs: 3 }));
    const texts = chunks.filter(({ message }) => message.content !== "");
    assert.ok(texts.length > 0);
    for (const { message, logprobs = [] } of texts) {
      assert.equal(logprobs.map(({ token }) => token).join(""), message.content);
      for (const { top_logprobs: top = [] } of logprobs) assert.ok(top.length >= 1 && top.length <= 3);
    }
    assert.ok(readStream(await ask({})).chunks.every(({ logprobs }) => logprobs === undefined));
  });

  it("refuses more of the likeliest tokens than it tells", async () => {
    const answer = await ask({ logprobs: true, top_logprobs: 21 });
    assert.equal(answer.status, 400);
    assert.match(errorOf(answer), /top_logprobs must be between 0 and 20/);
  });

  it("thinks on a thinking model when it isn't told whether to", async () => {
    const { thinking } = readStream(await ask({ think: undefined, options: { ...SHORT, num_predict: 6 } }));
    assert.notEqual(thinking, "");
  });

  it("answers with a model that can only complete", async () => {
    const { content, last } = readStream(await ask({ model: target.plain, think: undefined }));
    assert.notEqual(content, "");
    assert.match(last.done_reason, /stop|length/);
  });

  it("loads and unloads a model when there is nothing to say", async () => {
    const load = readWhole(await post(target, "/api/chat", { model: target.full }));
    assert.equal(load.done_reason, "load");
    const unload = readWhole(await post(target, "/api/chat", { model: target.full, keep_alive: 0 }));
    assert.equal(unload.done_reason, "unload");
    assert.equal(unload.message.content, "");
  });
});
