import assert from "node:assert/strict";
import {
  all,
  answers,
  broken,
  fakeTimer,
  hangs,
  only,
  seededIdentity,
  warnings,
  type PlayedModel,
  type Reply,
} from "../support.ts";
import { hold } from "../../../../src/agent/committee/hold.ts";
import { failed, success } from "../../../../src/agent/failure.ts";
import type { Episode } from "../../../../src/agent/memory/port.ts";
import { emptyMemory } from "../memory.ts";
import type { TurnDeps, TurnInput } from "../../../../src/agent/turn-types.ts";
import { castModel, committeeEngine, convene, persona, speakers, warned, type Script } from "./bed.ts";

const TEAM = ["Ana", "Bo", "Cy", "Dee"].map((name) => persona(name));
const DOWN: Reply = [broken("server_error", "The server answered HTTP 500: out of memory.")];

/** One member meets a broken server, one takes too long, two answer. */
const HALF: Script = {
  Ana: ["Tuesday"],
  Bo: [DOWN],
  Cy: [hangs()],
  Dee: ["Thursday"],
  "The Self": ["On Tuesday."],
};

describe("a committee in which something fails", () => {
  it("goes on without those that fail or take too long, and names each with its cause", async () => {
    const { clock, timer } = fakeTimer();
    const model = castModel({ ...HALF, Cy: [late(() => clock.tick(30_000))] });
    const engine = committeeEngine({ personas: TEAM, models: [model], timer });
    const { events, end } = await convene(engine, { seconds: 30, rounds: 2 });
    assert.equal(end.data.outcome, "answered");
    const [failedBo, lateCy] = warned(events, "agent_failed");
    assert.match(failedBo ?? "", /^Bo .*out of memory/u);
    assert.match(lateCy ?? "", /^Cy .*30 s/u);
    const [first, second] = all(events, "round.end").map(({ data }) => data.positions);
    assert.deepEqual(
      first?.map(({ agent, answer, error }) => [agent, answer, error?.code]),
      [
        ["Ana", "Tuesday", undefined],
        ["Bo", "", "server_error"],
        ["Cy", "", "timeout"],
        ["Dee", "Thursday", undefined],
      ],
    );
    assert.deepEqual(
      second?.map(({ agent }) => agent),
      ["Ana", "Dee"],
    );
  });

  it("asks a server again what a model can do that could not say it for the member before", async () => {
    const played = castModel({ Ana: ["Tuesday"], Bo: ["Thursday"] }, "tiny", 4_096);
    const chats = () => played.requests.length;
    const model: PlayedModel = {
      ...played,
      describe: (signal) =>
        chats() === 0 ? Promise.resolve(failed("server_error", "busy")) : played.describe(signal),
    };
    const engine = committeeEngine({ personas: TEAM.slice(0, 2), models: [model] });
    const { events } = await convene(engine, { rounds: 1 });
    const lengths = all(events, "model.start").map(({ data }) => data["conclave.context_length"]);
    assert.deepEqual(lengths.slice(1), [4_096, 4_096], "of the second member and of who sums up");
    assert.notEqual(lengths[0], 4_096);
  });

  it("keeps the last position of a member that fails later", async () => {
    const model = castModel({ Ana: ["Tuesday", "Wednesday"], Bo: ["Thursday", DOWN], "The Self": ["Done."] });
    const engine = committeeEngine({ personas: TEAM.slice(0, 2), models: [model] });
    await convene(engine, { rounds: 3 });
    const asked = model.requests.at(-1)?.messages.at(-1)?.content ?? "";
    const positions = asked.slice(asked.indexOf("Where each member stands"));
    assert.match(positions, /Wednesday[^]*Thursday|Thursday[^]*Wednesday/u);
    assert.deepEqual(speakers(model), ["Ana", "Bo", "Ana", "Bo", "The Self"]);
  });

  it("does not lose its work when the synthesis fails twice: the best answer stands in, with the real cause", async () => {
    const model = castModel({ ...HALF, Cy: [DOWN], "The Self": [DOWN] });
    const { events, end } = await convene(committeeEngine({ personas: TEAM, models: [model] }));
    assert.equal(speakers(model).filter((name) => name === "The Self").length, 2);
    assert.equal(end.data.outcome, "answered");
    assert.match(warned(events, "no_synthesis")[0] ?? "", /^no synthesis: .*out of memory/u);
    const { answer } = only(events, "answer.dialog").data;
    assert.match(answer, /no synthesis: .*out of memory/u);
    assert.match(answer, /Tuesday/u);
    assert.match(answer, /Thursday/u);
    assert.equal(only(events, "committee.end").data.outcome, "answered");
  });

  it("goes on with what stands in for a synthesis, and remembers it, without what went wrong", async () => {
    const model = castModel({ ...HALF, Cy: [DOWN], "The Self": [DOWN] });
    const added: Episode[] = [];
    const memory = emptyMemory({
      add: (episodes) => {
        added.push(...episodes);
        return Promise.resolve(success({ added: episodes.length }));
      },
    });
    const engine = committeeEngine({ personas: TEAM, models: [model], memory });
    const { events } = await convene(engine);
    await engine.dispose();
    const kept = only(events, "turn.end").data["conclave.messages"].at(-1)?.content ?? "";
    for (const text of [kept, added[0]?.answer ?? ""]) {
      assert.match(text, /^The best single answer stands in, by [^]*Tuesday[^]*Thursday/u);
      assert.doesNotMatch(text, /no synthesis|out of memory/u);
    }
  });

  it("sums up at the second try", async () => {
    const model = castModel({ Ana: ["Tuesday"], Bo: ["Thursday"], "The Self": [DOWN, "On Tuesday."] });
    const { events } = await convene(committeeEngine({ personas: TEAM.slice(0, 2), models: [model] }));
    assert.match(only(events, "answer.dialog").data.answer, /^On Tuesday\./u);
    assert.deepEqual(warned(events, "no_synthesis"), []);
  });

  it("lets another model sum up when the synthesizer's own is not there", async () => {
    const model = castModel({ Ana: ["Tuesday"], Bo: ["Thursday"], "The Self": ["On Tuesday."] });
    const engine = committeeEngine({ personas: TEAM.slice(0, 2), models: [model] });
    const { events } = await convene(engine, { models: { "the self": "gone:7b" } });
    assert.match(only(events, "answer.dialog").data.answer, /^On Tuesday\./u);
  });

  it("counts a ranking only by the ballots there are, and no ballot that leaves an answer out", async () => {
    const model = castModel({
      ...HALF,
      Cy: ["Friday"],
      "Ana ranks": [ballot((letters) => letters)],
      "Cy ranks": [ballot(([first = "", second = ""]) => [first, first, second])],
      "Dee ranks": [ballot((letters) => letters.toReversed())],
    });
    const { events } = await convene(committeeEngine({ personas: TEAM, models: [model] }), {
      strategy: "council",
    });
    const { ballots, result } = only(events, "committee.ranking").data;
    assert.deepEqual(
      ballots.map(({ voter }) => voter),
      ["Ana", "Dee"],
    );
    assert.deepEqual(
      result.map(({ votes }) => votes),
      [2, 2, 2],
    );
    assert.match(
      only(events, "committee.end").data["conclave.verdict"].best?.by ?? "",
      /in 2 rankings of 3 answers/u,
    );
  });

  it("makes no ranking out of a single ballot", async () => {
    const model = castModel({
      ...HALF,
      Cy: [DOWN],
      "Ana ranks": [ballot((letters) => letters)],
      "Dee ranks": ["no"],
    });
    const { events } = await convene(committeeEngine({ personas: TEAM, models: [model] }), {
      strategy: "council",
    });
    assert.deepEqual(only(events, "committee.ranking").data.result, []);
    assert.doesNotMatch(only(events, "committee.end").data["conclave.verdict"].best?.by ?? "", /ranking/u);
  });

  it("fails in words when nobody answers, with what to do about it, and asks nobody to sum that up", async () => {
    const model = castModel({ Ana: [DOWN], Bo: [DOWN] });
    const { events, end } = await convene(committeeEngine({ personas: TEAM.slice(0, 2), models: [model] }));
    assert.equal(end.data.outcome, "failed");
    assert.match(end.data.error?.message ?? "", /No member of the committee.*out of memory/u);
    assert.equal(only(events, "committee.end").data["conclave.stopped"], "failed");
    assert.ok(!speakers(model).includes("The Self"));
  });

  it("skips a persona that is not there, and says which name is near", async () => {
    const model = castModel(HALF);
    const engine = committeeEngine({
      personas: [TEAM[0]!, TEAM[3]!, persona("Harbour Pilot")],
      models: [model],
    });
    const { events } = await convene(engine, { personas: ["ana", "Dee", "Harbor Pilot", "dee"] });
    assert.match(warned(events, "agent_unknown")[0] ?? "", /"Harbor Pilot".*Did you mean Harbour Pilot\?/u);
    assert.deepEqual(speakers(model), ["Ana", "Dee", "The Self"]);
  });

  it("lets no built-in agent speak under the name of a file that can't be used, and names the file", async () => {
    const model = castModel(HALF);
    const path = "/w/.conclave/agents/skeptic.yaml";
    const engine = committeeEngine({
      personas: [TEAM[0]!, TEAM[3]!],
      models: [model],
      unusable: [
        { name: "Skeptic", path },
        { name: "The Self", path: "/w/.conclave/agents/self.yaml" },
      ],
    });
    const { events } = await convene(engine, { personas: ["Ana", "Skeptic", "Dee"] });
    assert.ok(
      warned(events, "agent_unknown").every((words) => words.includes("can't be used: /w/.conclave/agents/")),
    );
    assert.equal(warned(events, "agent_unknown").length, 2);
    assert.deepEqual(speakers(model), ["Ana", "Dee", "The Self"]);
  });

  it("lets the single agent answer when fewer than two personas are there", async () => {
    const model = castModel({ single: ["By myself."] });
    const { events } = await convene(committeeEngine({ personas: TEAM, models: [model] }), {
      personas: ["Ana", "nobody"],
    });
    assert.deepEqual(warnings(events), ["agent_unknown", "committee_too_small"]);
    assert.equal(only(events, "answer.dialog").data.answer, "By myself.");
    assert.equal(all(events, "committee.start").length, 0);
  });

  it("lets the built-in Self sum up when the synthesizer has no file", async () => {
    const model = castModel(HALF);
    const engine = committeeEngine({ personas: [TEAM[0]!, TEAM[3]!], models: [model] });
    const { events } = await convene(engine, { synthesizer: "Madam Chair" });
    assert.match(warned(events, "agent_unknown")[0] ?? "", /Madam Chair.*The Self sums up/u);
    assert.equal(speakers(model).at(-1), "The Self");
  });

  it("ends with a failure in words when something breaks inside, and never throws", async () => {
    const input = { request: { question: "When?", door: "test" } } as TurnInput;
    const deps = { identity: seededIdentity() } as TurnDeps;
    const answer = await hold(
      input,
      deps,
      () => Promise.reject(new Error("a bug")),
      () => Promise.reject(new Error("not reached")),
    );
    assert.deepEqual([answer.outcome, answer.error?.code], ["failed", "internal"]);
    assert.match(answer.error?.cause ?? "", /a bug/u);
    assert.equal(answer.question.content, "When?");
  });

  it("stops at once when it is cancelled, keeps what was said, and asks nobody else", async () => {
    const model = castModel({ ...HALF, Bo: [hangs()] });
    const engine = committeeEngine({ personas: TEAM, models: [model] });
    const asked = await engine.ask({
      question: "When?",
      door: "test",
      options: { committee: { rounds: 2 } },
    });
    assert.ok(asked.ok);
    const events = [];
    for await (const event of asked.value.events) {
      events.push(event);
      if (event.type === "model.start" && event.agent === "Bo") asked.value.cancel();
    }
    assert.equal(only(events, "turn.end").data.outcome, "cancelled");
    assert.deepEqual(speakers(model), ["Ana", "Bo"]);
    assert.equal(only(events, "round.end").data.positions[0]?.answer, "Tuesday");
    const { data } = only(events, "committee.end");
    assert.deepEqual([data.outcome, data["conclave.stopped"]], ["cancelled", "cancelled"]);
    assert.equal(data["conclave.verdict"].best?.answer, "Tuesday");
    assert.deepEqual(warnings(events), []);
  });
});

/** A reply that never comes: time passes instead. */
function late(pass: () => void): Reply {
  return async function* (request, signal) {
    queueMicrotask(pass);
    const waiting = hangs();
    if (typeof waiting === "function") yield* waiting(request, signal);
  };
}

/** A ballot over the letters that were asked for. */
function ballot(order: (letters: readonly string[]) => readonly string[]): Reply {
  return async function* ({ messages }) {
    const asked =
      messages.findLast(({ content }) => content.includes("Name every letter once"))?.content ?? "";
    const letters = /Name every letter once: (.*)\./u.exec(asked)?.[1]?.split(", ") ?? [];
    yield* answers(await Promise.resolve(JSON.stringify({ ranking: order(letters) })));
  };
}
