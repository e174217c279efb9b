import { planNext, readState, type DemoPlan } from "./demo-plan.ts";
import { isObject } from "./json.ts";
import { delay, done, pieces, text, thinking, toolCall } from "./replies.ts";
import { smallestValue } from "./schema.ts";
import type { ChatBody, ChatRequestView, ReplyStep, ScriptedModel } from "./types.ts";

/** The models that the demo server says it has. */
export const DEMO_MODELS: readonly ScriptedModel[] = [
  {
    name: "conclave-demo:latest",
    capabilities: ["completion", "tools", "thinking"],
    family: "demo",
    parameterSize: "0B (a script)",
    quantization: "none",
    size: 0,
  },
  {
    name: "conclave-demo-plain:latest",
    capabilities: ["completion"],
    family: "demo",
    parameterSize: "0B (a script)",
    quantization: "none",
    size: 0,
  },
];

/** The demo model's reply to a request, a token every `tokenMs` milliseconds. */
export function* demoReply(
  { body }: ChatRequestView,
  tokenMs: number,
): Generator<ReplyStep, undefined, undefined> {
  const plan = planNext(readState(body));
  const canThink = body.model.startsWith("conclave-demo") && !body.model.startsWith("conclave-demo-plain");
  if (canThink && body.think !== false) yield* paced(pieces(plan.thought).map(thinking), tokenMs);
  if (body.format !== undefined) {
    yield* paced((formatted(plan, body.format).match(/[^]{1,6}/gu) ?? []).map(text), tokenMs);
  } else if (plan.call !== undefined && body.tools.length > 0) {
    yield* paced([toolCall(plan.call.name, plan.call.arguments)], tokenMs);
  } else {
    yield* paced(pieces(written(plan, body)).map(text), tokenMs);
  }
  yield done();
}

function* paced(steps: readonly ReplyStep[], tokenMs: number): Generator<ReplyStep, undefined, undefined> {
  for (const step of steps) {
    if (tokenMs > 0) yield delay(tokenMs);
    yield step;
  }
}

/** The plan as text: in the form of ReAct where the prompt asks for it. */
function written(plan: DemoPlan, body: ChatBody): string {
  const isReact = body.messages.some((message) => message.content.includes("Action Input:"));
  if (!isReact) return plan.answer;
  if (plan.call === undefined) return `Thought: ${plan.thought}\nFinal Answer: ${plan.answer}`;
  const input = JSON.stringify(plan.call.arguments);
  return `Thought: ${plan.thought}\nAction: ${plan.call.name}\nAction Input: ${input}`;
}

/** What a reader for memory is asked for, among other things. */
const READERS_PROPERTY = "facts";

/** What a judge is asked for, and what the script says where one is: labelled, so that nobody takes it for a grade. */
const JUDGES_PROPERTIES = { score: 4, winner: "tie" } as const;
const JUDGES_FEEDBACK = "This grade is part of the demo: a script has judged nothing.";

/**
 * The plan as JSON that the schema allows: the alternative of its tool, or the one that has an answer. A script can't
 * read what somebody said: it says so, and rules do that work.
 */
function formatted(plan: DemoPlan, format: unknown): string {
  if (!isObject(format)) return JSON.stringify({ answer: plan.answer });
  const properties = isObject(format["properties"]) ? format["properties"] : {};
  if (READERS_PROPERTY in properties) return "A script can't read for memory.";
  const judged = Object.entries(JUDGES_PROPERTIES).find(([name]) => name in properties);
  if (judged !== undefined && "feedback" in properties)
    return JSON.stringify({ feedback: JUDGES_FEEDBACK, [judged[0]]: judged[1] });
  const chosen = alternatives(format).find((one) => fits(one, plan)) ?? format;
  const value = smallestValue({ ...chosen, $defs: format["$defs"] }, plan.answer || "demo");
  return JSON.stringify(isObject(value) ? filled(value, plan) : value);
}

function alternatives(format: Record<string, unknown>): readonly Record<string, unknown>[] {
  const listed = format["anyOf"] ?? format["oneOf"];
  return Array.isArray(listed) ? (listed as readonly unknown[]).filter(isObject) : [];
}

function fits(schema: Record<string, unknown>, plan: DemoPlan): boolean {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  if (plan.call === undefined) return "answer" in properties;
  const wanted = JSON.stringify(plan.call.name);
  return Object.values(properties).some(
    (property) =>
      isObject(property) && JSON.stringify(property["const"] ?? property["enum"] ?? null).includes(wanted),
  );
}

function filled(value: Record<string, unknown>, plan: DemoPlan): Record<string, unknown> {
  const parts: Readonly<Record<string, unknown>> = {
    thought: plan.thought.slice(0, 200).toWellFormed(),
    answer: plan.answer,
    ...(plan.call === undefined ? {} : { arguments: plan.call.arguments }),
  };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, parts[name] ?? inner]));
}
