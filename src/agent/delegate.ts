import { findAgent, type AgentCatalog, type AgentDefinition } from "./agents/definition.ts";
import type { Emitter } from "./emitter.ts";
import { CANCELLED, failure, type Failure } from "./failure.ts";
import type { AgentTape } from "./fork/tapes.ts";
import type { Delegated } from "./loop/types.ts";
import { nearestName } from "./nearest-name.ts";
import type { ToolSchema } from "./models/types.ts";
import { oncePer } from "./once-per.ts";
import { sameList } from "./same-list.ts";
import { agentTools, keepTools } from "./select-tools.ts";
import { cutAtGrapheme } from "./text.ts";
import type { Delegation, ToolOutcome, ToolSet } from "./tool.ts";
import type { AgentJob, AgentOutcome, TurnDeps, TurnInput } from "./turn-types.ts";

/** The tool by which agents ask each other. */
export const ASK_AGENT = "ask_agent";

/** How deep questions go: whoever was asked by one that was asked itself asks nobody. */
const MAX_DEPTH = 2;
/** Questions that one agent may put to others while it works. */
const MAX_QUESTIONS = 6;
/** Of the turn's steps and tokens, what a delegate gets whose file sets no limit. */
const PART_OF_TURN = 1 / 2;
/** Seconds for a delegate whose file sets no limit. */
const SECONDS = 600;
/** Agents that the tool's description lists. */
const MAX_LISTED = 20;
/** Longest description of one of them, in UTF-16 units. */
const MAX_ABOUT = 100;

/** How `runAgent` looks; given from there, because it also needs what is made here. */
type Run = (job: AgentJob, input: TurnInput, deps: TurnDeps) => Promise<AgentOutcome>;

/**
 * The way for one agent to ask others. Each answers a question of its own, apart from the conversation, under the call
 * it came from, with its own tools, model and limits. Chains that are too long or turn back on themselves are refused
 * with a sentence for the model. Nothing of it throws.
 */
export function createDelegate(
  job: AgentJob,
  input: TurnInput,
  deps: TurnDeps,
  emitter: Emitter,
  run: Run,
): (request: Delegation, eventId: string, tape?: AgentTape) => Promise<Delegated> {
  const chain = [...(job.lineage ?? []), job.name];
  let questions = 0;
  return async (request, eventId, tape) => {
    const { agent, question, signal } = request;
    const found = findAgent(input.agents, agent);
    if (found === undefined) return refused(unknownAgent(agent, input.agents, job.name));
    const why = whyNot(found, chain, questions);
    if (why !== undefined) {
      emitter.warn("delegation_refused", why, { agent: found.name });
      return refused(failure("bad_input", why));
    }
    questions += 1;
    const delegated = jobOf(found, question, eventId, chain, input);
    const goesOn = tape?.agent === found.name ? { ...delegated, tape } : delegated;
    return told(await run(goesOn, input, { ...deps, signal }), signal);
  };
}

/** Why an agent may not be asked, for the model; nothing when it may. */
function whyNot({ name }: AgentDefinition, chain: readonly string[], questions: number): string | undefined {
  const same = chain.find((one) => one.toLowerCase() === name.toLowerCase());
  if (same !== undefined) {
    return same === chain.at(-1)
      ? `You are ${name} yourself. Answer with what you know.`
      : `${name} waits for your answer already and can't be asked. Answer with what you know.`;
  }
  if (chain.length > MAX_DEPTH) {
    return `${name} was not asked: you were asked by another agent that was asked itself, and there it ends. Answer with what you know.`;
  }
  if (questions < MAX_QUESTIONS) return undefined;
  return `${name} was not asked: you have asked ${MAX_QUESTIONS} times, which is the limit. Answer with what you have.`;
}

function jobOf(
  definition: AgentDefinition,
  question: string,
  eventId: string,
  lineage: readonly string[],
  input: TurnInput,
): AgentJob {
  const { limits, model, name, prompt } = definition;
  const { maxSteps, tokenBudget } = input.settings;
  return {
    name,
    definition,
    role: "delegate",
    parentId: eventId,
    question,
    tail: prompt,
    tools: agentTools(input.tools, definition),
    lineage,
    // What the user chose for the turn was not chosen for those who are asked on the way.
    ...(model !== undefined && { model }),
    limits: {
      steps: limits.steps ?? Math.max(1, Math.ceil(maxSteps * PART_OF_TURN)),
      tokens: limits.tokens ?? Math.ceil(tokenBudget * PART_OF_TURN),
      seconds: limits.seconds ?? SECONDS,
    },
  };
}

function told(answer: AgentOutcome, signal: AbortSignal): Delegated {
  const { name, outcome, usage, sources, chained, agentId, model } = answer;
  if (outcome !== "answered") {
    const problem = signal.aborted ? CANCELLED : (answer.error ?? failure("internal", "It gave no answer."));
    return { outcome: { ok: false, failure: asOfTool(name, problem), retryable: false }, usage };
  }
  const beside =
    chained === undefined ? "" : `\n\n${chained.tool} was called with it and gave:\n${chained.result}`;
  const outcomeOfTool: ToolOutcome = {
    ok: true,
    content: `${name} answers:\n${answer.answer}${beside}`,
    details: {
      summary: `${name} answered with ${model}`,
      ...(sources.length > 0 && { sources }),
      data: { agent: name, agent_id: agentId, model, steps: answer.steps },
    },
  };
  return { outcome: outcomeOfTool, usage };
}

/** Its code is the delegate's own affair: a model that it misses is no missing model of who asked. */
function asOfTool(name: string, problem: Failure): Failure {
  if (problem.code === "cancelled" || problem.code === "timeout") return problem;
  return failure("tool_failed", `${name} gave no answer. ${problem.message}`, { cause: problem.code });
}

function refused(problem: Failure): Delegated {
  return { outcome: { ok: false, failure: problem, retryable: false }, usage: {} };
}

function unknownAgent(wanted: string, { agents }: AgentCatalog, self: string): Failure {
  const known = agents.map(({ name }) => name).filter((name) => name !== self);
  const near = nearestName(wanted, known);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  const list = known.slice(0, MAX_LISTED).join(", ");
  const name = cutAtGrapheme(wanted, 80);
  return failure("bad_input", `There is no agent "${name}".${hint} The agents are: ${list}.`);
}

/**
 * The tools of a turn with the one that asks other agents told of in words that name them, the same for all speakers;
 * without it when there is nobody to ask but `self` (the agent that answers the turn alone).
 */
export function withDelegation(tools: ToolSet, { agents }: AgentCatalog, self: string | undefined): ToolSet {
  if (!tools.schemas.some(({ name }) => name === ASK_AGENT)) return tools;
  const others = askable(agents);
  const isAlone = others.every(({ name }) => name.toLowerCase() === self?.toLowerCase());
  if (isAlone) return keepTools(tools, (name) => name !== ASK_AGENT);
  const schemas = tools.schemas.map((schema) =>
    schema.name === ASK_AGENT ? naming(schema, listed(agents)) : schema,
  );
  return { ...tools, schemas: sameList(schemas), find: (name) => tools.find(name) };
}

function askable(agents: readonly AgentDefinition[]): readonly AgentDefinition[] {
  return agents.filter(({ kind }) => kind !== "synthesizer");
}

/** The agents in words, for whoever may ask them. */
const listed = oncePer((agents: readonly AgentDefinition[]): string => {
  const others = askable(agents).slice(0, MAX_LISTED);
  return `The agents are: ${others.map(({ name, description }) => aboutAgent(name, description)).join("; ")}.`;
});

interface Naming {
  readonly agents: string;
  readonly schema: ToolSchema;
}

const namings = new WeakMap<ToolSchema, Naming>();

/** The tool told of in words that name the agents: the same schema for as long as those are the same. */
function naming(schema: ToolSchema, agents: string): ToolSchema {
  const known = namings.get(schema);
  if (known?.agents === agents) return known.schema;
  const named = { ...schema, description: `${schema.description} ${agents}` };
  namings.set(schema, { agents, schema: named });
  return named;
}

function aboutAgent(name: string, description: string): string {
  const about = cutAtGrapheme(description.replace(/\s+/g, " ").trim(), MAX_ABOUT).replace(/[.;\s]+$/, "");
  return about === "" ? name : `${name} (${about})`;
}
