import type { EventOf } from "../../agent/events.ts";
import type { ChatMessage, JsonObject, ToolSchema } from "../../agent/models/types.ts";
import { isJsonObject } from "../../agent/json.ts";
import { cutAtGrapheme } from "../../agent/text.ts";
import { diffWords } from "../word-diff.ts";
import { lengthOf, prefixDifference } from "./prefix.ts";
import { envelopeOf, rawRequest, sentTools } from "./raw.ts";
import { segmentsOf, type Segment } from "./segments.ts";
import type { FoundRequest } from "./source.ts";
import type { MessageHead, PrefixView, RequestView, SourceShare, WordPiece } from "./types.ts";

/** Characters of a message that come with its line; a message that is no longer is whole. */
const SHOWN = 400;

/** Bytes of the tools in the list, and characters of one description, a schema of the answer, a name, a value. */
const TOOLS_BYTES = 40 * 1024;
const MAX_DESCRIPTION = 400;
const MAX_FORMAT = 4_000;
const MAX_NAME = 100;
const MAX_OPTIONS = 30;

/** Tokens that are worth a word when a server reads them again, and milliseconds that are felt. */
const WORTH_TOKENS = 256;
const FELT_MS = 500;

type StartData = EventOf<"model.start">["data"];

/** One request, laid open: its messages as lines, and all that was sent with them. */
export interface OpenRequest {
  readonly view: RequestView;
  readonly heads: readonly MessageHead[];
  /** The body as it was sent. */
  readonly json: string;
}

/** Lays a request open. A large one takes time: what it gives is worth keeping. */
export function openRequest(found: FoundRequest): OpenRequest {
  const { request, question } = found;
  const { start, end, offered } = request;
  const messages = start.data["conclave.messages"];
  const segments = segmentsOf(messages, question);
  const tools = sentTools(start, offered);
  const raw = rawRequest(start, offered, end);
  const format = start.data["conclave.format"];
  const prefix = prefixOf(found);
  return {
    json: raw.json,
    heads: messages.map((message, index) => headOf(message, index, segments[index] ?? [])),
    view: {
      eventId: start.id,
      messages: messages.length,
      characters: messages.reduce((sum, message) => sum + lengthOf(message), 0),
      shares: sharesOf(messages, segments, tools, found),
      options: optionsOf(start.data, envelopeOf(start, end)),
      tools: within(tools.map(shownTool), TOOLS_BYTES),
      ...(request.offeredBy !== undefined && { toolsEventId: request.offeredBy }),
      toolCount: start.data["conclave.tools_sent"] ?? 0,
      ...(format && { format: cutAtGrapheme(JSON.stringify(format, null, 2), MAX_FORMAT) }),
      raw: { length: raw.json.length, exact: raw.exact },
      ...(prefix && { prefix }),
      ended: end !== undefined,
    },
  };
}

/** The first of some values, as many as fit in so many bytes of JSON; one at least. */
export function within<T>(values: readonly T[], bytes: number): readonly T[] {
  let used = 0;
  const end = values.findIndex((value, index) => {
    used += Buffer.byteLength(JSON.stringify(value)) + 1;
    return index > 0 && used > bytes;
  });
  return end < 0 ? values : values.slice(0, end);
}

/** A message of a request as a line. */
export function headOf(message: ChatMessage, index: number, segments: readonly Segment[]): MessageHead {
  const { role, content } = message;
  const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
  return {
    index,
    role,
    length: content.length,
    thinking: message.role === "assistant" ? (message.thinking?.length ?? 0) : 0,
    callsLength: calls.length === 0 ? 0 : JSON.stringify(calls, null, 2).length,
    segments,
    text: cutAtGrapheme(content, SHOWN),
    ...(message.role === "tool" && { tool: cutAtGrapheme(message.toolName, MAX_NAME) }),
    ...(calls.length > 0 && { calls: calls.slice(0, 20).map(({ name }) => cutAtGrapheme(name, MAX_NAME)) }),
  };
}

function shownTool({ name, description }: ToolSchema): RequestView["tools"][number] {
  return {
    name: cutAtGrapheme(name, MAX_NAME),
    description: cutAtGrapheme(description, MAX_DESCRIPTION),
  };
}

/** What was sent beside the messages, by the server's own names where the log holds them. */
function optionsOf(data: StartData, envelope: JsonObject | undefined): RequestView["options"] {
  const rows = envelope === undefined ? oldOptions(data) : flatOptions(envelope);
  return rows
    .filter(([name]) => name !== "model" && name !== "stream")
    .slice(0, MAX_OPTIONS)
    .map(([name, value]) => [cutAtGrapheme(name, MAX_NAME), cutAtGrapheme(value, MAX_NAME)]);
}

function flatOptions(envelope: JsonObject): readonly (readonly [string, string])[] {
  return Object.entries(envelope).flatMap(([name, value]) =>
    isJsonObject(value)
      ? Object.entries(value).map(([inner, one]) => [inner, JSON.stringify(one)] as const)
      : [[name, typeof value === "string" ? value : JSON.stringify(value)] as const],
  );
}

function oldOptions(data: StartData): readonly (readonly [string, string])[] {
  const rows: readonly (readonly [string, string | number | undefined])[] = [
    ["num_ctx", data["conclave.context_length"]],
    ["num_predict", data["gen_ai.request.max_tokens"]],
    ["temperature", data["gen_ai.request.temperature"]],
    ["seed", data["gen_ai.request.seed"]],
    ["think", data["conclave.think"]],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));
}

/** What each source takes, in the order in which they first stand; tools that went apart come first. */
function sharesOf(
  messages: readonly ChatMessage[],
  segments: readonly (readonly Segment[])[],
  tools: readonly ToolSchema[],
  { request, calibration }: FoundRequest,
): readonly SourceShare[] {
  const sizes = new Map<SourceShare["source"], { characters: number; bytes: number }>();
  const add = (source: SourceShare["source"], text: string): void => {
    const size = sizes.get(source) ?? { characters: 0, bytes: 0 };
    size.characters += text.length;
    size.bytes += Buffer.byteLength(text);
    sizes.set(source, size);
  };
  if (tools.length > 0) add("offered_tools", JSON.stringify(tools));
  for (const [index, message] of messages.entries()) {
    const own = segments[index] ?? [];
    for (const { source, start, length } of own) add(source, message.content.slice(start, start + length));
    if (message.role !== "assistant") continue;
    const beside = `${message.thinking ?? ""}${message.toolCalls ? JSON.stringify(message.toolCalls) : ""}`;
    if (beside !== "") add(own[0]?.source ?? "reply", beside);
  }
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size.bytes, 0);
  const counted = request.end?.data["gen_ai.usage.input_tokens"];
  const perByte = bytes === 0 ? 0 : (counted ?? (bytes / 3.5) * calibration) / bytes;
  return [...sizes]
    .filter(([, size]) => size.characters > 0)
    .map(([source, size]) => ({
      source,
      characters: size.characters,
      tokens: Math.round(size.bytes * perByte),
    }));
}

function prefixOf(found: FoundRequest): PrefixView | undefined {
  const { request, before } = found;
  if (before === undefined) return undefined;
  const [one, other] = [before.start, request.start];
  const difference = prefixDifference(one.data["conclave.messages"], other.data["conclave.messages"]);
  const { place, ...same } = difference;
  const tokens = request.end?.data["gen_ai.usage.input_tokens"];
  const share = same.characters === 0 ? 0 : same.sameCharacters / same.characters;
  const role = place && (other.data["conclave.messages"][place.message]?.role ?? "none");
  const readAgain = readAgainOf(found, share);
  return {
    before: { turnId: one.turnId, eventId: one.id, agent: one.agent },
    earlierTurn: one.turnId !== other.turnId,
    ...same,
    sameTokens: Math.round((tokens ?? (same.characters / 3.5) * found.calibration) * share),
    otherwise: otherwise(found),
    ...(place && {
      place: {
        message: place.message,
        role: role ?? "none",
        what: place.what,
        skipped: place.skipped,
        words: boundedWords(diffWords(place.before, place.after)),
      },
    }),
    ...(readAgain && { readAgain }),
  };
}

/** Pieces of a comparison that are posted at most. */
const MAX_PIECES = 400;

function boundedWords(words: readonly WordPiece[]): readonly WordPiece[] {
  return words.slice(0, MAX_PIECES);
}

function otherwise({ request, before }: FoundRequest): PrefixView["otherwise"] {
  if (before === undefined) return [];
  const [one, other] = [before.start.data, request.start.data];
  const tools = (sent: FoundRequest["request"]): string =>
    JSON.stringify(sentTools(sent.start, sent.offered));
  return [
    ...(tools(before) === tools(request) ? [] : (["tools"] as const)),
    ...(one["conclave.think"] === other["conclave.think"] ? [] : (["thinking"] as const)),
    ...(one["conclave.context_length"] === other["conclave.context_length"]
      ? []
      : (["context length"] as const)),
  ];
}

/** Whether a server took as long for a prompt as if it had kept nothing of it, though it had read much of it before. */
function readAgainOf(
  { request, readingSpeed }: FoundRequest,
  share: number,
): PrefixView["readAgain"] | undefined {
  const tokens = request.end?.data["gen_ai.usage.input_tokens"];
  const promptMs = request.end?.data["conclave.prompt_ms"];
  if (tokens === undefined || promptMs === undefined || readingSpeed === undefined) return undefined;
  const expectedMs = (tokens * (1 - share)) / readingSpeed;
  const wholeMs = tokens / readingSpeed;
  const isMuch = tokens * share >= WORTH_TOKENS && promptMs >= FELT_MS;
  if (!isMuch || promptMs < 2 * expectedMs || promptMs < wholeMs / 2) return undefined;
  const loadMs = request.end?.data["conclave.load_ms"] ?? 0;
  return { promptMs, expectedMs: Math.round(expectedMs), loaded: loadMs >= 1_000 };
}
