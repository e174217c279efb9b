import assert from "node:assert/strict";
import type { ChatModel } from "../../../../src/agent/models/types.ts";
import {
  all,
  answers,
  ask,
  call,
  callTools,
  end,
  engineOver,
  only,
  playModel,
  say,
  warnings,
} from "../support.ts";

/** Text as a server streams it: some signs at a time. */
function streamed(text: string): ReturnType<typeof say>[] {
  return (text.match(/.{1,40}/gsu) ?? []).map((piece) => say(piece));
}

const block = (query: string): string =>
  `\`\`\`json\n{"name": "look_up", "arguments": {"query": "${query}"}}\n\`\`\`\n`;

describe("a reply that runs away is ended", () => {
  it("when the server reports one call after the other, and the first few are run", async () => {
    const calls = Array.from({ length: 40 }, (_, index) =>
      callTools(call("look_up", { query: `q${index}` }, `${index}`)),
    );
    const { events } = await ask(engineOver(playModel([[...calls, end()], answers("Done.")])));
    assert.deepEqual(warnings(events), ["runaway"]);
    assert.equal(all(events, "tool.request").length, 8);
    assert.equal(only(events, "answer.dialog").data.answer, "Done.");
  });

  it("when the same call is made again, and it is run once", async () => {
    const same = callTools(call("look_up", { query: "tide" }));
    const { events } = await ask(engineOver(playModel([[same, same, same, end()], answers("Done.")])));
    assert.deepEqual(warnings(events), ["runaway"]);
    assert.equal(all(events, "tool.request").length, 1);
  });

  it("when calls are written as text without an end, and what came whole is run", async () => {
    const text = Array.from({ length: 200 }, (_, index) => block(`q${index}`)).join("");
    let sent = 0;
    const model = playModel([answers("Done.")]);
    const chat: ChatModel["chat"] = model.chat.bind(model);
    let first = true;
    model.chat = async function* (request, signal) {
      if (!first) {
        yield* chat(request, signal);
        return;
      }
      first = false;
      for (const piece of streamed(text)) {
        sent += 1;
        yield await Promise.resolve(piece);
      }
    };
    const { events } = await ask(engineOver(model));
    assert.deepEqual(warnings(events), ["runaway"]);
    assert.ok(sent < streamed(text).length / 5, `${sent} pieces were awaited`);
    const queries = all(events, "tool.request").map(({ data }) => JSON.stringify(data.arguments));
    assert.deepEqual(
      queries,
      Array.from({ length: 8 }, (_, index) => `{"query":"q${index}"}`),
    );
  });

  it("when one call is written over and over as text, and it is run once", async () => {
    const pieces = streamed(block("tide").repeat(100));
    const { events } = await ask(engineOver(playModel([[...pieces, end()], answers("Done.")])));
    assert.deepEqual(warnings(events), ["runaway"]);
    assert.equal(all(events, "tool.request").length, 1);
  });

  for (const [what, unit] of [
    ["a sentence", "I need to know more information about the tide. "],
    ["one sign", "a"],
    [
      "a paragraph of several lines",
      "First look at the harbor.\nThen at the quay, 14 m below.\n\nAnd so on; it goes on.\n",
    ],
  ] as const) {
    it(`when its text repeats ${what}, and the answer says that it was cut`, async () => {
      const pieces = streamed(`So: ${unit.repeat(Math.ceil(20_000 / unit.length))}`);
      const { events } = await ask(engineOver(playModel([[...pieces, end()]])));
      assert.deepEqual(warnings(events), ["runaway", "answer_cut"]);
      assert.ok(only(events, "answer.dialog").data.answer.length < 2_500);
    });
  }
});

describe("a reply that only looks alike is not ended", () => {
  it("such as a long table of similar rows", async () => {
    const rows = Array.from({ length: 400 }, (_, index) => `| quay ${index} | 14 m | open |\n`).join("");
    const { events } = await ask(engineOver(playModel([[...streamed(rows), end()]])));
    assert.deepEqual(warnings(events), []);
    assert.equal(only(events, "answer.dialog").data.answer, rows.trimEnd());
  });

  it("such as a heading underlined by eighty signs, or a line that comes a few times", async () => {
    const text = `${"=".repeat(80)}\n${"the same line of some length\n".repeat(20)}`;
    const { events } = await ask(engineOver(playModel([[...streamed(text), end()]])));
    assert.deepEqual(warnings(events), []);
  });
});
