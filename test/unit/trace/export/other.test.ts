import assert from "node:assert/strict";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { otlpJson } from "../../../../src/trace/export/otlp/build.ts";
import { writeMarkdown } from "../../../../src/trace/export/markdown/write.ts";
import { StoryBuilder } from "../../../../src/trace/export/story/build.ts";
import { HtmlWriter } from "../../../../src/trace/export/html/write.ts";
import type { TurnModel } from "../../../../src/trace/model.ts";
import { turnMarkdown } from "../../../../src/trace/notebook/turn-markdown.ts";
import { turnOutput } from "../../../../src/trace/notebook/make-output.ts";
import { readOutput } from "../../../../src/trace/notebook/turn-output.ts";
import { foldAll, told } from "../files/told.ts";
import { isGolden } from "./support/golden.ts";
import { comparedTurn, judgedTurn } from "./support/turns.ts";

function storyOf(events: readonly TurnEvent[]) {
  const builder = new StoryBuilder(events[0]?.sessionId ?? "", { requests: false });
  for (const event of events) builder.take(event);
  return builder.story();
}

/** What a turn has of what was said of it, and of respondent B, without ids. */
function judged({ grade, feedback, signs, reward, pairwise, shadow, other }: TurnModel): unknown {
  const cells = [...(other?.cells.values() ?? [])].map(({ kind, agent, status }) => [kind, agent, status]);
  return {
    grade,
    feedback,
    signs,
    reward,
    pairwise,
    shadow,
    cells,
    other: other?.grade,
    tokens: other?.inputTokens,
  };
}

describe("exports of a turn that was answered twice", () => {
  it("tell both answers, the verdict and what each cost in Markdown", () => {
    const { text } = writeMarkdown(storyOf(comparedTurn()));
    isGolden("compared.md", text);
    assert.match(text, /Second answer \(B\)/);
    assert.match(text, /a tie, since the judge went by the order/);
    assert.match(text, /Concluded, not said: the user asked again in other words/);
  });

  it("tell them in the HTML page as well", () => {
    const page = [...new HtmlWriter(storyOf(comparedTurn())).pieces()].join("");
    for (const words of ["Second answer (B)", "read_notes", "not graded (cut off)", "Worth to memory: +0.20"])
      assert.ok(page.includes(words), words);
  });

  it("count none of the second answer's work in the turn's own cost", () => {
    const costs = (events: readonly TurnEvent[]) =>
      storyOf(events).turns[0]?.cost.filter(([name]) => name !== "Second answer");
    assert.deepEqual(costs(comparedTurn()), costs(judgedTurn()));
  });

  it("come back from OTLP JSON the same: whose answer it was, grades, signs, rewards, verdict", async () => {
    const events = comparedTurn();
    const back = await told(otlpJson(events));
    assert.deepEqual(back.notes, []);
    assert.deepEqual(judged(foldAll(back.events)), judged(foldAll(events)));
  });

  it("are a notebook's output that folds to the same, and say the verdict where nobody draws it", () => {
    const events = comparedTurn();
    const [first] = events;
    assert.ok(first);
    const { sessionId, turnId } = first;
    const drawn = readOutput(turnOutput({ sessionId, turnId, events }));
    assert.ok(drawn);
    assert.deepEqual(judged(drawn.turn), judged(foldAll(events)));
    assert.match(turnMarkdown(drawn.turn), /A against B: a tie/);
  });
});
