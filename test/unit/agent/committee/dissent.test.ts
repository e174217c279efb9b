import assert from "node:assert/strict";
import { keepDissent } from "../../../../src/agent/committee/dissent.ts";
import type { Speech } from "../../../../src/agent/committee/speeches.ts";
import { readSpeech } from "../../../../src/agent/committee/speech.ts";
import { verdictOf } from "../../../../src/agent/committee/verdict.ts";
import { all, broken, makeTool, only, toolSet } from "../support.ts";
import { castModel, committeeEngine, convene, persona } from "./bed.ts";

const TEAM = ["Ana", "Bo", "Cy"].map((name) => persona(name));

/** What is shown of a synthesis, by what the members said. */
function shown(synthesis: string, ...said: readonly string[]): string {
  const positions = said.map((text, index): Speech => {
    const { answer, view } = readSpeech(text);
    const name = `Member ${index + 1}`;
    return { member: { name, definition: persona(name), model: "tiny" }, agentId: name, answer, view };
  });
  const counted = positions.map(({ member, answer, view }) => ({ agent: member.name, answer, view }));
  return keepDissent(synthesis, positions, verdictOf(counted));
}

const FERRY = "Position: Take the early ferry.\nThe late one is full.";
const TRAIN = "Position: Go by train over the bridge.\nThe ferry won't sail in this wind.";

describe("a view that the synthesis lost", () => {
  it("stands behind it in a section of its own, with its reason and whose it is", () => {
    const text = shown("Take the early ferry: the late one is full.", FERRY, FERRY, TRAIN);
    assert.match(text, /^Take the early ferry: the late one is full\.\n\n#### Another view\n\n/u);
    assert.match(
      text,
      /\*\*Member 3\*\*\n\n> Position: Go by train[^]*> The ferry won't sail in this wind\./u,
    );
    assert.doesNotMatch(text, /Member [12]/u);
  });

  it("is the opposite in the same words, or another number", () => {
    const no = "Position: Do not take the early ferry.";
    assert.match(shown("Take the early ferry.", FERRY, FERRY, no), /> Position: Do not take/u);
    const [nine, ten] = ["Position: Leave at 9 from the pier.", "Position: Leave at 10 from the pier."];
    assert.match(shown("Leave at 9 from the pier.", nine, nine, ten), /> Position: Leave at 10/u);
  });

  it("is that of the majority where the synthesis sides with the others", () => {
    const text = shown("Go by train over the bridge.", FERRY, FERRY, TRAIN);
    assert.match(text, /\*\*Member 1\*\*[^]*early ferry/u);
    assert.doesNotMatch(text, /Member [23]/u);
  });

  it("stands there too where no two members held the same", () => {
    const walk = "Position: Walk along the shore.";
    const text = shown("Take the early ferry, or walk along the shore.", FERRY, walk, TRAIN);
    assert.match(text, /\*\*Member 3\*\*/u);
    assert.doesNotMatch(text, /Member [12]/u);
  });

  it("is cut where it is long, at no sign's middle, and only so many are quoted", () => {
    const long = `Position: Go by train over the bridge.\n${"🚀".repeat(2_000)}`;
    const views = [long, "Position: Swim.", "Position: Fly home.", "Position: Rent two bicycles today."];
    const text = shown("Take the early ferry.", FERRY, ...views);
    assert.ok(text.length < 1_200 && text.isWellFormed());
    assert.equal([...text.matchAll(/^\*\*Member/gmu)].length, 3);
  });
});

describe("a synthesis that lost nothing", () => {
  const nothing: readonly (readonly [string, string, readonly string[]])[] = [
    [
      "with a section of its own",
      "Take the early ferry.\n\n## Another view\n\nSome would rather cross the bridge.",
      [FERRY, FERRY, TRAIN],
    ],
    [
      "in another language",
      "Nimm die frühe Fähre.\n\n**Eine andere Sicht**\n\nManche würden lieber die Brücke nehmen.",
      [FERRY, FERRY, TRAIN],
    ],
    [
      "with it on one line",
      "Take the early ferry.\n\n**Another view** — some would rather cross the bridge.",
      [FERRY, FERRY, TRAIN],
    ],
    [
      "that names the view by the way",
      "Take the early ferry. If it is windy, go by train over the bridge.",
      [FERRY, FERRY, TRAIN],
    ],
    ["where all hold the same", "Take the early ferry.", [FERRY, FERRY]],
    ["of a single answer", "Something else.", [FERRY]],
  ];
  for (const [what, synthesis, said] of nothing)
    it(`is left as it is: ${what}`, () => assert.equal(shown(synthesis, ...said), synthesis));

  it("does not count a section that says nothing", () => {
    const empty = "Take the early ferry.\n\n## Another view\n\nNone.";
    assert.match(shown(empty, FERRY, FERRY, TRAIN), /> Position: Go by train/u);
  });
});

describe("a committee with a dissenter", () => {
  const script = {
    Ana: ["Position: Tuesday"],
    Bo: ["Position: Tuesday"],
    Cy: ["Position: Thursday, it is quieter"],
  };

  it("answers with the view that the synthesizer left out, and goes on with it in later turns", async () => {
    const model = castModel({ ...script, "The Self": ["On Tuesday."] });
    const { events } = await convene(committeeEngine({ personas: TEAM, models: [model] }));
    const { answer } = only(events, "answer.dialog").data;
    assert.match(answer, /^On Tuesday\.\n\n#### Another view[^]*\*\*Cy\*\*[^]*Thursday, it is quieter$/u);
    const kept = only(events, "turn.end").data["conclave.messages"];
    assert.equal(kept.at(-1)?.content, answer);
    assert.equal(all(events, "response.generation").at(-1)?.data.answer, "On Tuesday.");
  });

  it("adds nothing where the members were found to agree", async () => {
    const model = castModel({
      Ana: ["Position: Tuesday"],
      Bo: ["Position: the second day of the week"],
      Agreement: ['{"agree":true,"positions":["Tuesday"]}'],
      "The Self": ["On Tuesday."],
    });
    const engine = committeeEngine({ personas: TEAM.slice(0, 2), models: [model] });
    const { events } = await convene(engine, { rounds: 2, agreement: "model" });
    const { data } = only(events, "committee.end");
    assert.equal(data["conclave.stopped"], "agreed");
    assert.deepEqual(data["conclave.verdict"].majority?.agents, ["Ana", "Bo"]);
    assert.deepEqual(data["conclave.verdict"].minority, []);
    assert.equal(only(events, "answer.dialog").data.answer, "On Tuesday.");
  });

  it("still counts a member as of another view that failed before the others agreed", async () => {
    const model = castModel({
      Ana: ["Position: Tuesday", "Position: Tuesday"],
      Bo: ["Position: Friday", "Position: the second day of the week"],
      Cy: ["Position: Thursday, it is quieter", [broken("server_error", "Gone.")]],
      Agreement: ['{"agree":false,"positions":[]}', '{"agree":true,"positions":[]}'],
      "The Self": ["On Tuesday."],
    });
    const { events } = await convene(committeeEngine({ personas: TEAM, models: [model] }), {
      ...{ rounds: 3, agreement: "model" },
    });
    const { minority, majority } = only(events, "committee.end").data["conclave.verdict"];
    assert.deepEqual([majority?.agents, minority.map(({ agent }) => agent)], [["Ana", "Bo"], ["Cy"]]);
    assert.match(only(events, "answer.dialog").data.answer, /#### Another view[^]*\*\*Cy\*\*/u);
  });

  it("leaves the object of a structured synthesizer as it is; the turn gives it, with what its tool gave", async () => {
    const chair = persona("Chair", {
      kind: "synthesizer",
      properties: { query: { type: "string" } },
      ...{ required: ["query"], structuredOutput: true, chainedTool: "look_up" },
    });
    const model = castModel({ ...script, Chair: ['{"query":"Tuesday"}'] });
    const tools = toolSet(makeTool({ name: "look_up" }));
    const engine = committeeEngine({ personas: [...TEAM, chair], models: [model], tools });
    const asked = await engine.ask({
      question: "When?",
      door: "test",
      options: { committee: { synthesizer: "Chair" } },
    });
    assert.ok(asked.ok);
    const { answer, output, chained } = await asked.value.done;
    assert.deepEqual(output?.value, { query: "Tuesday" });
    assert.deepEqual(JSON.parse(answer.replace(/^```json\n|\n```$/gu, "")), { query: "Tuesday" });
    assert.equal(chained?.tool, "look_up");
  });
});
