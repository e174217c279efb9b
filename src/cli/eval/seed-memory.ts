import { failed, success, type Result } from "../../agent/failure.ts";
import type { Identity } from "../../agent/ids.ts";
import type { Annotation, AnnotationValue, Episode, MemoryPort } from "../../agent/memory/port.ts";
import type { Learnt } from "../../agent/memory/types.ts";
import type { CaseMemory } from "./case/schema.ts";

const DAY_MS = 86_400_000;

/** What memory is filled with. */
interface Seeding {
  readonly memory: MemoryPort;
  readonly identity: Identity;
  readonly signal: AbortSignal;
}

/** Puts into memory what a case begins with. What memory does not take is a failure that names it. */
export async function seedMemory(wanted: CaseMemory, seeding: Seeding): Promise<Result<true>> {
  const turns = await seedTurns(wanted.turns, seeding);
  if (!turns.ok) return turns;
  for (const fact of wanted.facts) {
    const { text, subject, kind, owner, days_ago: days } = fact;
    const proposal = { kind, text, subject, confidence: 0.95, owner, quote: text };
    const learned = await teach({ facts: [proposal] }, text, owner, days, seeding);
    if (!learned.ok) return learned;
  }
  for (const { from, to, type, text, owner, days_ago: days } of wanted.relations) {
    const said = text ?? `${from} ${type.replaceAll("_", " ")} ${to}.`;
    const edge = { from, to, type, text: said, strength: 0.9, holds: true, quote: said };
    const entities = [from, to].map((name) => ({ name, type: "person" as const }));
    const learned = await teach({ edges: [edge], entities }, said, owner, days, seeding);
    if (!learned.ok) return learned;
  }
  return success(true);
}

async function seedTurns(turns: CaseMemory["turns"], seeding: Seeding): Promise<Result<true>> {
  if (turns.length === 0) return success(true);
  const { memory, identity, signal } = seeding;
  const sessions = new Map<string, string>();
  const episodes: Episode[] = [];
  const annotations: Annotation[] = [];
  for (const turn of turns) {
    const name = turn.session ?? `turn ${episodes.length}`;
    const sessionId = sessions.get(name) ?? identity.uuid();
    sessions.set(name, sessionId);
    const time = identity.now() - turn.days_ago * DAY_MS;
    const { question, answer, agent = "conclave" } = turn;
    const id = identity.uuid();
    const who = { agent, respondent: "A", model: "", kind: "turn", scope: "" };
    episodes.push({ id, sessionId, turnId: identity.turnId(), question, answer, time, ...who });
    const notes: AnnotationValue[] = [
      ...(turn.score === undefined ? [] : [{ kind: "score" as const, value: turn.score }]),
      ...(turn.verdict === undefined ? [] : [{ kind: "verdict" as const, value: turn.verdict }]),
      ...(turn.reward === undefined ? [] : [{ kind: "reward" as const, value: turn.reward }]),
    ];
    for (const note of notes)
      annotations.push({ ...note, id: identity.uuid(), episodeId: id, by: AUTHORS[note.kind], time });
  }
  const added = await memory.add(episodes, signal);
  if (!added.ok) return added;
  if (annotations.length === 0) return success(true);
  const annotated = await memory.annotate(annotations, signal);
  return annotated.ok ? success(true) : annotated;
}

const AUTHORS = {
  score: "critic",
  verdict: "judge",
  reward: "reward",
  reason: "reward",
  sentiment: "classifier",
  pin: "user",
  edit: "user",
  feedback: "user",
  taken: "user",
  class: "classifier",
} as const;

async function teach(
  what: Partial<Pick<Learnt, "facts" | "edges" | "entities">>,
  said: string,
  owner: string,
  days: number,
  { memory, identity, signal }: Seeding,
): Promise<Result<true>> {
  const time = identity.now() - days * DAY_MS;
  const learned = await memory.learn(
    {
      source: { sessionId: identity.uuid(), turnId: identity.turnId(), time },
      agent: owner === "user" ? "conclave" : owner,
      scope: "",
      by: "user",
      said,
      recalled: [],
      facts: what.facts ?? [],
      entities: what.entities ?? [],
      edges: what.edges ?? [],
    },
    signal,
  );
  if (!learned.ok) return learned;
  const [rejected] = learned.value.rejected;
  return rejected === undefined
    ? success(true)
    : failed("bad_input", `Memory does not take "${rejected.text}": ${rejected.reason}.`);
}
