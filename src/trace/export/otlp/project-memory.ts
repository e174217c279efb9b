import type { EventOf } from "../../../agent/events.ts";
import { isJsonList, isJsonObject } from "../../../agent/json.ts";
import type { Json } from "../../../agent/models/types.ts";
import type { TraceDraft } from "./draft.ts";
import { memorySpanIdOf } from "./ids.ts";
import { ATTRIBUTES as A, MEMORY_TOOLS, OPERATIONS } from "./names.ts";
import { rounded, usage, whole } from "./values.ts";

/** A memory as the GenAI conventions write it. */
interface MemoryRecord {
  readonly content: string;
  readonly id?: string;
  readonly score?: number;
  readonly metadata?: Readonly<Record<string, Json>>;
}

/** One thing that a search gave: an episode with question and answer, or a line of text. */
function recordOf(hit: Json): readonly MemoryRecord[] {
  if (!isJsonObject(hit)) return [];
  const { id, score, question, answer, text, ...rest } = hit;
  const said = [question, answer, text].filter(
    (part): part is string => typeof part === "string" && part !== "",
  );
  if (said.length === 0) return [];
  return [
    {
      content: said.join("\n"),
      ...(typeof id === "string" && { id }),
      ...(typeof score === "number" && { score }),
      ...(Object.keys(rest).length > 0 && { metadata: rest }),
    },
  ];
}

/** Lists of a tool's details that hold memories. */
const LISTS = ["hits", "facts", "moments", "lines", "saved"];

function recordsOf(details: EventOf<"tool.result">["data"]["details"]): readonly MemoryRecord[] {
  const data = details?.data ?? {};
  return LISTS.flatMap((name) => {
    const list = data[name];
    return isJsonList(list) ? list.flatMap(recordOf) : [];
  });
}

/** A memory tool's call has a span for what memory did, within its own. */
export function projectMemoryTool(trace: TraceDraft, event: EventOf<"tool.result">): void {
  const operation = MEMORY_TOOLS.get(event.data.name);
  if (operation === undefined || !trace.has(event.id)) return;
  const { error, details } = event.data;
  const spanId = memorySpanIdOf(event.id);
  const records = recordsOf(details);
  const asked = details?.data?.["query"];
  trace.begin(
    { ...event, time: event.time - event.data["conclave.duration_ms"] },
    { name: operation, spanId, under: event.id },
    {
      [A.operation]: operation,
      ...(typeof asked === "string" && { [A.memoryQuery]: asked }),
      [A.memoryCount]: records.length,
      [A.memoryRecords]: whole(records),
    },
  );
  trace.end(spanId, event.time, error === undefined ? {} : { error }, {});
}

/** What was recalled before the question went to a model: a search that took no time of its own in the log. */
export function projectCard(trace: TraceDraft, event: EventOf<"memory.card">): void {
  const records = event.data.parts.map(({ text, id, kind }): MemoryRecord => ({
    content: text,
    ...(id !== undefined && { id }),
    metadata: { kind },
  }));
  trace.begin(
    event,
    { name: OPERATIONS.searchMemory },
    {
      [A.operation]: OPERATIONS.searchMemory,
      [A.memoryCount]: records.length,
      [A.memoryRecords]: whole(records),
      [A.type]: event.type,
      [A.data]: whole(event.data),
    },
  );
  trace.end(event.id, event.time, {}, {});
}

/** The turn was remembered: the span reaches back from its event by as long as it took. */
export function projectIngested(trace: TraceDraft, event: EventOf<"memory.ingested">): void {
  const { error } = event.data;
  const ids = event.data["conclave.episode_ids"];
  remembered(trace, event, { [A.memoryCount]: ids.length, "gen_ai.memory.record.id": ids[0] }, error);
}

/** What was learnt from the turn, likewise. */
export function projectLearned(trace: TraceDraft, event: EventOf<"memory.learned">): void {
  const { data } = event;
  const learned = data["conclave.learned"];
  const records = [...(learned?.added ?? []), ...(learned?.repeated ?? [])].map(
    ({ id, text }): MemoryRecord => ({ content: text, id }),
  );
  const told = {
    ...usage(data),
    [A.model]: data["gen_ai.request.model"],
    [A.memoryCount]: records.length,
    [A.memoryRecords]: whole(records),
  };
  remembered(trace, event, told, data.error);
}

function remembered(
  trace: TraceDraft,
  event: EventOf<"memory.ingested"> | EventOf<"memory.learned">,
  told: Parameters<TraceDraft["add"]>[1],
  error: EventOf<"memory.ingested">["data"]["error"],
): void {
  const { data } = event;
  trace.begin(
    { ...event, time: event.time - data["conclave.duration_ms"] },
    { name: OPERATIONS.createMemory, under: event.turnId },
    {
      [A.operation]: OPERATIONS.createMemory,
      [A.duration]: rounded(data["conclave.duration_ms"]),
      ...told,
      [A.type]: event.type,
      [A.data]: whole(data),
    },
  );
  trace.end(event.id, event.time, error === undefined ? {} : { error }, {});
}
