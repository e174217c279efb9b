import assert from "node:assert/strict";
import fc from "fast-check";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import type { ForkEdit } from "../../../../src/agent/events-fork.ts";
import { withoutParts } from "../../../../src/agent/message-parts.ts";
import type { ChatMessage, Json, ToolCall } from "../../../../src/agent/models/types.ts";
import type { Timer } from "../../../../src/agent/timer.ts";
import {
  all,
  answers,
  ask,
  broken,
  call,
  callTools,
  end,
  engineOver,
  makeTool,
  muse,
  only,
  playModel,
  say,
  toolSet,
  type WholeTurn,
} from "../support.ts";
import { branch } from "./bed.ts";

/** Roles take turns as servers want them, and each result follows the call that it answers. */
function assertValid(messages: readonly ChatMessage[]): void {
  let open: string[] = [];
  assert.equal(messages[0]?.role, "system");
  for (const message of messages) {
    if (message.role === "tool") {
      assert.equal(message.toolCallId, open.shift(), "a result without its call");
      continue;
    }
    assert.deepEqual(open, [], "a call without its result");
    if (message.role === "assistant") open = (message.toolCalls ?? []).map(({ id }) => id);
  }
  assert.deepEqual(open, []);
}

/** Waits between attempts are over at once, time limits never. */
const hasty: Timer = (ms, fire) => {
  const handle = ms < 1_000 ? setImmediate(fire) : undefined;
  return () => clearImmediate(handle);
};

const tools = toolSet(
  makeTool({ name: "look_up" }),
  makeTool({ name: "save", readOnly: false }),
  makeTool({ name: "throws", run: () => Promise.reject(new Error("boom")) }),
);

const oddCall: fc.Arbitrary<ToolCall> = fc.record({
  id: fc.constantFrom("", "1", "2", "call_0"),
  name: fc.constantFrom("look_up", "save", "throws", "nobody"),
  arguments: fc.oneof(fc.record({ query: fc.string() }), fc.jsonValue()) as fc.Arbitrary<Json>,
});

const step = fc.record({
  calls: fc.array(oddCall, { maxLength: 4 }),
  text: fc.constantFrom("", "Let me see."),
  thought: fc.constantFrom("", "Hm."),
  last: fc.constantFrom(end(), end("length"), broken("tool_call_unparsable")),
});

/** The places of a turn at which something may branch off, with what may be changed there. */
function places(
  events: readonly TurnEvent[],
): readonly { readonly eventId: string; readonly edits: readonly ForkEdit[] }[] {
  const steps = all(events, "step.start").map(({ id }) => ({ eventId: id, edits: [] }));
  const results = all(events, "tool.result").flatMap(({ id }) => [
    { eventId: id, edits: [{ part: "tool_result" as const, eventId: id, text: "something else 👩‍🚀" }] },
    { eventId: id, edits: [{ part: "tool_arguments" as const, eventId: id, text: '{"query":"else"}' }] },
    { eventId: id, edits: [] },
  ]);
  const prompts = all(events, "model.start").map(({ id }) => ({
    eventId: id,
    edits: [{ part: "question" as const, eventId: id, text: "Another question?" }],
  }));
  return [...steps, ...results, ...prompts];
}

/** Messages as they are sent. */
function bare(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.map(withoutParts);
}

/** How many messages two requests begin with alike. */
function shared(one: readonly ChatMessage[], other: readonly ChatMessage[]): number {
  const differs = one.findIndex((message, at) => JSON.stringify(message) !== JSON.stringify(other[at]));
  return differs < 0 ? one.length : differs;
}

describe("whatever a turn was", () => {
  it("can be branched off at any place: what is sent is valid, begins as it did then, and comes to an end", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 4 }), fc.nat(), fc.nat(), async (drawn, pick, again) => {
        const replies = drawn.map(({ calls, text, thought, last }) => [
          ...(thought === "" ? [] : [muse(thought)]),
          ...(text === "" ? [] : [say(text)]),
          ...(calls.length === 0 ? [] : [callTools(...calls)]),
          last,
        ]);
        const more = [callTools(call("look_up", { query: "more" }, "1")), end()];
        const model = playModel([
          ...replies,
          answers("Done."),
          more,
          answers("Done again."),
          answers("And again."),
        ]);
        const engine = engineOver(model, { tools, timer: hasty });
        const first = await ask(engine, "Before?");
        const turn = await ask(engine, "One?", { sessionId: first.sessionId });
        const fork = await follow(turn, pick);
        await follow(fork, again);

        async function follow(of: WholeTurn, at: number): Promise<WholeTurn> {
          const known = places(of.events);
          const place = known[at % Math.max(1, known.length)];
          if (place === undefined) return of;
          const before = model.requests.length;
          const branched = await branch(engine, of, place);
          const sent = model.requests.slice(before);
          for (const request of sent) assertValid(request.messages);
          const error = only(branched.events, "turn.end").data.error;
          assert.notEqual(error?.code, "internal", error?.cause);
          const own = all(branched.events, "model.start").find(({ replays }) => replays === undefined);
          assert.deepEqual(bare(own?.data["conclave.messages"] ?? []), bare(sent[0]?.messages ?? []));
          const steps = all(branched.events, "step.start");
          const first = steps.find(({ replays }) => replays === undefined);
          for (const { replays, data } of steps) {
            const then = all(of.events, "step.start").find(({ id }) => id === replays);
            if (then !== undefined) assert.equal(data["conclave.protocol"], then.data["conclave.protocol"]);
          }
          // All that was played, and offered tools in the same way, stands in the first request as it stood then.
          const played = all(branched.events, "model.start").filter(({ replays }) => replays !== undefined);
          for (const { data, stepId } of played) {
            const step = steps.find(({ id }) => id === stepId);
            if (step?.data["conclave.protocol"] !== first?.data["conclave.protocol"]) continue;
            const was = bare(data["conclave.messages"]);
            const edits = [
              ...place.edits,
              ...(only(of.events, "turn.start").data["conclave.fork"]?.edits ?? []),
            ];
            // What came before another question was asked with the one of then.
            const isEdited = edits.some(({ part }) => part === "question");
            if (!isEdited)
              assert.equal(shared(was, bare(sent[0]?.messages ?? [])), was.length, "it begins as it did");
          }
          assert.equal(
            all(branched.events, "tool.request").length,
            all(branched.events, "tool.result").length,
          );
          return branched;
        }
      }),
      { numRuns: 120 },
    );
  });
});
