import assert from "node:assert/strict";
import type { AgentDefinition } from "../../../../src/agent/agents/definition.ts";
import type { CommitteeSettings } from "../../../../src/agent/committee/settings.ts";
import type { EventOf } from "../../../../src/agent/events.ts";
import {
  castModel,
  committeeEngine,
  convene,
  persona,
  speakers,
  tailOf,
  type Script,
} from "../committee/bed.ts";
import { all, broken, only, type PlayedModel, type Reply, type WholeTurn } from "../support.ts";
import { branch } from "./bed.ts";

const TEAM = ["Ana", "Bo", "Cy"];
const DOWN: Reply = [broken("server_error", "Out of memory.")];
const SCRIPT: Script = {
  Ana: ["Position: Tuesday. It is early.", "Position: Tuesday. Still.\nPosition kept."],
  Bo: ["Position: Thursday. It is late.", "Position: Tuesday.\nPosition changed because: Ana is right."],
  Cy: ["Position: Friday. The end.", "Position: Friday. I say so.\nPosition kept."],
  "The Self": ["On Tuesday."],
};

describe("a branch of a committee", () => {
  const bed = (script: Script = SCRIPT, committee: Partial<CommitteeSettings> = { rounds: 2 }) => {
    const model = castModel(script);
    const personas: AgentDefinition[] = TEAM.map((name) => persona(name));
    const engine = committeeEngine({ personas, models: [model], committee });
    return { model, engine, personas };
  };
  const startOf = (turn: WholeTurn, agent: string, nth = 0): EventOf<"agent.start"> => {
    const found = all(turn.events, "agent.start").filter((event) => event.agent === agent)[nth];
    if (found === undefined) throw new Error(`${agent} did not speak`);
    return found;
  };
  const since = (model: PlayedModel, count: number): readonly string[] => speakers(model).slice(count);

  it("goes on from another answer: its round stays, the next one and the sum are asked anew", async () => {
    const { model, engine } = bed();
    const turn = await convene(engine);
    const before = model.requests.length;
    const at = startOf(turn, "Bo");
    const edited = "Position: Sunday. Nobody works then.";
    const again = await branch(engine, turn, {
      eventId: at.id,
      edits: [{ part: "answer", eventId: at.id, text: edited }],
    });
    assert.deepEqual(since(model, before), ["Ana", "Bo", "Cy", "The Self"]);
    assert.match(tailOf(model.requests[before]!), /Sunday/);
    assert.doesNotMatch(tailOf(model.requests[before]!), /Position: Thursday/);
    const [first] = all(again.events, "round.end");
    assert.match(first?.data.positions.find(({ agent }) => agent === "Bo")?.answer ?? "", /Sunday/);
    assert.equal(only(again.events, "answer.dialog").data.answer.startsWith("On Tuesday."), true);
  });

  it("shows everybody the others under the letters of then", async () => {
    const { model, engine } = bed();
    const turn = await convene(engine);
    const requests = model.requests.slice();
    const at = startOf(turn, "Cy", 1);
    await branch(engine, turn, { eventId: at.id });
    const was = requests.find((_request, index) => index > 2 && speakers(model)[index] === "Cy");
    assert.deepEqual(model.requests[requests.length]?.messages, was?.messages);
  });

  it("asks one member anew beside the others, who say what they said", async () => {
    const { model, engine } = bed();
    const turn = await convene(engine);
    const before = model.requests.length;
    const again = await branch(engine, turn, { eventId: startOf(turn, "Bo").id });
    assert.deepEqual(since(model, before), ["Bo", "Ana", "Bo", "Cy", "The Self"]);
    const replayed = all(again.events, "agent.start").filter(({ replays }) => replays !== undefined);
    assert.deepEqual(
      replayed.map(({ agent }) => agent),
      ["Ana", "Cy"],
    );
  });

  it("lets those hear the new answer who spoke after it, where each hears those before", async () => {
    const { model, engine } = bed(SCRIPT, { strategy: "sequential", rounds: 1 });
    const turn = await convene(engine);
    const before = model.requests.length;
    const at = startOf(turn, "Bo");
    await branch(engine, turn, {
      eventId: at.id,
      edits: [{ part: "answer", eventId: at.id, text: "Position: Sunday." }],
    });
    assert.deepEqual(since(model, before), ["Cy", "The Self"]);
    assert.match(tailOf(model.requests[before]!), /Sunday/);
  });

  it("sums up once more what was said, also of a member whose file is gone meanwhile", async () => {
    const { model, engine, personas } = bed({ ...SCRIPT, "The Self": [DOWN, DOWN, "On Tuesday."] });
    const turn = await convene(engine);
    personas.splice(1, 1);
    const before = model.requests.length;
    const committee = only(turn.events, "committee.start");
    const again = await branch(engine, turn, { eventId: committee.id });
    assert.deepEqual(since(model, before), ["The Self"]);
    assert.match(tailOf(model.requests.at(-1)!), /Ana is right/);
    assert.equal(all(again.events, "round.start").length, 2);
    assert.match(only(again.events, "answer.dialog").data.answer, /^On Tuesday\./);
    assert.ok(all(again.events, "round.start").every(({ replays }) => replays !== undefined));
  });

  it("counts only the tokens that were used anew", async () => {
    const { engine } = bed();
    const turn = await convene(engine);
    const again = await branch(engine, turn, { eventId: startOf(turn, "The Self").id });
    assert.equal(again.end.data["gen_ai.usage.input_tokens"], 10);
    assert.ok((turn.end.data["gen_ai.usage.input_tokens"] ?? 0) > 60);
  });

  it("draws one sample anew, and counts the others as they were", async () => {
    const model = castModel({ single: ["Answer: 4", "Answer: 5", "Answer: 5", "Answer: 4"] });
    const engine = committeeEngine({
      personas: [],
      models: [model],
      committee: { strategy: "self-consistency", samples: 3 },
    });
    const turn = await convene(engine);
    assert.match(only(turn.events, "answer.dialog").data.answer, /5/);
    const [, second] = all(turn.events, "agent.start");
    const again = await branch(engine, turn, { eventId: second!.id });
    assert.equal(model.requests.length, 4);
    assert.match(only(again.events, "answer.dialog").data.answer, /4/);
  });

  it("says so where the committee said nothing", async () => {
    const { engine } = bed({ Ana: [DOWN], Bo: [DOWN], Cy: [DOWN] });
    const turn = await convene(engine);
    const committee = only(turn.events, "committee.start");
    await assert.rejects(branch(engine, turn, { eventId: committee.id }), /nothing that this committee said/);
  });
});
