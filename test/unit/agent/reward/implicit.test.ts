import assert from "node:assert/strict";
import type { EventOf, TurnEvent } from "../../../../src/agent/events.ts";
import { success } from "../../../../src/agent/failure.ts";
import type { MemoryPort } from "../../../../src/agent/memory/port.ts";
import { bed, event, type Bed } from "./bed.ts";

const [FIRST, SECOND, THIRD] = ["1", "2", "3"].map((digit) => digit.repeat(32)) as [string, string, string];

/** A whole turn: asked, answered, ended. */
function turn(
  turnId: string,
  parent: string | null,
  question: string,
  more: { readonly answer?: string; readonly start?: Partial<EventOf<"turn.start">["data"]> } = {},
): readonly TurnEvent[] {
  const { answer = "It was 1999.", start } = more;
  const place = { turnId, parentId: turnId };
  return [
    event(
      "turn.start",
      {
        "gen_ai.conversation.id": "s",
        "conclave.parent_turn_id": parent,
        "conclave.door": "chat",
        ...start,
      },
      { id: turnId, turnId, parentId: null },
    ),
    event("query.received", { query: question }, place),
    event("answer.dialog", { query: question, answer }, place),
    event(
      "turn.end",
      { outcome: "answered", "conclave.duration_ms": 1, "conclave.steps": 1, "conclave.messages": [] },
      { id: turnId, turnId, parentId: null },
    ),
  ];
}

/** What was concluded: of which turn, what, and why. */
function concluded({ told }: Bed): readonly unknown[] {
  return told.flatMap((one) =>
    one.type === "user.feedback"
      ? [[one.turnId, one.data["conclave.implicit"], one.data.rating, one.data["conclave.evidence"]]]
      : [],
  );
}

/** A memory whose model finds any two texts so alike. */
function alike(cosine: number, asked: string[] = []): Pick<MemoryPort, "embed"> {
  return {
    embed: (texts) => {
      asked.push(...texts);
      const embeddings = [Float32Array.of(1, 0), Float32Array.of(cosine, Math.sqrt(1 - cosine * cosine))];
      return Promise.resolve(success({ model: "Xenova/all-MiniLM-L6-v2", embeddings }));
    },
  };
}

const SLOW = "Why is my query slow?";
const SLOW_AGAIN = "What makes this query take so long?";

describe("What is concluded from a question", () => {
  it("is that the answer before was wrong, where it begins by saying so", async () => {
    const here = bed({ implicit: {} });
    await here.hear(...turn(FIRST, null, "When was it?"), ...turn(SECOND, FIRST, "No, that's wrong."));
    assert.deepEqual(concluded(here), [[FIRST, "contradicted", "down", "that's wrong"]]);
    assert.deepEqual(
      here.rewardsTold().map(({ reward }) => reward),
      [-0.5],
    );
  });

  it("is that it did not help, where the same is asked in other words, also some turns later", async () => {
    const here = bed({ implicit: { memory: alike(0.87) } });
    await here.hear(...turn(FIRST, null, SLOW), ...turn(SECOND, FIRST, "Which day is it?"));
    await here.hear(...turn(THIRD, SECOND, SLOW_AGAIN));
    assert.deepEqual(concluded(here), [
      [FIRST, "asked_again", "down", "asked again in other words 2 turns later"],
    ]);
  });

  it("needs them to be alike, and no model where their words are the same", async () => {
    const here = bed({ implicit: { memory: alike(0.5) } });
    await here.hear(...turn(FIRST, null, SLOW), ...turn(SECOND, FIRST, SLOW_AGAIN));
    assert.deepEqual(concluded(here), []);
    const without = bed({ implicit: {} });
    await without.hear(...turn(FIRST, null, "How do I sort a list of names in Python?"));
    await without.hear(...turn(SECOND, FIRST, "In Python, names in a list: how are they sorted?"));
    assert.equal(concluded(without).length, 1);
  });

  it("is nothing where the answer was found good", async () => {
    const here = bed({ implicit: { memory: alike(0.95) } });
    const liked = event(
      "user.feedback",
      { rating: "up", "conclave.door": "chat" },
      { turnId: FIRST, parentId: FIRST },
    );
    await here.hear(...turn(FIRST, null, SLOW), liked, ...turn(SECOND, FIRST, SLOW_AGAIN));
    await here.hear(...turn(THIRD, FIRST, "No, that's wrong."));
    assert.deepEqual(concluded(here), []);
  });

  it("is nothing of the same question run again, of a branch, or in the background", async () => {
    const here = bed({ implicit: { memory: alike(1) } });
    await here.hear(...turn(FIRST, null, SLOW), ...turn(SECOND, FIRST, SLOW));
    const fork = { "conclave.fork": { turnId: FIRST, edits: [] } };
    await here.hear(...turn(THIRD, FIRST, SLOW_AGAIN, { start: fork }));
    const background = { "conclave.background": true as const };
    await here.hear(...turn("4".repeat(32), FIRST, SLOW_AGAIN, { start: background }));
    assert.deepEqual(concluded(here), []);
  });

  it("is nothing of a turn that was not answered, and nothing where it is turned off", async () => {
    const here = bed({ implicit: {} });
    const [start, query] = turn(FIRST, null, "When was it?");
    assert.ok(start && query);
    await here.hear(start, query, ...turn(SECOND, FIRST, "That's wrong."));
    assert.deepEqual(concluded(here), []);
    const off = bed({ implicit: { isOn: () => false } });
    await off.hear(...turn(FIRST, null, "When was it?"), ...turn(SECOND, FIRST, "That's wrong."));
    assert.deepEqual(concluded(off), []);
  });

  it("is concluded too of an answer of weeks ago that only the log holds", async () => {
    const log = [...turn(FIRST, null, "When was it?")];
    const here = bed({ implicit: {}, log });
    await here.hear(...turn(SECOND, FIRST, "That's not what I asked."));
    assert.equal(concluded(here).length, 1);
  });

  it("embeds nothing of a private session", async () => {
    const asked: string[] = [];
    const here = bed({ implicit: { memory: alike(0.95, asked), isPrivate: () => true } });
    await here.hear(...turn(FIRST, null, SLOW), ...turn(SECOND, FIRST, SLOW_AGAIN));
    assert.deepEqual([asked, concluded(here)], [[], []]);
  });

  it("holds no word of the later question, which may be forgotten", async () => {
    const here = bed({ implicit: {} });
    await here.hear(...turn(FIRST, null, "When was it?"));
    await here.hear(...turn(SECOND, FIRST, "That's wrong, my key is hunter2."));
    assert.equal(JSON.stringify(concluded(here)).includes("hunter2"), false);
  });
});
