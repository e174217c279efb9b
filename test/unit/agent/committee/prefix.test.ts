import assert from "node:assert/strict";
import { textTokens } from "../../../../src/agent/context.ts";
import type { ChatMessage } from "../../../../src/agent/models/types.ts";
import {
  all,
  answers,
  call,
  callTools,
  end,
  gives,
  makeTool,
  only,
  say,
  toolSet,
  type Reply,
} from "../support.ts";
import { castModel, committeeEngine, convene, persona, speakerOf, type Script } from "./bed.ts";
import { commonStart, wholePrompt } from "./rendered.ts";

const QUESTION = "Which harbour is the safest in a northerly gale?";
const NAMES = ["Ana", "Bo", "Cy", "Dee", "Eve", "Flo"];

function pageFetcher(tokens: number) {
  const page = "rocks and tides ".repeat(Math.ceil((tokens * 3.5) / 16));
  return makeTool({ name: "web_fetch", run: () => Promise.resolve(gives(`SECRETPAGE ${page}`)) });
}

/** Turns of an earlier conversation of about so many tokens. */
function past(tokens: number): readonly ChatMessage[] {
  const turns = Math.ceil(tokens / 500);
  return Array.from({ length: turns }, (_, index): ChatMessage[] => [
    { role: "user", content: `Earlier question ${index}?` },
    { role: "assistant", content: `Answer ${index}: ${"we sailed on. ".repeat(120)}` },
  ]).flat();
}

/** Every speech of a member is new and long. */
function longSpeeches(name: string): readonly string[] {
  return [1, 2, 3, 4].map(
    (round) => `Position: harbour ${name}${round}\n${`reason ${name}${round} `.repeat(300)}`,
  );
}

describe("the prompts of a committee", () => {
  const tool = pageFetcher(40_000);
  const team = NAMES.map((name) => persona(name, { tools: name === "Ana" ? [{ name: "web_fetch" }] : [] }));
  const script: Script = Object.fromEntries(NAMES.map((name) => [name, longSpeeches(name)]));

  async function sit(history: number, fetches: boolean) {
    const first = [say(""), callTools(call("web_fetch", { query: "gales" })), end()];
    const own: Script = fetches ? { ...script, Ana: [first, ...longSpeeches("Ana")] } : script;
    const model = castModel(own, "tiny", 32_768);
    const engine = committeeEngine({ personas: team, models: [model], tools: toolSet(tool) });
    const committee = { rounds: 4, agreement: "off" as const };
    const asked = await engine.ask({
      question: QUESTION,
      door: "test",
      history: past(history),
      options: { committee },
    });
    assert.ok(asked.ok);
    const events = [];
    for await (const event of asked.value.events) events.push(event);
    return { events, requests: model.requests };
  }

  it("are the same up to the question, byte by byte, for all members, rounds and the synthesizer", async () => {
    const { requests } = await sit(3_000, false);
    const prompts = requests.map(wholePrompt);
    const shared = (prompts[0] ?? "").indexOf(QUESTION) + QUESTION.length;
    for (const prompt of prompts) assert.ok(commonStart(prompt, prompts[0] ?? "") >= shared);
  });

  it("repeat the conversation message by message, so that the log holds it once for all of them", async () => {
    const { events } = await sit(3_000, false);
    const prompts = all(events, "model.start").map(({ data }) => data["conclave.messages"]);
    const [first = []] = prompts;
    const until = first.findIndex(({ content }) => content.includes(QUESTION));
    assert.ok(until > 6, "there is a conversation before the question");
    for (const messages of prompts)
      for (let at = 0; at < until; at += 1) assert.equal(messages[at], first[at]);
  });

  it("are told of one list of tools, whatever a member may use", async () => {
    const { requests } = await sit(0, false);
    for (const { tools } of requests)
      assert.deepEqual(
        tools?.map(({ name }) => name),
        ["web_fetch"],
      );
  });

  it("grow from round to round by the new speeches only", async () => {
    const { requests } = await sit(3_000, false);
    const prompts = requests.map(wholePrompt);
    const rounds = [0, 1, 2, 3].map((round) => prompts.slice(round * 6, round * 6 + 6));
    for (const [index, speakers] of rounds.entries()) {
      const [first = ""] = speakers;
      const rule = first.indexOf("You are one of several members");
      // Within a round: all that was said and the rule are the same; only the own part differs.
      for (const prompt of speakers) assert.ok(commonStart(prompt, first) > rule);
      const before = rounds[index - 1]?.[0];
      if (before === undefined) continue;
      // From round to round: what was said before stays as it is, and stands first.
      const heard = before.indexOf("You are one of several members");
      assert.ok(commonStart(before, first) >= heard);
      assert.ok(textTokens(first) - textTokens(before) <= 6 * 520 + 200);
    }
  });

  it("hold one member's web page for nobody else, and none is over the window", async () => {
    const { requests, events } = await sit(30_000, true);
    const holders = new Set(requests.filter((one) => wholePrompt(one).includes("SECRETPAGE")).map(speakerOf));
    assert.deepEqual(holders, new Set(["Ana"]));
    for (const request of requests) assert.ok(textTokens(wholePrompt(request)) <= 32_768);
    assert.equal(only(events, "turn.end").data.outcome, "answered");
  });

  it("are put in words while the answer before is awaited, where nothing in them depends on that", async () => {
    const slowly: Reply = async function* () {
      // A request is on its way one turn of the event loop after it was made, and spare time is the one after that.
      for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      yield* answers("Position: Oban");
    };
    const members = ["Ana", "Bo", "Cy"].map((name) => persona(name));
    for (const [strategy, expected] of [
      ["blind", [1, 2]],
      ["sequential", []],
    ] as const) {
      const readied: ChatMessage[] = [];
      const played = castModel({ Ana: [slowly], Bo: [slowly], Cy: [slowly] });
      const model = { ...played, ready: (message: ChatMessage) => void readied.push(message) };
      const engine = committeeEngine({ personas: members, models: [model] });
      const { events } = await convene(engine, { strategy, rounds: 1 });
      const sent = all(events, "model.start").map(({ data }) => data["conclave.messages"].at(-1));
      assert.deepEqual(readied.length, expected.length, strategy);
      for (const [at, index] of expected.entries())
        assert.equal(readied[at], sent[index], "the very message");
    }
  });

  it("are at most what was estimated before the start", async () => {
    for (const fetches of [false, true]) {
      const { requests, events } = await sit(3_000, fetches);
      const sent = requests.reduce((sum, request) => sum + textTokens(wholePrompt(request)), 0);
      assert.ok(sent <= only(events, "committee.start").data["conclave.estimated_tokens"]);
    }
  });

  it("fit a small window: what others said is cut to excerpts, and that is said in the excerpt", async () => {
    const model = castModel(script, "tiny", 4_096);
    const engine = committeeEngine({ personas: team, models: [model], tools: toolSet() });
    const committee = { rounds: 3, agreement: "off" as const };
    const asked = await engine.ask({ question: QUESTION, door: "test", options: { committee } });
    assert.ok(asked.ok);
    for await (const event of asked.value.events) assert.notEqual(event.type, "never");
    for (const request of model.requests) assert.ok(textTokens(wholePrompt(request)) <= 4_096);
    assert.match(
      model.requests.at(-1)?.messages.at(-1)?.content ?? "",
      /\[excerpt: \d+ of \d+ characters\]/u,
    );
  });

  it("give a member that may not use a tool a sentence instead of its result", async () => {
    const model = castModel({
      ...script,
      Bo: [[callTools(call("web_fetch", { query: "gales" })), end()], answers("Position: Oban")],
    });
    const engine = committeeEngine({ personas: team.slice(0, 2), models: [model], tools: toolSet(tool) });
    const asked = await engine.ask({
      question: QUESTION,
      door: "test",
      options: { committee: { rounds: 1 } },
    });
    assert.ok(asked.ok);
    const events = [];
    for await (const event of asked.value.events) events.push(event);
    assert.match(all(events, "tool.result")[0]?.data.error?.message ?? "", /Bo may not use web_fetch/u);
    assert.equal(only(events, "turn.end").data.outcome, "answered");
  });
});
