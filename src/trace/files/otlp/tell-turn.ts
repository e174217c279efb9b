import { isJsonList } from "../../../agent/json.ts";
import type { Json, JsonObject } from "../../../agent/models/types.ts";
import { ATTRIBUTES as A, OPERATIONS, SPAN_EVENTS } from "../../export/otlp/names.ts";
import { Breath } from "../breath.ts";
import { givenTo, lastQuestion, saidBy } from "./messages.ts";
import type { Span } from "./span.ts";
import { TurnWalk } from "./turn-walk.ts";
import { Teller } from "./teller.ts";
import { failureOf, operationOf, SpanTree } from "./trace.ts";
import { durationOf, outcomeOf, usageOf } from "./tell-spans.ts";
import { json, maybe, object, text, texts } from "./values.ts";

/** What a turn is told from. */
export interface TracePlace {
  readonly sessionId: string;
  /** The turn before it in its conversation, where the trace does not say which. */
  readonly before: string | null;
}

/** A turn as events, not checked yet, and how many spans and events of spans could not be told. */
export interface ToldTurn {
  readonly events: readonly JsonObject[];
  readonly untold: ReadonlyMap<string, number>;
}

/** The span of the whole turn; undefined where the trace has none. */
function wholeOf(tree: SpanTree): Span | undefined {
  const [root] = tree.roots;
  if (tree.roots.length !== 1 || root === undefined) return undefined;
  const operation = operationOf(root);
  // What we can tell by itself stands under the turn; what we can't may still hold it all together.
  return operation === undefined || operation === OPERATIONS.workflow ? root : undefined;
}

/** What was asked: told by the span of the turn, else found in what a model was given. */
async function questionOf(whole: Span | undefined, spans: readonly Span[]): Promise<string> {
  const marked = whole?.events.find(({ name }) => name === SPAN_EVENTS.question);
  const told = whole === undefined ? undefined : text(whole.attributes, A.query);
  const asked = told ?? (marked === undefined ? undefined : text(marked.attributes, "content"));
  if (asked !== undefined) return asked;
  const breath = new Breath();
  for (const span of spans) {
    await breath.take();
    const question = lastQuestion(givenTo(span.attributes));
    if (question !== undefined && question !== "") return question;
  }
  return "";
}

/** What was answered: told by the span of the turn, else what a model said last. */
async function answerOf(whole: Span | undefined, spans: readonly Span[]): Promise<string> {
  const told = whole === undefined ? undefined : text(whole.attributes, A.answer);
  if (told !== undefined) return told;
  const breath = new Breath();
  for (const span of [...(whole === undefined ? [] : [whole]), ...[...spans].reverse()]) {
    await breath.take();
    const said = saidBy(span.attributes)?.content ?? "";
    if (said !== "") return said;
  }
  return "";
}

function sourcesOf({ attributes }: Span): Json | undefined {
  const uris = texts(attributes, A.sources);
  const titles = texts(attributes, A.sourceTitles);
  return uris.length === 0 ? undefined : uris.map((uri, at) => ({ uri, title: titles[at] ?? "" }));
}

function startOf(whole: Span | undefined, { sessionId, before }: TracePlace): JsonObject {
  const attributes = whole?.attributes ?? new Map<string, Json>();
  return {
    "gen_ai.conversation.id": sessionId,
    "conclave.parent_turn_id": text(attributes, A.parentTurn) ?? before,
    "conclave.door": text(attributes, A.door) ?? "command",
    ...(attributes.get(A.background) === true ? { "conclave.background": true } : {}),
    ...maybe("conclave.fork", object(attributes, A.fork)),
  };
}

function endOf(whole: Span | undefined, question: string, answer: string): JsonObject {
  const kept = whole === undefined ? undefined : json(whole.attributes, A.messages);
  const messages = [
    { role: "user", content: question },
    ...(answer === "" ? [] : [{ role: "assistant", content: answer }]),
  ];
  return {
    outcome: whole === undefined ? "answered" : outcomeOf(whole),
    "conclave.messages": isJsonList(kept) ? kept : question === "" ? [] : messages,
    ...(whole === undefined ? {} : { ...usageOf(whole), ...maybe("error", failureOf(whole)) }),
  };
}

/** Who answered: in a trace of ours the root is named for it, elsewhere the first agent that is. */
function agentOf(whole: Span | undefined, inOrder: readonly Span[]): string {
  const root = whole === undefined ? [] : [whole];
  const ours = root.filter(({ attributes }) => attributes.has(A.door));
  const named = [
    ...root.map(({ attributes }) => text(attributes, A.agent)),
    ...ours.map(({ attributes }) => text(attributes, A.workflow)),
    ...inOrder.map(({ attributes }) => text(attributes, A.agent)),
  ];
  return named.find((name) => name !== undefined) ?? "agent";
}

/** Tells the spans of one trace as the events of a turn. */
export async function tellTurn(turnId: string, spans: readonly Span[], place: TracePlace): Promise<ToldTurn> {
  const tree = new SpanTree(spans);
  const teller = new Teller(place.sessionId, turnId);
  const whole = wholeOf(tree);
  const inOrder = [...spans].sort((one, other) => one.start - other.start);
  const start = whole?.start ?? inOrder[0]?.start ?? 0;
  const end = whole?.end ?? inOrder.reduce((last, span) => Math.max(last, span.end), start);
  const turn = { id: turnId, parentId: null };
  teller.agent = agentOf(whole, inOrder);
  teller.tell("turn.start", { ...turn, time: start }, startOf(whole, place));
  const question = await questionOf(whole, inOrder);
  const references = whole?.events.find(({ name }) => name === SPAN_EVENTS.question)?.attributes;
  teller.tell(
    "query.received",
    { id: teller.newId(), parentId: turnId, time: start },
    { query: question, ...maybe("references", references && json(references, A.references)) },
  );
  const walk = new TurnWalk(teller, tree);
  await walk.all(whole, end);
  const answer = await answerOf(whole, inOrder);
  if (answer !== "")
    teller.tell(
      "answer.dialog",
      { id: teller.newId(), parentId: turnId, time: end },
      { query: question, answer, ...maybe("conclave.sources", whole && sourcesOf(whole)) },
    );
  teller.tell(
    "turn.end",
    { ...turn, time: end },
    {
      ...endOf(whole, question, answer),
      "conclave.duration_ms": whole === undefined ? end - start : durationOf(whole),
      "conclave.steps": walk.steps,
    },
  );
  return { events: teller.all(), untold: walk.untold };
}
