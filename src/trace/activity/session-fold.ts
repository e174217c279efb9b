import type { EventOf, TurnEvent } from "../../agent/events.ts";
import type { Json } from "../../agent/models/types.ts";
import { parseEvent } from "../event-schema.ts";
import { parseLine } from "../parse-line.ts";
import { isOthersOwn } from "../respondent.ts";
import { oneLine } from "../text.ts";
import { tombstoneText } from "../tombstone.ts";
import type { ActivityRecord, CallRecord, GradeRecord, MemoryRecord, RewardRecord } from "./records.ts";
import { correctedRecord, gradeId, gradeRecord, verdictRecord } from "./judged-fold.ts";
import { rewardId, rewardRecord } from "./reward-fold.ts";

const MAX_ARGUMENTS = 200;
const MAX_SAID = 200;
const MAX_QUESTION = 120;
const MAX_NAME = 100;
/** Statements that are named of what a turn taught. */
const MAX_LEARNT = 3;

/** Only lines with one of these can tell something; a text that happens to hold one is looked at for nothing. */
const SIGNS = [
  '"tool.re',
  '"critique.',
  '"pairwise.result"',
  '"reward.event"',
  '"memory.',
  '"query.received"',
  '"turn.start"',
  '"agent.start"',
  '"turn.end"',
] as const;

/** Records and turns of one session that are held at most: the oldest go. */
const MAX_HELD = 20_000;

/** What a turn lends its records. */
interface TurnFacts {
  question: string;
  isPrivate: boolean;
  /** Somebody else's: what was done there was not done here. */
  isImported: boolean;
  ended: boolean;
  /** Calls that have not ended. */
  readonly open: Set<string>;
}

/** The records of one session, folded from its events in order. */
export class SessionFold {
  /** By what they are about; a later event changes the record in its place. */
  readonly records = new Map<string, ActivityRecord>();
  /** What feedback is worth, by the answer that it is about. */
  readonly rewards = new Map<string, RewardRecord>();
  private readonly turns = new Map<string, TurnFacts>();
  /** Names of agents by the ids of their spans: grades stand under them. */
  private readonly agents = new Map<string, string>();

  /** Takes a line of the log. */
  takeLine(line: string): void {
    if (!SIGNS.some((sign) => line.includes(sign))) return;
    const value = parseLine(line);
    if (value === undefined || !isTelling(value["type"])) return;
    const parsed = parseEvent(value);
    if ("event" in parsed) this.take(parsed.event);
  }

  /** Takes an event; tells whether a record changed. What a branch repeats happened in another turn. */
  take(event: TurnEvent): boolean {
    if (event.replays !== undefined) return false;
    switch (event.type) {
      case "turn.start":
        this.begin(event);
        return false;
      case "agent.start":
        this.agents.set(event.id, oneLine(event.agent, MAX_NAME));
        dropOldest(this.agents);
        return false;
      case "query.received":
        return this.asked(event);
      case "turn.end":
        return this.ended(event);
      case "reward.event":
        return this.rewarded(event);
      default:
        return !this.factsOf(event.turnId).isImported && this.note(event);
    }
  }

  private note(event: TurnEvent): boolean {
    if (isOthersOwn(event) && !JUDGED.has(event.type)) return false;
    const record = this.recordOf(event);
    if (record === undefined) return false;
    this.records.set(record.id, record);
    dropOldest(this.records);
    return true;
  }

  /** The latest reward of an answer counts; one of which all was taken back has none. */
  private rewarded(event: EventOf<"reward.event">): boolean {
    if (this.factsOf(event.turnId).isImported) return false;
    const record = rewardRecord(event);
    if (record === undefined) return this.rewards.delete(rewardId(event));
    this.rewards.set(record.id, record);
    dropOldest(this.rewards);
    return true;
  }

  private recordOf(event: TurnEvent): ActivityRecord | undefined {
    switch (event.type) {
      case "tool.request":
        return this.called(event);
      case "tool.result":
        return this.answered(event);
      case "critique.result":
      case "critique.corrected":
        return this.graded(event);
      case "pairwise.result":
        return verdictRecord(event, this.base(event, `verdict:${event.id}`));
      case "memory.card":
      case "memory.ingested":
      case "memory.learned":
        return this.remembered(event);
      default:
        return undefined;
    }
  }

  private begin({ turnId, data }: EventOf<"turn.start">): void {
    const facts = this.factsOf(turnId);
    facts.isImported = data["conclave.imported"] !== undefined;
    facts.isPrivate = data["conclave.private"] === true;
  }

  private asked({ turnId, data }: EventOf<"query.received">): boolean {
    this.factsOf(turnId).question = oneLine(data.query, MAX_QUESTION);
    return false;
  }

  private ended({ turnId }: EventOf<"turn.end">): boolean {
    const facts = this.factsOf(turnId);
    facts.ended = true;
    for (const id of facts.open) {
      const record = this.records.get(id);
      if (record?.kind === "call") this.records.set(id, { ...record, outcome: "interrupted" });
    }
    const changed = facts.open.size > 0;
    facts.open.clear();
    return changed;
  }

  private called(event: EventOf<"tool.request">): CallRecord {
    const { name, arguments: given } = event.data;
    const facts = this.factsOf(event.turnId);
    if (!facts.ended) facts.open.add(event.id);
    return {
      kind: "call",
      ...this.base(event, event.id),
      tool: oneLine(name, MAX_NAME),
      agent: oneLine(event.agent, MAX_NAME),
      arguments: event.forgotten === undefined ? argumentLine(given) : tombstoneText(event.forgotten),
      outcome: facts.ended ? "interrupted" : "running",
      said: "",
      attempts: 1,
    };
  }

  private answered(event: EventOf<"tool.result">): CallRecord | undefined {
    const call = this.records.get(event.id);
    if (call?.kind !== "call") return undefined;
    this.factsOf(event.turnId).open.delete(event.id);
    const { error, details, "conclave.duration_ms": durationMs, "conclave.attempts": attempts } = event.data;
    const failedAs = error?.code === "cancelled" ? "cancelled" : "failed";
    return {
      ...call,
      outcome: error === undefined ? "done" : failedAs,
      said: oneLine(error?.message ?? details?.summary ?? "", MAX_SAID),
      durationMs,
      attempts,
    };
  }

  private graded(event: EventOf<"critique.result"> | EventOf<"critique.corrected">): GradeRecord {
    const id = gradeId(event);
    const known = this.records.get(id);
    const before = known?.kind === "grade" ? known : undefined;
    const [base, agent] = [this.base(event, id), this.gradedAgent(event)];
    return event.type === "critique.result"
      ? gradeRecord(event, base, agent, before)
      : correctedRecord(event, base, agent, before);
  }

  /** Whose answer was graded; empty where it is the turn's. */
  private gradedAgent({ parentId }: TurnEvent): string {
    return parentId === null ? "" : (this.agents.get(parentId) ?? "");
  }

  private remembered(
    event: EventOf<"memory.card"> | EventOf<"memory.ingested"> | EventOf<"memory.learned">,
  ): MemoryRecord {
    const id = `memory:${event.turnId}`;
    const known = this.records.get(id);
    const place = this.base(event, id);
    const before: MemoryRecord =
      known?.kind === "memory" ? known : { kind: "memory", ...place, by: "", said: "" };
    return { ...before, ...place, time: before.time, ...memoryPart(event) };
  }

  private base(event: TurnEvent, id: string) {
    const facts = this.factsOf(event.turnId);
    const { sessionId, turnId, time, forgotten } = event;
    return {
      ...{ id, sessionId, turnId, time },
      question: facts.question,
      ...(forgotten !== undefined && { forgotten }),
      ...(facts.isPrivate && { private: true as const }),
    };
  }

  private factsOf(turnId: string): TurnFacts {
    const known = this.turns.get(turnId);
    if (known !== undefined) return known;
    const facts = {
      question: "",
      isPrivate: false,
      isImported: false,
      ended: false,
      open: new Set<string>(),
    };
    this.turns.set(turnId, facts);
    dropOldest(this.turns);
    return facts;
  }
}

/** What is told of respondent B's answer as well; its tools and what memory took of it are none of the turn's. */
const JUDGED: ReadonlySet<TurnEvent["type"]> = new Set(["critique.result", "critique.corrected"]);

const TELLING: ReadonlySet<unknown> = new Set<TurnEvent["type"]>([
  "turn.start",
  "agent.start",
  "query.received",
  "turn.end",
  "tool.request",
  "tool.result",
  "critique.result",
  "critique.corrected",
  "pairwise.result",
  "reward.event",
  "memory.card",
  "memory.ingested",
  "memory.learned",
]);

/** Whether events of a type tell something of activity. */
export function isTelling(type: unknown): boolean {
  return TELLING.has(type);
}

function dropOldest(held: Map<string, unknown>): void {
  const oldest = held.keys().next();
  if (held.size > MAX_HELD && oldest.done !== true) held.delete(oldest.value);
}

/** Arguments as people read them: `query: cache, limit: 3`. */
function argumentLine(given: Json): string {
  if (typeof given !== "object" || given === null) return oneLine(textOf(given), MAX_ARGUMENTS);
  const parts = Object.entries(given).map(([name, value]: [string, Json]) => `${name}: ${textOf(value)}`);
  return oneLine(parts.join(", "), MAX_ARGUMENTS);
}

/** No more of a value than a line shows. */
function textOf(value: Json): string {
  if (typeof value === "string") return value.slice(0, 4 * MAX_ARGUMENTS);
  return JSON.stringify(value).slice(0, 4 * MAX_ARGUMENTS);
}

function memoryPart(
  event: EventOf<"memory.card"> | EventOf<"memory.ingested"> | EventOf<"memory.learned">,
): Partial<MemoryRecord> {
  if (event.type === "memory.card")
    return { recalled: event.data.parts.filter(({ kind }) => kind !== "persona").length };
  if (event.type === "memory.ingested") {
    const { error, "conclave.retrieved": recalled } = event.data;
    return {
      ...(recalled !== undefined && { recalled }),
      ...(error && { said: oneLine(`Not remembered: ${error.message}`, MAX_SAID) }),
    };
  }
  const { data } = event;
  const learnt = data["conclave.learned"];
  const skipped = data.error?.message ?? data["conclave.skipped"];
  const added = (learnt?.added ?? []).slice(0, MAX_LEARNT).map(({ text }) => text);
  return {
    extracted: data["conclave.extracted"],
    updated: data["conclave.updated"],
    ...(learnt && { rejected: learnt.rejected.length }),
    by: oneLine(data["gen_ai.request.model"] ?? data["conclave.by"] ?? "", MAX_NAME),
    said: oneLine(skipped ?? added.join(" · "), MAX_SAID),
  };
}
