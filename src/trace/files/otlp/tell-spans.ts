import { isJsonList, isJsonObject } from "../../../agent/json.ts";
import type { JsonObject } from "../../../agent/models/types.ts";
import { ATTRIBUTES as A } from "../../export/otlp/names.ts";
import { givenTo, saidBy } from "./messages.ts";
import type { SpanEvent } from "./attributes.ts";
import type { Span } from "./span.ts";
import type { Place, Teller } from "./teller.ts";
import { failureOf } from "./trace.ts";
import { count, json, maybe, number, object, text, texts } from "./values.ts";

/** Token counts, where they are told. */
export function usageOf({ attributes }: Span): JsonObject {
  return {
    ...maybe("gen_ai.usage.input_tokens", count(attributes, A.inputTokens)),
    ...maybe("gen_ai.usage.output_tokens", count(attributes, A.outputTokens)),
  };
}

/** How long a span took, in milliseconds. */
export function durationOf({ attributes, start, end }: Span): number {
  return count(attributes, A.duration) ?? end - start;
}

/** How a span ended. */
export function outcomeOf(span: Span): "answered" | "failed" | "cancelled" {
  const told = text(span.attributes, A.outcome);
  if (told === "answered" || told === "failed" || told === "cancelled") return told;
  return failureOf(span) === undefined ? "answered" : "failed";
}

/** A request to a model, and what came of it. */
export function tellChat(teller: Teller, span: Span, place: Place): void {
  const { attributes } = span;
  const model = text(attributes, A.model) ?? text(attributes, A.responseModel) ?? "";
  teller.tell("model.start", place, {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": text(attributes, A.provider) ?? text(attributes, "gen_ai.system") ?? "",
    "gen_ai.request.model": model,
    ...maybe("gen_ai.request.temperature", number(attributes, A.temperature)),
    ...maybe("gen_ai.request.seed", number(attributes, A.seed)),
    "gen_ai.request.max_tokens": count(attributes, A.maxTokens) ?? 0,
    "conclave.context_length": count(attributes, A.contextLength) ?? 0,
    "conclave.think": text(attributes, A.reasoning) ?? "",
    "conclave.messages": givenTo(attributes),
    ...maybe("conclave.format", object(attributes, "conclave.format")),
  });
  const said = saidBy(attributes);
  teller.tell(
    "model.end",
    { ...place, time: span.end },
    {
      content: said?.content ?? "",
      thinking: said?.thinking ?? "",
      tool_calls: said?.calls ?? [],
      "gen_ai.response.model": text(attributes, A.responseModel) ?? model,
      "gen_ai.response.finish_reasons": texts(attributes, A.finishReasons),
      ...maybe("gen_ai.response.time_to_first_chunk", count(attributes, A.firstChunkMs)),
      "conclave.duration_ms": durationOf(span),
      ...maybe("conclave.load_ms", count(attributes, A.load)),
      ...maybe("conclave.prompt_ms", count(attributes, A.prompt)),
      ...maybe("conclave.generation_ms", count(attributes, A.generation)),
      ...maybe("conclave.thinking_ms", count(attributes, A.thinkingTime)),
      ...usageOf(span),
      ...maybe("error", failureOf(span)),
    },
  );
}

/** The name of a tool. */
export function toolOf({ attributes, name }: Span): string {
  return text(attributes, A.tool) ?? name.replace(/^execute_tool /, "");
}

/** A tool is called. */
export function tellCall(teller: Teller, span: Span, place: Place): void {
  const { attributes } = span;
  const mended = texts(attributes, A.mended);
  teller.tell("tool.request", place, {
    name: toolOf(span),
    arguments: json(attributes, A.callArguments) ?? attributes.get(A.callArguments) ?? {},
    "gen_ai.tool.call.id": text(attributes, A.callId) ?? "",
    ...(mended.length === 0 ? {} : { "conclave.mended": mended }),
    ...(attributes.get(A.chained) === true ? { "conclave.chained": true } : {}),
  });
}

/** The tool's call ended. */
export function tellResult(teller: Teller, span: Span, place: Place): void {
  const { attributes } = span;
  const result = attributes.get(A.callResult);
  const error = failureOf(span);
  teller.tell("tool.result", place, {
    name: toolOf(span),
    ...(result === undefined ? {} : { result: typeof result === "string" ? result : JSON.stringify(result) }),
    ...maybe("details", object(attributes, A.details)),
    ...maybe("error", error),
    "conclave.duration_ms": durationOf(span),
    "conclave.attempts": count(attributes, A.attempts) ?? 1,
  });
}

/** The tools that an agent was offered. */
export function tellTools(teller: Teller, span: Span, place: Place): void {
  const told = json(span.attributes, A.tools);
  if (!isJsonList(told)) return;
  const tools = told.filter(isJsonObject).flatMap((tool): JsonObject[] => {
    const { name, description, parameters } = tool;
    if (typeof name !== "string") return [];
    return [{ name, description: description ?? "", parameters: parameters ?? { type: "object" } }];
  });
  const protocol = text(span.attributes, A.protocol) ?? "native";
  teller.tell("tool.schema", place, { tools, "conclave.protocol": protocol });
}

/** What happened at one moment of a span. False when it is nothing that we know. */
export function tellEvent(teller: Teller, { name, time, attributes }: SpanEvent, place: Place): boolean {
  const type = text(attributes, A.type);
  const data = object(attributes, A.data);
  const id = text(attributes, A.id) ?? place.id;
  const respondent = text(attributes, A.respondent) ?? place.respondent;
  if (type !== undefined && data !== undefined) {
    const agent = text(attributes, A.agent) ?? place.agent;
    teller.tell(type, { ...place, id, time, agent, respondent }, data);
    return true;
  }
  if (name !== "gen_ai.evaluation.result") return false;
  const score = number(attributes, A.scoreValue);
  const label = [text(attributes, A.evaluation), text(attributes, A.scoreLabel) ?? score?.toString()];
  const words = [label.filter((part) => part !== undefined).join(": "), text(attributes, A.explanation)];
  teller.tell(
    "critique.result",
    { ...place, id, time, respondent },
    {
      // Scores of other scales are no grades of ours.
      score: score !== undefined && Number.isInteger(score) && score >= 1 && score <= 5 ? score : null,
      feedback: words.filter((part) => part !== undefined && part !== "").join("\n"),
      "gen_ai.request.model": "",
    },
  );
  return true;
}
