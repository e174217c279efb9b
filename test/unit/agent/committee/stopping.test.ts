import assert from "node:assert/strict";
import { success } from "../../../../src/agent/failure.ts";
import { agreementOf } from "../../../../src/agent/committee/agreement.ts";
import type { Sitting } from "../../../../src/agent/committee/deliberation.ts";
import type { Speech } from "../../../../src/agent/committee/speeches.ts";
import { DEFAULT_COMMITTEE } from "../../../../src/agent/committee/settings.ts";
import { systemTimer } from "../../../../src/agent/timer.ts";
import { all, broken, only, playModel } from "../support.ts";
import { castModel, committeeEngine, convene, persona, speakers, warned } from "./bed.ts";

const PAIR = ["Ana", "Bo"].map((name) => persona(name));

describe("when a committee stops", () => {
  it("stops agents that only turn to each other, and says after how many rounds and at what cost", async () => {
    const model = castModel({
      Ana: ["The hall, at noon. @Bo, do you agree?", "Yes, the hall at noon. @Bo, do you agree?"],
      Bo: ["The garden at one. @Ana, thank you, and you?", "@Ana, thank you, and you?"],
    });
    const { events } = await convene(committeeEngine({ personas: PAIR, models: [model] }), { rounds: 5 });
    assert.ok(speakers(model).length <= 5 * 2 + 1);
    assert.deepEqual(warned(events, "stopped_early"), ["stopped after 2 rounds: no new content"]);
    const { data } = only(events, "committee.end");
    assert.deepEqual([data["conclave.stopped"], data.rounds], ["nothing_new", 2]);
    assert.ok((data["gen_ai.usage.input_tokens"] ?? 0) > 0);
  });

  it("has at most rounds times members speeches, however much there is to say", async () => {
    let count = 0;
    const model = playModel([
      async function* () {
        count += 1;
        yield { type: "content", text: await Promise.resolve(`Number ${count} and no other.`) };
        yield { type: "end", finishReason: "stop", usage: {}, model: "tiny" };
      },
    ]);
    const engine = committeeEngine({ personas: PAIR, models: [model] });
    const { events } = await convene(engine, { rounds: 99 });
    assert.equal(
      all(events, "agent.start").filter(({ data }) => data["conclave.role"] === "persona").length,
      10,
    );
    assert.equal(only(events, "committee.end").data["conclave.stopped"], "rounds");
  });

  it("stops when a cheap call says that all agree", async () => {
    const model = castModel({
      Ana: ["Position: take the early ferry"],
      Bo: ["Position: the ferry in the morning"],
      Agreement: ['{"agree":true,"positions":["the early ferry"]}'],
    });
    const engine = committeeEngine({ personas: PAIR, models: [model] });
    const { events } = await convene(engine, { rounds: 3, agreement: "model" });
    assert.deepEqual(speakers(model), ["Ana", "Bo", "Agreement", "The Self"]);
    const { data } = only(events, "round.end");
    assert.deepEqual([data["conclave.agreed"], data["conclave.agreement"]], [true, "the early ferry"]);
    assert.equal(only(events, "committee.end").data["conclave.stopped"], "agreed");
    const judged = model.requests[2];
    assert.deepEqual([judged?.think, judged?.format?.["required"]], [false, ["agree", "positions"]]);
  });

  it("asks no judge when all give the same short answer, or when no round is left", async () => {
    const same = castModel({ Ana: ["Tuesday."], Bo: ["On Tuesday"] });
    await convene(committeeEngine({ personas: PAIR, models: [same] }), { rounds: 3, agreement: "model" });
    assert.deepEqual(speakers(same), ["Ana", "Bo", "The Self"]);
    const last = castModel({ Ana: ["Tuesday."], Bo: ["Friday"] });
    await convene(committeeEngine({ personas: PAIR, models: [last] }), { rounds: 1, agreement: "model" });
    assert.deepEqual(speakers(last), ["Ana", "Bo", "The Self"]);
  });

  it("goes on when the judge fails: no agreement is claimed", async () => {
    const model = castModel({
      Ana: ["Tuesday, for the hall", "Friday"],
      Bo: ["Thursday, for the crowd", "Sunday"],
      Agreement: [[broken("server_error")]],
    });
    const engine = committeeEngine({ personas: PAIR, models: [model] });
    const { events } = await convene(engine, { rounds: 2, agreement: "model" });
    assert.equal(all(events, "round.end").length, 2);
    assert.equal(all(events, "round.end")[0]?.data["conclave.agreed"], undefined);
  });

  it("asks a helper model of its own about the answers alone, apart from the conversation", async () => {
    const model = castModel({ Ana: ["Tuesday", "Friday"], Bo: ["Thursday", "Sunday"] });
    const helper = castModel({ Agreement: ['{"agree":false,"positions":[]}'] }, "small");
    const engine = committeeEngine({
      personas: PAIR,
      models: [model, helper],
      settings: { helperModel: "small" },
    });
    await convene(engine, { rounds: 2, agreement: "model" });
    assert.deepEqual(speakers(helper), ["Agreement"]);
    assert.ok(!speakers(model).includes("Agreement"));
  });

  it("stops at the turn's token budget, and still sums up", async () => {
    const model = castModel({ Ana: ["one", "two", "three"], Bo: ["four", "five", "six"] });
    const engine = committeeEngine({ personas: PAIR, models: [model], settings: { tokenBudget: 40 } });
    const { events, end } = await convene(engine, { rounds: 5 });
    assert.ok(warned(events, "token_budget").some((message) => message.startsWith("The committee has used")));
    assert.equal(speakers(model).at(-1), "The Self");
    assert.equal(end.data.outcome, "answered");
    assert.ok(all(events, "round.end").length < 5);
  });

  describe("by embeddings", () => {
    const speech = (view: string): Speech => {
      const member = { name: view, definition: persona(view), model: "tiny" };
      return { member, agentId: "a", answer: view, view };
    };
    const judge = (views: readonly string[], vectors?: readonly (readonly number[])[]) => {
      const embed = vectors && (() => Promise.resolve(success(vectors)));
      const deps = { signal: new AbortController().signal, timer: systemTimer, ...(embed && { embed }) };
      // Of a sitting, the similarity of embeddings needs no more than this.
      const sitting = {
        deps,
        settings: { ...DEFAULT_COMMITTEE, agreement: "embedding" },
      } as unknown as Sitting;
      return agreementOf(views.map(speech), [], sitting);
    };

    it("agrees when the least alike are alike enough, and tells how alike", async () => {
      const alike = [
        [1, 0],
        [0.9, 0.1],
      ];
      assert.deepEqual(await judge(["go early", "leave at dawn"], alike), {
        agreed: true,
        why: "lowest similarity 0.99",
      });
      const apart = [...alike, [0, 1]];
      assert.equal((await judge(["go early", "leave at dawn", "stay"], apart))?.agreed, false);
    });

    it("does not take the opposite for the same, however near its words are", async () => {
      const near = [
        [1, 0],
        [1, 0.01],
      ];
      assert.equal((await judge(["Use the ferry", "Do not use the ferry"], near))?.agreed, false);
      assert.equal(
        (await judge(["Leave at 9 with the ferry", "Leave at 11 with the ferry"], near))?.agreed,
        false,
      );
    });

    it("claims nothing without an embedder", async () => {
      assert.equal(await judge(["go early", "leave at dawn"]), undefined);
    });
  });
});
