import assert from "node:assert/strict";
import type { ChatMessage } from "../../../../src/agent/models/types.ts";
import { castModel, committeeEngine, persona } from "../committee/bed.ts";
import { commonStart, wholePrompt } from "../committee/rendered.ts";
import { all, ask } from "../support.ts";

const QUESTION = "Which harbour is the safest?";

const past = Array.from({ length: 12 }, (_, turn): ChatMessage[] => [
  { role: "user", content: `Earlier question ${turn}?` },
  { role: "assistant", content: `Answer ${turn}: ${"we sailed on. ".repeat(200)}` },
]).flat();

describe("a committee over a conversation that no longer fits", () => {
  for (const parallelRequests of [1, 4]) {
    it(`has it summed up once for all, and shares what comes of it (${parallelRequests} at once)`, async () => {
      const model = castModel({ single: ["They sailed on."] }, "tiny", 8_192);
      const engine = committeeEngine({
        personas: ["Ana", "Bo", "Cy"].map((name) => persona(name)),
        models: [model],
        settings: { budget: { summary: true }, parallelRequests },
      });
      const { events } = await ask(engine, QUESTION, { history: past, options: { committee: {} } });
      const summaries = all(events, "context.compacted");
      assert.deepEqual(
        summaries.map(({ data }) => data.how),
        ["summary"],
      );
      const asked = model.requests.filter(({ messages }) =>
        messages.some(({ content }) => content.includes(QUESTION)),
      );
      assert.equal(asked.length, 4, "three members and the synthesizer");
      const prompts = asked.map(wholePrompt);
      const [first = ""] = prompts;
      assert.match(first, /They sailed on\./);
      for (const prompt of prompts) {
        assert.ok(commonStart(prompt, first) >= first.indexOf(QUESTION) + QUESTION.length);
      }
    });
  }
});
