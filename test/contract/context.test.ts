import assert from "node:assert/strict";
import { z } from "zod";
import { contract } from "./targets.ts";
import { errorOf, post, readStream, user } from "./wire.ts";

const NUM_CTX = 256;
const OPTIONS = { temperature: 0, num_predict: 2, num_ctx: NUM_CTX };
const LONG = Array.from({ length: 600 }, (_, index) => `word${index}`).join(" ");

contract("context", (target) => {
  const chat = (extra: object) =>
    post(target, "/api/chat", { model: target.full, think: false, options: OPTIONS, ...extra });

  it("a prompt that is too long is 400 when nothing may be cut", async () => {
    for (const stream of [true, false]) {
      const answer = await chat({ messages: [user(LONG)], truncate: false, stream });
      assert.deepEqual(
        [answer.status, errorOf(answer)],
        [400, "the input length exceeds the context length"],
      );
    }
  });

  it("is cut without a word otherwise, down to the context length", async () => {
    const { last } = readStream(await chat({ messages: [user(LONG)] }));
    assert.equal(last.prompt_eval_count, NUM_CTX);
  });

  it("loses the oldest messages first, and keeps the system's", async () => {
    const messages = [
      { role: "system", content: "Be brief." },
      user(LONG),
      { role: "assistant", content: "Noted." },
      user("Goodbye."),
    ];
    const { last } = readStream(await chat({ messages }));
    assert.ok((last.prompt_eval_count ?? NUM_CTX) < NUM_CTX / 4);
    const answer = await chat({ messages, _debug_render_only: true });
    const Debug = z.looseObject({ _debug_info: z.looseObject({ rendered_template: z.string() }) });
    const prompt = Debug.parse(JSON.parse(answer.text))._debug_info.rendered_template;
    assert.match(prompt, /Be brief\..*Noted\..*Goodbye\./s);
    assert.doesNotMatch(prompt, /word599/);
  });

  it("tells the context length a model was loaded with, capped by the model's own", async () => {
    const Running = z.looseObject({
      models: z.array(
        z.looseObject({
          name: z.string(),
          context_length: z.int(),
          expires_at: z.iso.datetime({ offset: true }),
        }),
      ),
    });
    const loadedWith = async () => {
      const response = await fetch(`${target.host}/api/ps`);
      const { models } = Running.parse(await response.json());
      return models.find((model) => model.name === `${target.full}:latest`)?.context_length;
    };
    readStream(await chat({ messages: [user("Hello")] }));
    assert.equal(await loadedWith(), NUM_CTX);
    readStream(await chat({ messages: [user("Hello")], options: { ...OPTIONS, num_ctx: 1_000_000 } }));
    assert.equal(await loadedWith(), 8_192);
  });
});
