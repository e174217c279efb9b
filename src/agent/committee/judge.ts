import type { AgentDefinition } from "../agents/definition.ts";
import type { SourcedText } from "../message-parts.ts";
import type { JsonObject } from "../models/types.ts";
import { NO_TOOLS } from "../tool.ts";
import { runAgent } from "../run-agent.ts";
import type { AgentOutcome } from "../turn-types.ts";
import type { Member } from "./cast.ts";
import { tokensLeft } from "./speak.ts";
import type { Sitting } from "./deliberation.ts";

/** A question about the members' answers whose own answer is an object. */
export interface Judgement {
  /** Who judges. */
  readonly member: Pick<Member, "name" | "model" | "host">;
  /** What stands behind the question: the answers, the task, and last what is only for this judge. */
  readonly behind: readonly SourcedText[];
  /** It is asked the question alone, apart from the conversation and without tools. */
  readonly isApart?: boolean;
  /** The object's fields, by name, all of them required. */
  readonly properties: JsonObject;
}

/**
 * Asks for a judgement with one call: constrained to its form, without thinking and without tools of its own, behind
 * the prompt that the members share. Never throws; an outcome without `output` is no judgement.
 */
export async function judge(judgement: Judgement, sitting: Sitting): Promise<AgentOutcome> {
  const { input, deps, emitter, settings, ledger, rooms, company } = sitting;
  const { member, behind, properties, isApart = false } = judgement;
  const { request } = input;
  const left = tokensLeft(sitting);
  const outcome = await runAgent(
    {
      name: member.name,
      definition: definitionOf(member.name, properties),
      role: "judge",
      parentId: emitter.agentId,
      tail: behind,
      model: member.model,
      ...(member.host !== undefined && { host: member.host }),
      tools: isApart ? NO_TOOLS : rooms.tools,
      ...(isApart ? { question: request.question } : { company }),
      answerOnly: true,
      limits: { seconds: settings.seconds, ...(left !== undefined && { tokens: left }) },
    },
    { ...input, request: { ...request, options: { ...request.options, think: false } } },
    deps,
  );
  ledger.add(outcome);
  return outcome;
}

/** What judges are, by the fields that they fill in: what is made of their schema is kept with them. */
const definitions = new WeakMap<JsonObject, AgentDefinition>();

function definitionOf(name: string, properties: JsonObject): AgentDefinition {
  const known = definitions.get(properties);
  if (known?.name === name) return known;
  const definition: AgentDefinition = {
    name,
    description: "",
    kind: "agent",
    prompt: "",
    limits: {},
    properties,
    required: Object.keys(properties),
    structuredOutput: true,
    source: { origin: "built-in" },
  };
  definitions.set(properties, definition);
  return definition;
}
