import type {
  AgentEnd,
  AgentStart,
  AgentTransition,
  OutputStructured,
  ResponseGeneration,
  ToolSchemaEvent,
} from "./events-agent.ts";
import type { MemoryCardEvent, MemoryIngested, MemoryLearned } from "./events-after.ts";
import type {
  CommitteeEnd,
  CommitteeRanking,
  CommitteeStart,
  RoundEnd,
  RoundStart,
} from "./events-committee.ts";
import type { ContextBudget, ContextCompacted, ContextRestored } from "./events-context.ts";
import type { JudgedEvent } from "./events-judged.ts";
import type { SandboxEnd, SandboxMessage, SandboxStart } from "./events-sandbox.ts";
import type {
  ModelCheck,
  ModelDelta,
  ModelEnd,
  ModelStart,
  StepEnd,
  StepStart,
  ToolRequest,
  ToolResult,
} from "./events-step.ts";
import type { AnswerDialog, QueryReceived, TurnEnd, TurnStart } from "./events-turn.ts";
import type { Warning } from "./events-warning.ts";

export type { EventBase, Outcome, ToolProtocol, UsageData } from "./event-base.ts";
export type * from "./events-agent.ts";
export type * from "./events-step.ts";
export type * from "./events-turn.ts";
export type * from "./events-warning.ts";

/** The version of the event schema, written in the first line of every log. */
export const SCHEMA_VERSION = 1;

/** Everything that can happen in and around a turn. */
export type TurnEvent =
  | TurnStart
  | QueryReceived
  | AgentStart
  | AgentTransition
  | ToolSchemaEvent
  | StepStart
  | ModelStart
  | ModelDelta
  | ModelEnd
  | ModelCheck
  | ToolRequest
  | ToolResult
  | StepEnd
  | Warning
  | CommitteeStart
  | RoundStart
  | RoundEnd
  | CommitteeRanking
  | CommitteeEnd
  | OutputStructured
  | ContextBudget
  | ContextCompacted
  | ContextRestored
  | SandboxStart
  | SandboxMessage
  | SandboxEnd
  | ResponseGeneration
  | AgentEnd
  | AnswerDialog
  | TurnEnd
  | MemoryIngested
  | MemoryLearned
  | MemoryCardEvent
  | JudgedEvent;

/** The name of a kind of event. */
export type TurnEventType = TurnEvent["type"];

/** Events by their names. */
export type EventOf<Type extends TurnEventType> = Extract<TurnEvent, { readonly type: Type }>;

/** Takes events as they happen. Must not throw. */
export type EventSink = (event: TurnEvent) => void;
