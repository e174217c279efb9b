import { relationText } from "../../agent/memory/text.ts";
import type { EpisodeNotes } from "../../agent/memory/port.ts";
import type { TurnId } from "../../agent/memory/types.ts";
import type { MemoryLine } from "../../trace/panel-memory.ts";
import { when } from "../format.ts";

/** A field of an open row, as words. */
export interface DetailField {
  readonly name: string;
  readonly text: string;
  /** The field that its editor changes. */
  readonly edit?: string;
  /** It may take a line of its own. */
  readonly long: boolean;
}

/** Fields that hold sentences. */
const LONG: ReadonlySet<string> = new Set([
  "fact",
  "in words",
  "your words",
  "also called",
  "address",
  "title",
]);

type MaybeField = readonly [name: string, text: string | undefined, edit?: string];

const share = (value: number) => value.toFixed(2);

function listOf(names: readonly string[] | undefined): string | undefined {
  return names === undefined || names.length === 0 ? undefined : names.join(", ");
}

/** Where it is remembered: the name of a folder. */
export function scopeWords({ row: { scope }, place }: MemoryLine): string {
  return scope === undefined || scope === "" ? "everywhere" : (place ?? "another workspace");
}

function timesWords(times: number): string {
  return times === 1 ? "once" : `${times} times`;
}

function time(value: number | null, now: number): string | undefined {
  return value === null ? undefined : when(value, now);
}

function gradeWords({ score = 0, scoreBy }: EpisodeNotes): string {
  return scoreBy === "user" ? `${score}/5, yours` : `${score}/5`;
}

/** What feedback is worth, what for, and since when it fades; nothing where it was taken back. */
function rewardWords({ reward, rewardFor, rewardAt }: EpisodeNotes, now: number): string | undefined {
  if (reward === undefined || (reward === 0 && rewardFor === "taken back")) return undefined;
  const since = rewardAt === undefined ? undefined : when(rewardAt, now);
  return [reward.toFixed(2), rewardFor, since].filter(Boolean).join(", ");
}

function ofEpisode(line: MemoryLine & { readonly table: "episodes" }, now: number): readonly MaybeField[] {
  const { row } = line;
  const { notes } = row;
  return [
    ["asked", when(row.time, now)],
    ["respondent", `${row.agent} ${row.respondent}`.trim()],
    ["model", row.model],
    ["kind", row.kind],
    ["intent", notes.intent ?? row.intent],
    ["about", listOf(notes.entities ?? row.entities)],
    ["sentiment", notes.sentiment],
    ["grade", notes.score === undefined ? undefined : gradeWords(notes)],
    ["verdict", notes.verdict],
    ["your opinion", notes.feedback === undefined ? undefined : `thumbs ${notes.feedback}`],
    ["reward", rewardWords(notes, now)],
    ["taken by you", notes.taken === true ? "yes" : undefined],
    ["files beside it", listOf(row.references?.map(({ label }) => label))],
    ["scope", scopeWords(line)],
  ];
}

function ofFact(line: MemoryLine & { readonly table: "facts" }, now: number): readonly MaybeField[] {
  const { row } = line;
  return [
    ["fact", row.text, "text"],
    ["about", row.subject, "subject"],
    ["kind", row.kind, "kind"],
    ["confidence", share(row.confidence), "confidence"],
    ["belongs to", row.owner === "user" ? "you" : row.owner],
    ["holds since", when(row.validFrom, now)],
    ["held until", time(row.validTo, now)],
    ["happens", time(row.eventFrom, now)],
    ["happens until", row.eventTo === row.eventFrom ? undefined : time(row.eventTo, now)],
    ["said", timesWords(row.mentions)],
    ["learnt by", row.by],
    ["your words", row.quote === "" ? undefined : `“${row.quote}”`],
    ["scope", scopeWords(line)],
  ];
}

function ofPerson(line: MemoryLine & { readonly table: "people" }, now: number): readonly MaybeField[] {
  const { row } = line;
  return [
    ["name", row.name, "name"],
    ["type", row.type, "type"],
    ["also called", listOf(row.aliases) ?? "nothing else", "aliases"],
    ["said", timesWords(row.mentions)],
    ["first heard of", when(row.createdAt, now)],
    ["last changed", when(row.updatedAt, now)],
    ["scope", scopeWords(line)],
  ];
}

function ofRelationship(
  line: MemoryLine & { readonly table: "relationships" },
  now: number,
): readonly MaybeField[] {
  const { row } = line;
  return [
    ["in words", relationText(row), "text"],
    ["relation", row.type, "type"],
    ["strength", share(row.strength), "strength"],
    ["belongs to", row.owner === "user" ? "you" : row.owner],
    ["holds since", when(row.validFrom, now)],
    ["held until", time(row.validTo, now)],
    ["said", timesWords(row.mentions)],
    ["scope", scopeWords(line)],
  ];
}

function ofResource(line: MemoryLine & { readonly table: "resources" }, now: number): readonly MaybeField[] {
  const { row } = line;
  return [
    ["title", row.title],
    ["address", row.uri],
    ["read", when(row.indexedAt, now)],
    ["scope", scopeWords(line)],
  ];
}

function ofMoment(line: MemoryLine & { readonly table: "moments" }, now: number): readonly MaybeField[] {
  const { row } = line;
  return [
    ["title", row.title, "title"],
    [row.to === row.from ? "when" : "from", when(row.from, now)],
    ["to", row.to === row.from ? undefined : when(row.to, now)],
    ["kept by", row.agent],
    ["kept", when(row.source.time, now)],
    ["scope", scopeWords(line)],
  ];
}

function fieldsFor(line: MemoryLine, now: number): readonly MaybeField[] {
  switch (line.table) {
    case "episodes":
      return ofEpisode(line, now);
    case "facts":
      return ofFact(line, now);
    case "people":
      return ofPerson(line, now);
    case "relationships":
      return ofRelationship(line, now);
    case "resources":
      return ofResource(line, now);
    case "moments":
      return ofMoment(line, now);
  }
}

/** The fields of an open row that say something. */
export function detailFields(line: MemoryLine, now: number): readonly DetailField[] {
  return fieldsFor(line, now).flatMap(([name, text, edit]) =>
    text === undefined || text === ""
      ? []
      : [{ name, text, long: LONG.has(name), ...(edit === undefined ? {} : { edit }) }],
  );
}

/** The turn that a row comes from. */
export function sourceOf(line: MemoryLine): TurnId | undefined {
  switch (line.table) {
    case "episodes":
    case "resources":
      return line.row;
    case "facts":
    case "relationships":
    case "moments":
      return line.row.source;
    case "people":
      return undefined;
  }
}

/** Other turns that a row tells of. */
export function toldTurns(line: MemoryLine): readonly TurnId[] {
  if (line.table !== "moments") return [];
  const { source, turns } = line.row;
  return turns.filter(({ turnId }) => turnId !== source.turnId);
}
