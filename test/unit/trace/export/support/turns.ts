import type { TurnEvent } from "../../../../../src/agent/events.ts";
import { cacheTurn } from "../../support/cache-turn.ts";
import { committeeTurn } from "../../support/committee-turn.ts";
import { otherAnswers } from "../../support/other-answer.ts";
import { SteadyIdentity } from "../../support/steady-identity.ts";
import { TurnScript } from "../../support/turn-script.ts";
import type { ExportSource } from "../../../../../src/trace/export/types.ts";

/** What a log holds of some events: no deltas. */
function logged(tell: (sink: (event: TurnEvent) => void) => unknown): TurnEvent[] {
  const events: TurnEvent[] = [];
  tell((event) => {
    if (event.type !== "model.delta") events.push(event);
  });
  return events;
}

/** One agent's turn, with recall, a page, and what came after it: memory, a grade, a correction, feedback. */
export function judgedTurn(identity = new SteadyIdentity(), sessionId?: string): TurnEvent[] {
  return logged((sink) => {
    const script = cacheTurn(sink, { identity, ...(sessionId !== undefined && { sessionId }) });
    const { emitter, turnId } = script;
    script.wait(40);
    emitter.emit(
      "memory.ingested",
      { parentId: turnId },
      { "conclave.episode_ids": ["00000000-0000-4000-8000-00000000aaaa"], "conclave.duration_ms": 30 },
    );
    emitter.emit(
      "critique.result",
      { parentId: turnId },
      { score: 4, feedback: "Misses the date.", "gen_ai.request.model": "judge:8b" },
    );
    emitter.emit(
      "critique.corrected",
      { parentId: turnId },
      { score: 5, reason: "The date is there.", "conclave.by": "user" },
    );
    emitter.emit(
      "pairwise.result",
      { parentId: turnId },
      { winner: null, feedback: "Both hold.", "gen_ai.request.model": "judge:8b" },
    );
    emitter.emit(
      "user.feedback",
      { parentId: turnId },
      { rating: "up", note: "Just what I needed.", "conclave.door": "panel" },
    );
    emitter.emit("reward.event", { parentId: turnId }, { reward: 0.35, reason: "thumbs up" });
  });
}

/** The same turn, answered a second time and compared, with all that a judge says of how it judged. */
export function comparedTurn(identity = new SteadyIdentity(), sessionId?: string): TurnEvent[] {
  const first = judgedTurn(identity, sessionId);
  const [start] = first;
  if (start === undefined) return first;
  const later = logged((sink) => {
    const agentId = otherAnswers(start, sink, { identity });
    const how = {
      ...{ "gen_ai.request.model": "judge:8b", "conclave.judge": "constrained" as const },
      ...{ "conclave.rubric": "helpfulness", "conclave.duration_ms": 900, "conclave.attempts": 2 },
    };
    const say = (event: Pick<TurnEvent, "type" | "data" | "parentId" | "agent" | "respondent">): void =>
      sink({
        ...{ id: identity.spanId(), time: identity.now() },
        ...{ sessionId: start.sessionId, turnId: start.turnId, ...event },
      } as TurnEvent);
    const { turnId } = start;
    say({
      ...{ type: "critique.result", parentId: agentId, agent: "second", respondent: "B" },
      data: { score: 3, feedback: "Names its source.", ...how },
    });
    say({
      ...{ type: "critique.result", parentId: turnId, agent: "second", respondent: "B" },
      data: {
        ...{ score: null, feedback: "", ...how },
        ...{ "conclave.ungraded": "not graded (cut off)", "conclave.raw": "The answer" },
      },
    });
    say({
      ...{ type: "pairwise.result", parentId: turnId, agent: "conclave", respondent: "A" },
      data: {
        ...{ winner: null, feedback: "It went by the order.", ...how, "conclave.order_bound": true },
        "conclave.orders": [
          { first: "A", winner: "A", feedback: "The first." },
          { first: "B", winner: "B", feedback: "The first.", raw: "[[A]]" },
        ],
      },
    });
    say({
      ...{ type: "user.feedback", parentId: turnId, agent: "user", respondent: "A" },
      data: {
        ...{ rating: "down", "conclave.door": "chat", "conclave.implicit": "asked_again" },
        "conclave.evidence": "And which cache?",
      },
    });
    say({
      ...{ type: "reward.event", parentId: turnId, agent: "conclave", respondent: "A" },
      data: {
        ...{ reward: 0.2, reason: "thumbs up, asked again", "gen_ai.request.model": "qwen3:8b" },
        "conclave.sources": [{ kind: "asked_again", worth: -0.15, time: 1, event: "e" }],
      },
    });
  });
  return [...first, ...later];
}

/** A committee's turn. */
export function councilTurn(identity = new SteadyIdentity(), sessionId?: string): TurnEvent[] {
  return logged((sink) => committeeTurn(sink, { identity, ...(sessionId !== undefined && { sessionId }) }));
}

/** A turn whose every text is made by the caller. */
export function turnOf(
  tell: (script: TurnScript) => void,
  options: ConstructorParameters<typeof TurnScript>[1] = {},
): TurnEvent[] {
  return logged((sink) => tell(new TurnScript(sink, options)));
}

/** One turn that says one text in every place. */
export function sayingEverywhere(
  text: string,
  identity = new SteadyIdentity(),
  sessionId?: string,
): TurnEvent[] {
  return turnOf(
    (script) => {
      script.ask([{ role: "user", content: text }]);
      script.reply({
        thinking: text,
        content: text,
        calls: [{ id: "c1", name: text, arguments: { [text]: text } }],
      });
      const done = script.call(text, { [text]: text });
      done({
        result: text,
        details: { summary: text, sources: [{ uri: text, title: text }], data: { [text]: [text] } },
      });
      script.call("read_file", { path: text })({
        error: { code: "tool_failed", message: text, cause: text },
      });
      script.emitter.warn("retried", text, { text });
      script.stepEnd().answered(text, text);
      script.emitter.emit(
        "critique.result",
        { parentId: script.turnId },
        { score: 3, feedback: text, "gen_ai.request.model": text },
      );
    },
    { question: text, model: text, identity, ...(sessionId !== undefined && { sessionId }) },
  );
}

/** Events as a log gives them. */
export function sourceOf(events: readonly TurnEvent[], problems: readonly string[] = []): ExportSource {
  return {
    read: async function* () {
      await Promise.resolve();
      for (const [line, message] of problems.entries()) yield { type: "problem", line, message };
      for (const event of events) yield { type: "event", event };
    },
  };
}
