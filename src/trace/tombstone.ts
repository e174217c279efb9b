import { isJsonList, isJsonObject } from "../agent/json.ts";
import type { Json, JsonObject } from "../agent/models/types.ts";

/** What stands in place of a text that was forgotten: the day in the reader's own zone. */
export function tombstoneText(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `Forgotten on ${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}.`;
}

/** Whether a text is one that stands in the place of what was forgotten. */
export function isTombstone(text: string): boolean {
  return /^Forgotten on \d{4}-\d\d-\d\d\.$/.test(text);
}

/** What makes the data of a kind of event free of text; `text` is the tombstone. */
type Cleaner = (data: JsonObject, text: string) => JsonObject;

const keep: Cleaner = (data) => data;

/** A text that was there becomes the tombstone; one that was empty stays so, since that says something too. */
function inPlace(value: Json | undefined, text: string): Json {
  return value === "" || value === undefined ? "" : text;
}

/** Its code says what kind of failure it was; its words may hold what was asked. */
function cleanError(data: JsonObject, text: string): JsonObject {
  const { error } = data;
  if (!isJsonObject(error)) return {};
  return { error: { code: error["code"] ?? "internal", message: text } };
}

function withoutError({ error: _error, ...rest }: JsonObject): JsonObject {
  return rest;
}

function cleanCall(call: Json, text: string): Json {
  if (!isJsonObject(call)) return {};
  return {
    ...(typeof call["id"] === "string" ? { id: call["id"] } : {}),
    name: call["name"] ?? "",
    arguments: {},
    ...("result" in call ? { result: text } : {}),
  };
}

function cleanCalls(calls: Json | undefined, text: string): Json {
  return isJsonList(calls) ? calls.map((call) => cleanCall(call, text)) : [];
}

/** A message with its role and the ids of its calls only: so many messages it stays. */
export function cleanMessage(message: Json, text: string): Json {
  if (!isJsonObject(message)) return { role: "user", content: text };
  const { role, toolName, toolCallId, toolCalls } = message;
  return {
    role: role ?? "user",
    content: inPlace(message["content"], text),
    ...(toolName === undefined ? {} : { toolName }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(toolCalls === undefined ? {} : { toolCalls: cleanCalls(toolCalls, text) }),
  };
}

function cleanMessages(messages: Json | undefined, text: string): Json {
  return isJsonList(messages) ? messages.map((one) => cleanMessage(one, text)) : [];
}

/** What a tool gave, and what the model was told of it. */
export const cleanResult: Cleaner = (data, text) => ({
  ...withoutError(data),
  ...(data["result"] === undefined ? {} : { result: text }),
  ...(data["details"] === undefined ? {} : { details: { summary: text } }),
  ...cleanError(data, text),
});

/** What was changed for a fork is text; what it branches off is not. */
const cleanFork: Cleaner = (data, text) => {
  const fork = data["conclave.fork"];
  if (!isJsonObject(fork)) return data;
  return { ...data, "conclave.fork": { ...fork, edits: cleanRows(fork["edits"], ["text"], text) } };
};

/** Objects in a list lose the texts that are named; names, models and figures stay. */
function cleanRows(rows: Json | undefined, texts: readonly string[], text: string): Json {
  if (!isJsonList(rows)) return [];
  return rows.map((row) => {
    if (!isJsonObject(row)) return {};
    const cleaned: Record<string, Json> = {};
    for (const name of texts) if (name in row) cleaned[name] = inPlace(row[name], text);
    return { ...withoutError(row), ...cleaned, ...cleanError(row, text) };
  });
}

function cleanVerdict(verdict: Json | undefined, text: string): Json {
  if (!isJsonObject(verdict)) return { minority: [] };
  const { best, majority, minority } = verdict;
  return {
    ...(isJsonObject(best) ? { best: { ...best, answer: text } } : {}),
    ...(isJsonObject(majority) ? { majority: { ...majority, answer: text } } : {}),
    minority: cleanRows(minority, ["answer"], text),
  };
}

/** A summary stands for what it replaced only as long as it is there. */
export const cleanCompaction: Cleaner = ({ summary: _summary, ...data }, text) => ({
  ...withoutError(data),
  ...cleanError(data, text),
});

/** The episodes go with what they said. */
function withoutEpisodes(data: JsonObject): JsonObject {
  return "conclave.episode_ids" in data ? { ...data, "conclave.episode_ids": [] } : data;
}

/** What a judge said, and what stood in the place of a grade: both may repeat the answer. */
const cleanJudgement: Cleaner = ({ "conclave.raw": _raw, ...data }, text) => ({
  ...withoutError(data),
  feedback: inPlace(data["feedback"], text),
  ...("conclave.ungraded" in data && { "conclave.ungraded": text }),
  ...cleanError(data, text),
});

/** By kind of event. What is not listed keeps nothing: newer versions may say things that this one can't judge. */
const CLEANERS: Readonly<Record<string, Cleaner>> = {
  "turn.start": cleanFork,
  "agent.start": keep,
  "agent.transition": keep,
  "tool.schema": keep,
  "step.start": keep,
  "step.end": keep,
  "query.received": (_data, text) => ({ query: text }),
  "model.start": (data, text) => ({
    ...data,
    "conclave.messages": cleanMessages(data["conclave.messages"], text),
  }),
  "model.end": (data, text) => ({
    ...withoutError(data),
    content: inPlace(data["content"], text),
    thinking: inPlace(data["thinking"], text),
    tool_calls: cleanCalls(data["tool_calls"], text),
    ...cleanError(data, text),
  }),
  "tool.request": ({ "conclave.mended": _mended, ...data }) => ({ ...data, arguments: {} }),
  "tool.result": cleanResult,
  warning: ({ code = "" }, text) => ({ code, message: text }),
  "response.generation": (data, text) => ({
    answer: inPlace(data["answer"], text),
    thinking: inPlace(data["thinking"], text),
    tool_calls: cleanCalls(data["tool_calls"], text),
  }),
  "answer.dialog": (_data, text) => ({ query: text, answer: text }),
  "agent.end": (data, text) => ({ ...withoutError(data), ...cleanError(data, text) }),
  // The conversation does not go on from it.
  "turn.end": (data, text) => ({ ...withoutError(data), "conclave.messages": [], ...cleanError(data, text) }),
  "memory.ingested": (data) => ({
    "conclave.episode_ids": [],
    "conclave.duration_ms": data["conclave.duration_ms"] ?? 0,
  }),
  "memory.learned": ({ "conclave.learned": _learned, "conclave.skipped": _skipped, ...data }, text) => ({
    ...withoutError(data),
    "conclave.episode_ids": [],
    ...cleanError(data, text),
  }),
  "user.feedback": ({ note: _note, "conclave.evidence": _evidence, ...data }) => data,
  "reward.event": (data, text) => ({ ...withoutEpisodes(data), reason: inPlace(data["reason"], text) }),
  "critique.result": cleanJudgement,
  "critique.corrected": (data, text) => ({ ...data, reason: inPlace(data["reason"], text) }),
  "pairwise.result": (data, text) => ({
    ...withoutEpisodes(cleanJudgement(data, text)),
    ...("conclave.orders" in data && {
      "conclave.orders": cleanRows(data["conclave.orders"], ["feedback", "raw"], text),
    }),
  }),
  "shadow.answer": (data, text) => ({
    ...withoutError(withoutEpisodes(data)),
    answer: inPlace(data["answer"], text),
    ...cleanError(data, text),
  }),
  "shadow.taken": withoutEpisodes,
  "committee.start": keep,
  "round.start": keep,
  "round.end": ({ "conclave.agreement": _agreement, ...data }, text) => ({
    ...data,
    positions: cleanRows(data["positions"], ["answer", "reason"], text),
  }),
  "committee.ranking": keep,
  "committee.end": (data, text) => ({
    ...data,
    "conclave.verdict": cleanVerdict(data["conclave.verdict"], text),
  }),
  "output.structured": ({ value: _value, ...data }, text) => ({
    ...withoutError(data),
    ...cleanError(data, text),
  }),
  "context.budget": keep,
  "context.compacted": cleanCompaction,
  "context.restored": keep,
  "sandbox.start": (data, text) => ({ ...data, scenario: inPlace(data["scenario"], text), opening: text }),
  "sandbox.message": (data, text) => ({ ...data, content: text }),
  "sandbox.end": (data, text) => ({ ...withoutError(data), ...cleanError(data, text) }),
  "memory.card": (data, text) => ({ text, tokens: data["tokens"] ?? 0, parts: [] }),
};

/** An event of a turn that is forgotten, as the log goes on to hold it: ids, times and figures stay, texts don't. */
export function buriedEvent(event: JsonObject, time: number): JsonObject {
  // It keeps the day on which it was forgotten first.
  if (typeof event["forgotten"] === "number") return event;
  const { type, data } = event;
  const clean = typeof type === "string" && Object.hasOwn(CLEANERS, type) ? CLEANERS[type] : undefined;
  const cleaned = clean === undefined || !isJsonObject(data) ? {} : clean(data, tombstoneText(time));
  return { ...event, data: cleaned, forgotten: time };
}
