import type { EventOf, TurnEvent, TurnEventType } from "../../../agent/events.ts";
import type { TraceDraft } from "./draft.ts";
import { inputMessages, outputMessages } from "./messages.ts";
import { ATTRIBUTES as A, EVALUATIONS, OPERATIONS, SPAN_EVENTS } from "./names.ts";
import { projectCard, projectIngested, projectLearned, projectMemoryTool } from "./project-memory.ts";
import type { AttributeValue } from "./room.ts";
import { rounded, usage, whole } from "./values.ts";

/** Puts one event into the spans of its turn. */
type Project<Type extends TurnEventType> = (trace: TraceDraft, event: EventOf<Type>) => void;

const turnStart: Project<"turn.start"> = (trace, event) => {
  const { data } = event;
  trace.root(event, {
    [A.parentTurn]: data["conclave.parent_turn_id"] ?? undefined,
    [A.door]: data["conclave.door"],
    [A.background]: data["conclave.background"],
    [A.fork]: whole(data["conclave.fork"]),
  });
};

const query: Project<"query.received"> = (trace, event) => {
  const { query: asked, references } = event.data;
  trace.mark({ ...event, parentId: event.turnId }, SPAN_EVENTS.question, {
    content: asked,
    [A.references]: whole(references),
  });
  trace.add(event.turnId, { [A.query]: asked });
};

const turnEnd: Project<"turn.end"> = (trace, event) => {
  const { outcome, error } = event.data;
  trace.end(
    event.turnId,
    event.time,
    { outcome, ...(error !== undefined && { error }) },
    {
      ...usage(event.data),
      [A.duration]: rounded(event.data["conclave.duration_ms"]),
      [A.steps]: event.data["conclave.steps"],
      [A.messages]: whole(event.data["conclave.messages"]),
    },
  );
};

const dialog: Project<"answer.dialog"> = (trace, event) => {
  const { query: asked, answer, "conclave.sources": sources = [] } = event.data;
  trace.add(event.turnId, {
    [A.inputMessages]: inputMessages([{ role: "user", content: asked }]),
    [A.outputMessages]: outputMessages({ content: answer }),
    [A.answer]: answer,
    ...(sources.length > 0 && {
      [A.sources]: sources.map(({ uri }) => uri),
      [A.sourceTitles]: sources.map(({ title }) => title),
    }),
  });
};

const agentStart: Project<"agent.start"> = (trace, event) => {
  const { data } = event;
  trace.begin(
    event,
    { name: `${OPERATIONS.agent} ${event.agent}` },
    {
      [A.operation]: OPERATIONS.agent,
      [A.conversation]: event.sessionId,
      [A.agent]: event.agent,
      [A.model]: data["gen_ai.request.model"],
      [A.role]: data["conclave.role"],
      [A.host]: data["conclave.host"],
      [A.sample]: data["conclave.sample"],
    },
  );
};

const toolSchema: Project<"tool.schema"> = (trace, event) => {
  const { tools } = event.data;
  const told = tools.map(({ name, description, parameters }) => ({
    type: "function",
    ...{ name, description, parameters },
  }));
  if (event.parentId !== null)
    trace.add(event.parentId, {
      [A.tools]: JSON.stringify(told),
      [A.protocol]: event.data["conclave.protocol"],
    });
};

const generation: Project<"response.generation"> = (trace, event) => {
  const { answer, thinking } = event.data;
  if (event.parentId !== null)
    trace.add(event.parentId, { [A.outputMessages]: outputMessages({ content: answer, thinking }) });
};

const agentEnd: Project<"agent.end"> = (trace, event) => {
  const { outcome, error } = event.data;
  trace.end(
    event.id,
    event.time,
    { outcome, ...(error !== undefined && { error }) },
    { ...usage(event.data), [A.duration]: rounded(event.data["conclave.duration_ms"]) },
  );
};

const modelStart: Project<"model.start"> = (trace, event) => {
  const { data } = event;
  trace.begin(
    event,
    { name: `${OPERATIONS.chat} ${data["gen_ai.request.model"]}`, kind: 3 },
    {
      [A.operation]: OPERATIONS.chat,
      [A.conversation]: event.sessionId,
      [A.agent]: event.agent,
      [A.provider]: data["gen_ai.provider.name"],
      [A.model]: data["gen_ai.request.model"],
      [A.temperature]: textOf(data["gen_ai.request.temperature"]),
      [A.seed]: data["gen_ai.request.seed"],
      [A.maxTokens]: data["gen_ai.request.max_tokens"],
      [A.reasoning]: data["conclave.think"],
      [A.stream]: true,
      [A.contextLength]: data["conclave.context_length"],
      "conclave.format": whole(data["conclave.format"]),
      [A.inputMessages]: inputMessages(data["conclave.messages"]),
    },
  );
};

const modelEnd: Project<"model.end"> = (trace, event) => {
  const { data } = event;
  const { content, thinking, tool_calls: calls, error } = data;
  const reasons = data["gen_ai.response.finish_reasons"];
  const firstChunk = data["gen_ai.response.time_to_first_chunk"];
  const [finishReason] = reasons;
  trace.end(event.id, event.time, error === undefined ? {} : { error }, {
    [A.responseModel]: data["gen_ai.response.model"],
    [A.finishReasons]: reasons,
    [A.firstChunk]: firstChunk === undefined ? undefined : String(firstChunk / 1_000),
    ...usage(data),
    [A.outputMessages]: outputMessages({
      ...{ content, thinking, calls },
      ...(finishReason !== undefined && { finishReason }),
    }),
    [A.duration]: rounded(data["conclave.duration_ms"]),
    [A.firstChunkMs]: rounded(firstChunk),
    [A.load]: rounded(data["conclave.load_ms"]),
    [A.prompt]: rounded(data["conclave.prompt_ms"]),
    [A.generation]: rounded(data["conclave.generation_ms"]),
    [A.thinkingTime]: rounded(data["conclave.thinking_ms"]),
    [A.recovered]: data["conclave.recovered_from"],
  });
};

const toolRequest: Project<"tool.request"> = (trace, event) => {
  const { data } = event;
  trace.begin(
    event,
    { name: `${OPERATIONS.tool} ${data.name}` },
    {
      [A.operation]: OPERATIONS.tool,
      [A.agent]: event.agent,
      [A.tool]: data.name,
      "gen_ai.tool.type": "function",
      [A.callId]: data["gen_ai.tool.call.id"],
      [A.callArguments]: whole(data.arguments),
      [A.mended]: data["conclave.mended"],
      [A.chained]: data["conclave.chained"],
      [A.recovered]: data["conclave.recovered_from"],
    },
  );
};

const toolResult: Project<"tool.result"> = (trace, event) => {
  const { result, details, error } = event.data;
  projectMemoryTool(trace, event);
  trace.end(event.id, event.time, error === undefined ? {} : { error }, {
    [A.callResult]: result,
    [A.summary]: details?.summary,
    [A.details]: whole(details),
    [A.duration]: rounded(event.data["conclave.duration_ms"]),
    [A.attempts]: event.data["conclave.attempts"],
  });
};

/** A piece of work whose data is ours alone: it is kept as it is, as JSON. */
function workflow(name: (event: TurnEvent) => string): (trace: TraceDraft, event: TurnEvent) => void {
  return (trace, event) => {
    const called = name(event);
    trace.begin(
      event,
      { name: `${OPERATIONS.workflow} ${called}` },
      { [A.operation]: OPERATIONS.workflow, [A.workflow]: called, [A.data]: whole(event.data) },
    );
  };
}

const workflowEnd = (
  trace: TraceDraft,
  event: EventOf<"committee.end"> | EventOf<"sandbox.end"> | EventOf<"round.end">,
): void => {
  const ending = event.type === "round.end" ? {} : { outcome: event.data.outcome };
  const error = event.type === "sandbox.end" ? event.data.error : undefined;
  trace.end(
    event.id,
    event.time,
    { ...ending, ...(error !== undefined && { error }) },
    { ...(event.type === "round.end" ? {} : usage(event.data)), [A.endData]: whole(event.data) },
  );
};

/** Something that happened within a span, with its data as JSON. */
function marked(name: string): (trace: TraceDraft, event: TurnEvent) => void {
  return (trace, event) => {
    trace.mark(event, name, { [A.type]: event.type, [A.data]: whole(event.data) });
  };
}

/** A judgement: scores are strings, since doubles get lost on the way into some tools. */
function evaluated<Type extends TurnEventType>(
  name: string,
  read: (event: EventOf<Type>) => {
    readonly value?: number | null;
    readonly label: string;
    readonly explanation: string | undefined;
  },
): Project<Type> {
  return (trace, event) => {
    const { value, label, explanation } = read(event);
    trace.mark(event, SPAN_EVENTS.evaluation, {
      [A.evaluation]: name,
      [A.scoreValue]: textOf(value ?? undefined),
      [A.scoreLabel]: label,
      [A.explanation]: explanation,
      // What is worth something is whose answer it was.
      ...(event.type === "reward.event" && { [A.agent]: event.agent }),
      [A.type]: event.type,
      [A.data]: whole(event.data),
    });
  };
}

function graded(score: number | null): string {
  return score === null ? "ungraded" : `${score} of 5`;
}

function textOf(value: number | undefined): AttributeValue {
  return value === undefined ? undefined : String(value);
}

/** By type. States of agents and the ends of steps are told by the spans themselves; deltas are in no log. */
const PROJECTIONS: { readonly [Type in TurnEventType]?: Project<Type> } = {
  "turn.start": turnStart,
  "query.received": query,
  "turn.end": turnEnd,
  "answer.dialog": dialog,
  "agent.start": agentStart,
  "agent.transition": () => undefined,
  "agent.end": agentEnd,
  "tool.schema": toolSchema,
  "response.generation": generation,
  "step.start": (trace, event) =>
    trace.step(event, {
      [A.step]: event.data.index,
      [A.stepId]: event.id,
      [A.protocol]: event.data["conclave.protocol"],
    }),
  "step.end": () => undefined,
  "model.start": modelStart,
  "model.delta": () => undefined,
  "model.end": modelEnd,
  "tool.request": toolRequest,
  "tool.result": toolResult,
  warning: marked(SPAN_EVENTS.warning),
  "committee.start": workflow(() => "committee"),
  "committee.ranking": marked(SPAN_EVENTS.ranking),
  "committee.end": workflowEnd,
  "round.start": workflow((event) => (event.type === "round.start" ? `round ${event.data.index}` : "round")),
  "round.end": workflowEnd,
  "sandbox.start": workflow(() => "sandbox"),
  "sandbox.message": marked(SPAN_EVENTS.message),
  "sandbox.end": workflowEnd,
  "context.budget": marked(SPAN_EVENTS.budget),
  "context.compacted": marked(SPAN_EVENTS.compacted),
  "context.restored": marked(SPAN_EVENTS.restored),
  "output.structured": marked(SPAN_EVENTS.output),
  "memory.card": projectCard,
  "memory.ingested": projectIngested,
  "memory.learned": projectLearned,
  "critique.result": evaluated(EVALUATIONS.grade, ({ data: { score, feedback } }) => ({
    value: score,
    label: graded(score),
    explanation: feedback,
  })),
  "critique.corrected": evaluated(EVALUATIONS.corrected, ({ data: { score, reason } }) => ({
    value: score,
    label: graded(score),
    explanation: reason,
  })),
  "pairwise.result": evaluated(EVALUATIONS.pairwise, ({ data: { winner, feedback } }) => ({
    label: winner ?? "tie",
    explanation: feedback,
  })),
  "shadow.answer": (trace, event) => {
    const { agent, type, data } = event;
    trace.mark(event, SPAN_EVENTS.shadow, { [A.agent]: agent, [A.type]: type, [A.data]: whole(data) });
  },
  "user.feedback": evaluated(EVALUATIONS.feedback, ({ data }) => ({
    label: data.rating,
    explanation: data.note ?? data["conclave.evidence"],
  })),
  "reward.event": evaluated(EVALUATIONS.reward, ({ data: { reward, reason } }) => ({
    value: reward,
    label: reward > 0 ? "good" : reward < 0 ? "poor" : "none",
    explanation: reason,
  })),
};

/** Puts an event into the spans of its turn. Kinds that are not known are kept as events of their span. */
export function project(trace: TraceDraft, event: TurnEvent): void {
  trace.seen(event.time);
  if (event.type !== "turn.start") trace.root(event, {});
  if (event.forgotten !== undefined) trace.forgotten(event.forgotten);
  const known = Object.hasOwn(PROJECTIONS, event.type) ? PROJECTIONS[event.type] : undefined;
  if (known === undefined) marked(`conclave.${event.type}`)(trace, event);
  else (known as (trace: TraceDraft, event: TurnEvent) => void)(trace, event);
}
