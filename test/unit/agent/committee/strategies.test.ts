import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import type { Strategy } from "../../../../src/agent/committee/settings.ts";
import { all, makeTool, only, toolSet } from "../support.ts";
import { castModel, committeeEngine, convene, persona, speakers, type Script } from "./bed.ts";
import { rendered } from "./rendered.ts";

const FOLDER = new URL("./golden/", import.meta.url);

const SCRIPT: Script = {
  Ana: ["Position: Tuesday\nThe hall is free.", "Position: Tuesday\nThe hall is still free.\nPosition kept."],
  Bo: [
    "Position: Thursday\nMore people come.",
    "Position: Tuesday\nFine.\nPosition changed because: the hall is free.",
  ],
  Cy: ["Position: Thursday\nTrains run late.", "Position: Friday\nTrains run later.\nPosition kept."],
  Agreement: ['{"agree":false,"positions":["Tuesday","Thursday"]}'],
  "Ana ranks": ['{"ranking":["A","B","C"]}'],
  "Bo ranks": ['{"ranking":["A","C","B"]}'],
  "Cy ranks": ['{"ranking":["B","A","C"]}'],
  "The Self": ["On Tuesday, or on Thursday."],
  single: ["It depends.\nAnswer: Tuesday", "Answer: Thursday", "So:\n**Answer:** on Tuesday."],
};

const TEAM = ["Ana", "Bo", "Cy"].map((name) => persona(name));

const committees: readonly (readonly [Strategy, number])[] = [
  ["blind", 2],
  ["sequential", 2],
  ["ring", 2],
  ["council", 1],
  ["self-consistency", 1],
];

describe("what a committee asks", () => {
  for (const [strategy, rounds] of committees) {
    it(`is the same, word by word: ${strategy}`, async () => {
      const model = castModel(SCRIPT);
      const engine = committeeEngine({ personas: TEAM, models: [model] });
      await convene(engine, { strategy, rounds, agreement: "model", samples: 3 });
      const text = rendered(model.requests);
      const file = new URL(`${strategy}.txt`, FOLDER);
      if (process.env["UPDATE_GOLDEN"] === "1") await writeFile(file, text);
      assert.equal(text, await readFile(file, "utf8"));
    });
  }
});

describe("samples of one agent", () => {
  it("have that agent's own tools, and no others", async () => {
    const look = makeTool({ name: "look_up" });
    const tools = toolSet(look, makeTool({ name: "save", readOnly: false }));
    const personas = [persona("Ana", { kind: "agent", tools: [{ name: "look_up", description: "Tides." }] })];
    const model = castModel({ single: ["Answer: Tuesday"] });
    const engine = committeeEngine({ personas, models: [model], tools, settings: { agent: "Ana" } });
    await convene(engine, { strategy: "self-consistency", samples: 2 });
    for (const request of model.requests)
      assert.deepEqual(
        request.tools?.map(({ name, description }) => [name, description]),
        [["look_up", "Tides."]],
      );
    assert.equal(model.requests.length, 2);
  });
});

describe("a committee's turn", () => {
  it("ends with the synthesis, and the conversation goes on with question and synthesis alone", async () => {
    const model = castModel(SCRIPT);
    const { events, end } = await convene(committeeEngine({ personas: TEAM, models: [model] }));
    assert.equal(only(events, "answer.dialog").data.answer, "On Tuesday, or on Thursday.");
    assert.deepEqual(end.data["conclave.messages"], [
      { role: "user", content: "Tuesday or Thursday?" },
      { role: "assistant", content: "On Tuesday, or on Thursday." },
    ]);
  });

  it("stands as a tree: committee, rounds, members, and the synthesizer under the committee", async () => {
    const model = castModel(SCRIPT);
    const engine = committeeEngine({ personas: TEAM, models: [model] });
    const { events, end } = await convene(engine, { rounds: 2, agreement: "model" });
    const start = only(events, "committee.start");
    assert.equal(start.parentId, end.id);
    const rounds = all(events, "round.start");
    assert.deepEqual(new Set(rounds.map(({ parentId }) => parentId)), new Set([start.id]));
    const under = new Map([
      [start.id, "committee"],
      ...rounds.map((one) => [one.id, `round ${one.data.index}`] as const),
    ]);
    const agents = all(events, "agent.start").map(
      ({ parentId, data }) =>
        `${data["conclave.role"]} ${data["gen_ai.agent.name"]} in ${under.get(parentId ?? "")}`,
    );
    assert.deepEqual(agents, [
      "persona Ana in round 1",
      "persona Bo in round 1",
      "persona Cy in round 1",
      "judge Agreement in committee",
      "persona Ana in round 2",
      "persona Bo in round 2",
      "persona Cy in round 2",
      "synthesizer The Self in committee",
    ]);
    assert.equal(only(events, "committee.end").id, start.id);
  });

  it("tells who changed its position and why, in its own words", async () => {
    const model = castModel(SCRIPT);
    const { events } = await convene(committeeEngine({ personas: TEAM, models: [model] }), { rounds: 2 });
    const last = all(events, "round.end")
      .at(-1)
      ?.data.positions.map(({ agent, answer, changed, reason }) => [...[agent, answer, changed, reason]]);
    assert.deepEqual(last, [
      ["Ana", "Position: Tuesday\nThe hall is still free.", false, undefined],
      ["Bo", "Position: Tuesday\nFine.", true, "the hall is free."],
      ["Cy", "Position: Friday\nTrains run later.", false, undefined],
    ]);
  });

  it("shows best answer, majority and minority beside the synthesis, with the names restored", async () => {
    const model = castModel(SCRIPT);
    const { events } = await convene(committeeEngine({ personas: TEAM, models: [model] }), { rounds: 2 });
    const { data } = only(events, "committee.end");
    const verdict = data["conclave.verdict"];
    assert.deepEqual(verdict.majority, { answer: "Tuesday", agents: ["Ana", "Bo"] });
    assert.deepEqual(verdict.minority, [{ agent: "Cy", answer: "Friday" }]);
    assert.ok(verdict.best !== undefined && ["Ana", "Bo"].includes(verdict.best.agent));
    assert.deepEqual(
      new Set(data["conclave.shown_as"].map(({ agent }) => agent)),
      new Set(["Ana", "Bo", "Cy"]),
    );
  });

  it("counts the tokens of all its calls, in its last event and in the turn's", async () => {
    const model = castModel(SCRIPT);
    const { events, end } = await convene(committeeEngine({ personas: TEAM, models: [model] }), {
      rounds: 2,
    });
    const calls = model.requests.length;
    for (const { data } of [only(events, "committee.end"), end]) {
      assert.equal(data["gen_ai.usage.input_tokens"], 10 * calls);
      assert.equal(data["gen_ai.usage.output_tokens"], 5 * calls);
    }
  });

  it("is the same turn when it is asked again: speakers, prompts and letters", async () => {
    const turns = [castModel(SCRIPT), castModel(SCRIPT)];
    for (const model of turns)
      await convene(committeeEngine({ personas: TEAM, models: [model] }), { rounds: 2 });
    assert.deepEqual(turns[0]?.requests, turns[1]?.requests);
  });

  it("ranks without names, and what most put first is the best answer", async () => {
    const model = castModel(SCRIPT);
    const engine = committeeEngine({ personas: TEAM, models: [model] });
    const { events } = await convene(engine, { strategy: "council" });
    const shown = new Map(
      only(events, "committee.end").data["conclave.shown_as"].map((one) => [one.letter, one.agent]),
    );
    const { ballots, result } = only(events, "committee.ranking").data;
    assert.deepEqual(ballots[0], { voter: "Ana", order: ["A", "B", "C"].map((letter) => shown.get(letter)) });
    assert.deepEqual(result[0], { agent: shown.get("A"), mean: 4 / 3, votes: 3 });
    assert.equal(only(events, "committee.end").data["conclave.verdict"].best?.agent, shown.get("A"));
    for (const request of model.requests.filter(({ format }) => format !== undefined)) {
      assert.doesNotMatch(
        request.messages.at(-1)?.content.split("Your part in this")[0] ?? "",
        /\b(?:Ana|Bo|Cy)\b/u,
      );
    }
  });

  it("answers with what most samples hold, drawn with different seeds", async () => {
    const model = castModel(SCRIPT);
    const engine = committeeEngine({ personas: TEAM, models: [model] });
    const own = { strategy: "self-consistency", samples: 3 } as const;
    const { events } = await convene(engine, own, { seed: 7, temperature: 0 });
    assert.deepEqual(
      model.requests.map(({ seed, temperature }) => [seed, temperature]),
      [7, 8, 9].map((seed) => [seed, 0.8]),
    );
    assert.match(only(events, "answer.dialog").data.answer, /Answer:\W+(?:on )?Tuesday/u);
    assert.equal(only(events, "committee.end").data["conclave.verdict"].majority?.agents.length, 2);
    assert.deepEqual(
      all(events, "agent.start").map(({ data }) => data["conclave.sample"]),
      [1, 2, 3],
    );
  });

  it("is one agent's turn when the strategy is single", async () => {
    const model = castModel(SCRIPT);
    const { events } = await convene(committeeEngine({ personas: TEAM, models: [model] }), {
      strategy: "single",
    });
    assert.deepEqual(speakers(model), ["single"]);
    assert.equal(all(events, "committee.start").length, 0);
  });
});
