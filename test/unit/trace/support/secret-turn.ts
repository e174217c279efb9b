import type { TurnEvent } from "../../../../src/agent/events.ts";
import { cacheTurn } from "./cache-turn.ts";
import { otherAnswers } from "./other-answer.ts";
import { SteadyIdentity } from "./steady-identity.ts";
import type { TurnScript } from "./turn-script.ts";

/** A word that stands nowhere else. */
export const SECRET = "zanzibar-sentinel";

/** A turn with the secret in every place that a turn has for texts. */
export function tellSecret(
  sink: (event: TurnEvent) => void,
  identity: SteadyIdentity,
  sessionId?: string,
): TurnScript {
  const script = cacheTurn(sink, {
    identity,
    question: `What of ${SECRET} do you know?`,
    ...(sessionId === undefined ? {} : { sessionId }),
  });
  const { emitter } = script;
  script.ask().reply({ thinking: `${SECRET}?`, content: `${SECRET} it is`, calls: [] });
  const done = script.call("web_fetch", { url: `https://${SECRET}.test` });
  const details = { summary: SECRET, data: { page: SECRET }, sources: [{ uri: "u:x", title: SECRET }] };
  done({
    result: `all of ${SECRET}`,
    details,
    error: { code: "tool_failed", message: SECRET, cause: SECRET },
  });
  emitter.warn("retried", `again: ${SECRET}`, { of: SECRET });
  script.answered(`The answer is ${SECRET}.`, SECRET);
  tellAfterwards(script);
  tellJudged(script, sink);
  return script;
}

/** All that people and critics say, with the secret wherever there is a text, and what respondent B says and does. */
function tellJudged({ emitter, sessionId, turnId }: TurnScript, sink: (event: TurnEvent) => void): void {
  const place = { parentId: turnId };
  const error = { code: "internal", message: SECRET, cause: SECRET } as const;
  const said = { feedback: SECRET, "gen_ai.request.model": "m", "conclave.raw": SECRET, error };
  emitter.emit("user.feedback", place, {
    rating: "down",
    "conclave.door": "chat",
    "conclave.implicit": "asked_again",
    "conclave.evidence": SECRET,
  });
  emitter.emit("critique.result", place, {
    ...{ ...said, score: null, "conclave.ungraded": `not graded (${SECRET})` },
  });
  emitter.emit("critique.corrected", place, { score: 1, reason: SECRET, "conclave.by": "mira" });
  emitter.emit("pairwise.result", place, {
    ...{ ...said, winner: null, "conclave.episode_ids": [`episode-of-${turnId}`] },
    "conclave.orders": [{ first: "A", winner: null, feedback: SECRET, raw: SECRET }],
  });
  otherAnswers({ sessionId, turnId }, sink, {
    answer: SECRET,
    identity: new SteadyIdentity(undefined, 700_000 + Number.parseInt(turnId.slice(-4), 16)),
    data: { error },
  });
}

/** What comes after the turn's end. */
function tellAfterwards({ emitter, turnId }: TurnScript): void {
  emitter.emit(
    "memory.ingested",
    { parentId: turnId },
    {
      "conclave.episode_ids": [`episode-of-${turnId}`],
      "conclave.duration_ms": 1,
    },
  );
  const learned = { added: [{ id: `fact-of-${turnId}`, text: SECRET }], repeated: [], closed: [] };
  emitter.emit(
    "memory.learned",
    { parentId: turnId },
    {
      "conclave.episode_ids": [`episode-of-${turnId}`],
      "conclave.extracted": 1,
      "conclave.updated": 0,
      "conclave.duration_ms": 1,
      "conclave.skipped": SECRET,
      "conclave.learned": {
        ...learned,
        rejected: [{ text: SECRET, reason: SECRET }],
        entities: 0,
        edges: 0,
      },
    },
  );
  emitter.emit(
    "memory.card",
    { parentId: turnId },
    {
      text: SECRET,
      tokens: 3,
      parts: [{ kind: "fact", text: SECRET, id: "f" }],
    },
  );
  emitter.emit(
    "user.feedback",
    { parentId: turnId },
    { rating: "up", note: SECRET, "conclave.door": "chat" },
  );
  const grade = { feedback: SECRET, "gen_ai.request.model": "m" };
  emitter.emit("critique.result", { parentId: turnId }, { ...grade, score: 2 });
  emitter.emit("pairwise.result", { parentId: turnId }, { ...grade, winner: "A" });
  emitter.emit("reward.event", { parentId: turnId }, { reward: 1, reason: SECRET });
}
