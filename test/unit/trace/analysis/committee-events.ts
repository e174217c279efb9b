import type { EventOf, TurnEvent, TurnEventType } from "../../../../src/agent/events.ts";
import type { Position, Verdict } from "../../../../src/agent/events-committee.ts";

/** What one member said in a round; an error where it gave no answer. */
export interface Told {
  readonly answer?: string;
  readonly changed?: boolean;
}

/** A committee's turn in few words: who said what in which round, and what came out. */
export interface ToldCommittee {
  readonly strategy?: string;
  readonly rounds: readonly Readonly<Record<string, string | Told>>[];
  readonly synthesis?: string;
  readonly verdict?: Verdict;
  /** Grades by whose they are: a member's last answer, or `synthesis`. */
  readonly grades?: Readonly<Record<string, number | null>>;
}

const TURN = "0".repeat(32);

/** The events of such a turn: each speech costs 100 tokens in, 10 out and 2 seconds, the rest 50, 5 and 1. */
export function committeeEvents(told: ToldCommittee): readonly TurnEvent[] {
  const events: TurnEvent[] = [];
  let at = 0;
  function emit<T extends TurnEventType>(
    type: T,
    id: string,
    parentId: string | null,
    data: EventOf<T>["data"],
  ): void {
    at += 1;
    const base = {
      id,
      parentId,
      time: at,
      sessionId: "s",
      turnId: TURN,
      agent: "committee",
      respondent: "A",
    };
    events.push({ ...base, type, data } as unknown as TurnEvent);
  }
  const names = [...new Set(told.rounds.flatMap((round) => Object.keys(round)))];
  emit("committee.start", "committee", TURN, {
    "conclave.strategy": told.strategy ?? "blind",
    "conclave.rounds": told.rounds.length,
    "conclave.personas": names.map((name) => ({ name, model: "m" })),
    "conclave.synthesizer": "The Self",
    "conclave.estimated_tokens": 0,
  });
  told.rounds.forEach((round, index) => {
    const positions = Object.entries(round).map(([agent, said]): Position => {
      const { answer, changed } = typeof said === "string" ? { answer: said, changed: undefined } : said;
      const agentId = `${agent}/${index + 1}`;
      emit("agent.end", agentId, "round", {
        outcome: answer === undefined ? "failed" : "answered",
        "conclave.duration_ms": 2_000,
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 10,
      });
      return answer === undefined
        ? {
            agent,
            agentId,
            model: "m",
            answer: "",
            error: { code: "timeout", message: "Too late." },
          }
        : { agent, agentId, model: "m", answer, ...(changed !== undefined && { changed }) };
    });
    emit("round.end", `round ${index + 1}`, "committee", { index: index + 1, positions });
  });
  emit("agent.start", "synthesis", "committee", {
    "gen_ai.agent.name": "The Self",
    "gen_ai.request.model": "m",
    "conclave.role": "synthesizer",
  });
  const speeches = told.rounds.reduce((sum, round) => sum + Object.keys(round).length, 0);
  const usage = {
    "gen_ai.usage.input_tokens": 100 * speeches + 50,
    "gen_ai.usage.output_tokens": 10 * speeches + 5,
    "conclave.duration_ms": 2_000 * speeches + 1_000,
  };
  emit("committee.end", "committee", TURN, {
    outcome: "answered",
    rounds: told.rounds.length,
    "conclave.stopped": "rounds",
    "conclave.verdict": told.verdict ?? { minority: [] },
    "conclave.shown_as": [],
    ...usage,
  });
  if (told.synthesis !== undefined)
    emit("answer.dialog", "answer", TURN, { query: "?", answer: told.synthesis });
  emit("turn.end", TURN, null, {
    outcome: "answered",
    "conclave.steps": 1,
    "conclave.messages": [],
    ...usage,
  });
  for (const [whose, score] of Object.entries(told.grades ?? {})) {
    const parent = whose === "synthesis" ? "synthesis" : `${whose}/${told.rounds.length}`;
    emit("critique.result", `grade ${whose}`, parent, {
      score,
      feedback: "",
      "gen_ai.request.model": "judge",
    });
  }
  return events;
}
