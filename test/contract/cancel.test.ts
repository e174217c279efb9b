import assert from "node:assert/strict";
import { contract } from "./targets.ts";
import { LONG_FORMAT, post, readStream, SHORT, user } from "./wire.ts";

contract("a client that goes away", (target) => {
  it("in mid-answer stops the model, and the next request is answered soon", async () => {
    const gone = new AbortController();
    const response = await fetch(`${target.host}/api/chat`, {
      method: "POST",
      signal: gone.signal,
      body: JSON.stringify({
        model: target.full,
        messages: [user("Count.")],
        think: false,
        format: LONG_FORMAT,
        options: { ...SHORT, num_predict: 2_500 },
      }),
    });
    const first = await response.body?.getReader().read();
    assert.equal(first?.done, false);
    gone.abort();
    const next = await post(target, "/api/chat", {
      model: target.full,
      messages: [user("Hello")],
      think: false,
      options: { ...SHORT, num_predict: 1 },
    });
    assert.equal(readStream(next).last.done_reason, "length");
    assert.equal(target.scripted?.requests.at(-2)?.aborted ?? true, true);
  });
});
