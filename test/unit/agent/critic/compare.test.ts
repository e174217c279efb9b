import assert from "node:assert/strict";
import { createJudge } from "../../../../src/agent/critic/judge.ts";
import type { PairOutcome, PairRequest } from "../../../../src/agent/critic/types.ts";
import type { ChatModel } from "../../../../src/agent/models/types.ts";
import { answers, broken, end, playModel, say, type Reply } from "../support.ts";
import { judgeDeps, NEVER, preferred, promptOf, toCompare } from "./judge-bed.ts";

const A = "Take the ferry from Oban.";
const B = "Drive north for three hours.";

async function compare(model: ChatModel, request: PairRequest = toCompare(A, B)): Promise<PairOutcome> {
  const outcome = await createJudge().compare(request, judgeDeps(model), NEVER);
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.value;
}

/** A judge that prefers the answer with a word in it. */
function prefers(word: string): Reply {
  return async function* (request) {
    const text = request.messages.at(-1)?.content ?? "";
    const [, second = ""] = text.split(/answer B [0-9a-f]+>>>/u);
    yield await Promise.resolve(say(preferred(second.includes(word) ? "B" : "A", `It names ${word}.`)));
    yield end();
  };
}

describe("two answers compared", () => {
  it("win by what they say, in whichever order they are shown", async () => {
    for (const [a, b, winner] of [
      [A, B, "A"],
      [B, A, "B"],
    ] as const) {
      const model = playModel([prefers("Oban")]);
      const outcome = await compare(model, toCompare(a, b));
      assert.deepEqual(
        [outcome.winner, outcome.orderBound, outcome.feedback],
        [winner, false, "It names Oban."],
      );
      assert.deepEqual(
        outcome.orders.map(({ first, winner: found }) => [first, found]),
        [
          ["A", winner],
          ["B", winner],
        ],
      );
      assert.equal(outcome.attempts, 2);
    }
  });

  for (const place of ["A", "B"]) {
    it(`are a tie when the judge always takes place ${place}, which is said`, async () => {
      const outcome = await compare(playModel([answers(preferred(place))]));
      assert.deepEqual([outcome.winner, outcome.orderBound], [null, true]);
      assert.notEqual(outcome.orders[0]?.winner, outcome.orders[1]?.winner);
    });
  }

  it("are a tie when the judge finds both good", async () => {
    const outcome = await compare(playModel([answers("A and B are both good")]));
    assert.deepEqual([outcome.winner, outcome.orderBound, outcome.attempts], [null, false, 2]);
  });

  it("are a tie when only one order gives a winner", async () => {
    const outcome = await compare(playModel([answers(preferred("A")), answers(preferred("tie"))]));
    assert.deepEqual([outcome.winner, outcome.orderBound], [null, false]);
  });

  it("are a tie when one order can't be read; the judge's words are kept", async () => {
    const model = playModel([answers(preferred("A")), answers("Hard to tell."), answers("Hard to tell.")]);
    const outcome = await compare(model);
    assert.deepEqual([outcome.winner, outcome.orderBound, outcome.raw], [null, false, "Hard to tell."]);
  });

  it("are a tie without a request when they differ in nothing but spaces", async () => {
    const model = playModel([answers(preferred("A"))]);
    const outcome = await compare(model, toCompare("Take  the ferry.\n", " Take the\tferry."));
    assert.deepEqual(
      [outcome.winner, outcome.orders, outcome.attempts, model.requests.length],
      [null, [], 0, 0],
    );
    assert.equal(outcome.feedback, "The two answers are the same.");
  });

  it("have no winner when the judge goes away between the orders", async () => {
    const model = playModel([answers(preferred("A")), [broken("server_unreachable")]]);
    const outcome = await createJudge().compare(toCompare(A, B), judgeDeps(model), NEVER);
    assert.equal(!outcome.ok && outcome.failure.code, "server_unreachable");
  });

  it("are shown to a Prometheus in its form for two, with words of its own before", async () => {
    const model = playModel(
      [answers("B is more direct. [RESULT] B"), answers("A is more direct. [RESULT] A")],
      {
        name: "prometheus-7b",
      },
    );
    const outcome = await compare(model);
    assert.deepEqual([outcome.judge, outcome.winner], ["prometheus", "B"]);
    const [request] = model.requests;
    assert.ok(request);
    assert.deepEqual(
      request.messages.map(({ role }) => role),
      ["system", "user"],
    );
    assert.deepEqual(promptOf(request).match(/^###.*$/gmu), [
      "###Task Description:",
      "###Instruction:",
      "###Response A:",
      "###Response B:",
      "###Score Rubric:",
      "###Feedback: ",
    ]);
    assert.ok(!promptOf(request).includes("Score 1"));
  });
});
