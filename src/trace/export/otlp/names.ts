/*
 * What an exported trace is made of. A turn is a trace; its root is the span `invoke_workflow {agent}`. Names of the
 * OpenTelemetry GenAI conventions stand where there is one, ours begin with `conclave.`.
 *
 *   span                          event(s)                        parent
 *   invoke_workflow {agent}       turn.start, turn.end            none: the root of the trace
 *   invoke_workflow committee     committee.start, committee.end  root
 *   invoke_workflow round {n}     round.start, round.end          committee, sandbox
 *   invoke_workflow sandbox       sandbox.start, sandbox.end      root
 *   invoke_agent {name}           agent.start, agent.end          root, committee, round, sandbox, a delegating tool
 *   chat {model}                  model.start, model.end          the agent: a step is no span of its own
 *   execute_tool {name}           tool.request, tool.result       the agent
 *   search_memory, create_memory  the same, of a memory tool      that execute_tool
 *   search_memory                 memory.card                     the event's parent
 *   create_memory                 memory.ingested, memory.learned root
 *
 * Everything else is an event of the span that it belongs to (`SPAN_EVENTS`). A kind of event that is not known here
 * is one too, by its own name, with its data as JSON.
 *
 * A trace's id is the turn's, a span's id the event's; the root span's is the second half of the turn's. Ids that are
 * not of that form (a foreign log) are hashed, and `conclave.id` holds the one that the log has.
 */

/** Names of `gen_ai.operation.name`. */
export const OPERATIONS = {
  workflow: "invoke_workflow",
  agent: "invoke_agent",
  chat: "chat",
  tool: "execute_tool",
  searchMemory: "search_memory",
  createMemory: "create_memory",
} as const;

/** Names of span events. */
export const SPAN_EVENTS = {
  /** On the root: the question, in `content`. VS Code's log takes the title of a trace from it. */
  question: "user_message",
  /** On what is judged: a grade, a verdict, a reward, feedback. */
  evaluation: "gen_ai.evaluation.result",
  warning: "conclave.warning",
  check: "conclave.model.check",
  budget: "conclave.context.budget",
  compacted: "conclave.context.compacted",
  restored: "conclave.context.restored",
  /** On the root: what respondent B answered; its work is an `invoke_agent` of the role `shadow`. */
  shadow: "conclave.shadow.answer",
  output: "conclave.output.structured",
  ranking: "conclave.committee.ranking",
  message: "conclave.sandbox.message",
} as const;

/** Names of evaluations, in `gen_ai.evaluation.name`. */
export const EVALUATIONS = {
  /** A critic's grade: the value is 1 to 5, absent when it gave none; the label says `ungraded` then. */
  grade: "grade",
  /** A person's correction of a grade, likewise. */
  corrected: "grade corrected",
  /** The label is `A`, `B` or `tie`. */
  pairwise: "pairwise",
  /** The label is `up`, `down` or `none`. */
  feedback: "feedback",
  /** The value lies within -1 and 1. */
  reward: "reward",
} as const;

/** Names of attributes, with what each holds. Absent ones were not known. */
export const ATTRIBUTES = {
  /** One of `OPERATIONS`. On every span. */
  operation: "gen_ai.operation.name",
  /** The session's id. On every root, agent and chat span. */
  conversation: "gen_ai.conversation.id",
  workflow: "gen_ai.workflow.name",
  agent: "gen_ai.agent.name",
  /** Such as `ollama`. On chat spans. */
  provider: "gen_ai.provider.name",
  model: "gen_ai.request.model",
  /** A number as a string. */
  temperature: "gen_ai.request.temperature",
  seed: "gen_ai.request.seed",
  maxTokens: "gen_ai.request.max_tokens",
  /** How hard the model was to think: `conclave.think` of the request. */
  reasoning: "gen_ai.request.reasoning.level",
  stream: "gen_ai.request.stream",
  responseModel: "gen_ai.response.model",
  finishReasons: "gen_ai.response.finish_reasons",
  /** Seconds as a string; `conclave.first_chunk_ms` has the milliseconds. */
  firstChunk: "gen_ai.response.time_to_first_chunk",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  /** JSON: `[{role, parts: [{type: "text" | "reasoning" | "tool_call" | "tool_call_response", ...}]}]`. */
  inputMessages: "gen_ai.input.messages",
  /** JSON, likewise. On chat spans what the model gave, on agents and the root their answer. */
  outputMessages: "gen_ai.output.messages",
  /** JSON: `[{type: "function", name, description, parameters}]`. On agents. */
  tools: "gen_ai.tool.definitions",
  tool: "gen_ai.tool.name",
  callId: "gen_ai.tool.call.id",
  /** JSON. */
  callArguments: "gen_ai.tool.call.arguments",
  /** What the model was given, as it is. */
  callResult: "gen_ai.tool.call.result",
  memoryQuery: "gen_ai.memory.query.text",
  memoryCount: "gen_ai.memory.record.count",
  /** JSON: `[{content, id?, score?, metadata?}]`. */
  memoryRecords: "gen_ai.memory.records",
  evaluation: "gen_ai.evaluation.name",
  /** A number as a string. */
  scoreValue: "gen_ai.evaluation.score.value",
  scoreLabel: "gen_ai.evaluation.score.label",
  explanation: "gen_ai.evaluation.explanation",
  /** The code of the failure, or `cancelled`. */
  errorType: "error.type",
  /** JSON: the whole failure. */
  error: "conclave.error",
  /** Of the event in our log. */
  id: "conclave.id",
  /** `answered`, `failed`, `cancelled`; `interrupted` when the log has no end for the span. */
  outcome: "conclave.outcome",
  respondent: "conclave.respondent",
  /** Milliseconds since the epoch: its texts were forgotten then. */
  forgotten: "conclave.forgotten",
  /** In a fork: the id of the event that the span repeats. */
  replays: "conclave.replays",
  /** The index of the step, from 1, and its id: on chat and tool spans. */
  step: "conclave.step",
  stepId: "conclave.step_id",
  protocol: "conclave.protocol",
  /** Root: `conclave.*` of turn.start; the fork as JSON. */
  parentTurn: "conclave.parent_turn_id",
  door: "conclave.door",
  fork: "conclave.fork",
  background: "conclave.background",
  query: "conclave.query",
  /** JSON: `[{label, uri, text}]`. */
  references: "conclave.references",
  answer: "conclave.answer",
  /** Addresses and titles, side by side. */
  sources: "conclave.source_uris",
  sourceTitles: "conclave.source_titles",
  steps: "conclave.steps",
  /** JSON: what the turn adds to its conversation, in our own form. */
  messages: "conclave.messages",
  /** Milliseconds, rounded. */
  duration: "conclave.duration_ms",
  firstChunkMs: "conclave.first_chunk_ms",
  load: "conclave.load_ms",
  prompt: "conclave.prompt_ms",
  generation: "conclave.generation_ms",
  thinkingTime: "conclave.thinking_ms",
  contextLength: "conclave.context_length",
  recovered: "conclave.recovered_from",
  mended: "conclave.mended",
  chained: "conclave.chained",
  attempts: "conclave.attempts",
  /** One line for people, and all details as JSON: `{summary, sources?, data?}`. */
  summary: "conclave.summary",
  details: "conclave.details",
  role: "conclave.role",
  host: "conclave.host",
  sample: "conclave.sample",
  /** JSON: the data of the event as the log has it, where no attribute of its own holds it. */
  data: "conclave.data",
  /** JSON: the data of the event that ends the span, likewise. */
  endData: "conclave.end_data",
  /** On a span event: the type in our log (`warning`, `user.feedback`, ...). */
  type: "conclave.type",
  /** On the resource: in words, what the export left out. */
  leftOut: "conclave.export.left_out",
  /** On the resource: the version of our event schema. */
  schema: "conclave.schema",
} as const;

/** The tools whose call is a search of memory, or writes to it. */
export const MEMORY_TOOLS: ReadonlyMap<string, "search_memory" | "create_memory"> = new Map([
  ["search_memory", OPERATIONS.searchMemory],
  ["search_knowledge_graph", OPERATIONS.searchMemory],
  ["search", OPERATIONS.searchMemory],
  ["get_moments", OPERATIONS.searchMemory],
  ["save_memory", OPERATIONS.createMemory],
  ["save_moments", OPERATIONS.createMemory],
  ["update_user_metadata", OPERATIONS.createMemory],
]);
