import type { Emitter } from "./emitter.ts";
import type { AnsweredCall, Outcome, ToolProtocol } from "./events.ts";
import type { Failure } from "./failure.ts";
import type { Gate } from "./gate.ts";
import type { Identity } from "./ids.ts";
import type { ChatMessage, ChatModel, JsonObject, RunnerOptions, Think } from "./models/types.ts";
import type { Prompt } from "./prompt.ts";
import type { ProtocolAdapter } from "./protocol.ts";
import type { StopCondition, StopReason } from "./stop-conditions.ts";
import type { Timer } from "./timer.ts";
import type { Source, ToolSet } from "./tool.ts";

/** What one run of the loop works on. */
export interface LoopInput {
  readonly model: ChatModel;
  readonly tools: ToolSet;
  /** The protocol to begin with; the server's errors may change it. */
  readonly protocol: ToolProtocol;
  readonly prompt: Prompt;
  /** The question as the user put it; tools are told. */
  readonly question: string;
  /** Ids of the newest of the earlier turns: those that are the session's own. */
  readonly pastTurnIds: readonly string[];
  readonly runner: RunnerOptions;
  /** Upper bound of output tokens of one model call. */
  readonly maxOutputTokens: number;
  readonly think?: Think;
  readonly temperature?: number;
  readonly seed?: number;
  /** JSON schema of the answer, for calls in which no tools are offered. */
  readonly format?: JsonObject;
  readonly stop: StopCondition;
}

/** What the server's errors taught about a model. */
export interface Lesson {
  readonly protocol?: ToolProtocol;
  /** False: it can't think. */
  readonly think?: false;
}

/** What the loop works with. */
export interface LoopDeps {
  readonly emitter: Emitter;
  readonly identity: Identity;
  /** The turn's signal. */
  readonly signal: AbortSignal;
  readonly timer: Timer;
  readonly adapter: (protocol: ToolProtocol) => ProtocolAdapter;
  /** Holds a model call back while the server is busy with others. */
  readonly gate: Gate;
  /** What is recalled for the question, by how the model gets tools; nothing at once where nothing is wanted. Must not throw. */
  readonly recall: (protocol: ToolProtocol) => Promise<ChatMessage | undefined> | undefined;
  /** Hears what is to be remembered about the model. Must not throw. */
  readonly learn: (lesson: Lesson) => void;
}

/** Token counts of a turn; absent when no model call reported them. */
export interface TurnUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** What a run of the loop came to. */
export interface LoopOutcome {
  readonly outcome: Outcome;
  /** The answer, or what had been streamed of it when the turn broke off. */
  readonly answer: string;
  readonly thinking: string;
  readonly calls: readonly AnsweredCall[];
  /** What the turn adds to the conversation after the question: well-formed, without thinking. */
  readonly messages: readonly ChatMessage[];
  readonly sources: readonly Source[];
  readonly usage: TurnUsage;
  readonly steps: number;
  /** How many of the earlier turns still fitted: the newest ones. */
  readonly history: number;
  readonly error?: Failure;
}

/** A run of the loop on its way: the only state there is, owned by `runLoop` and handed to its helpers. */
export interface Run {
  readonly input: LoopInput;
  readonly deps: LoopDeps;
  protocol: ToolProtocol;
  think: Think | undefined;
  /** Earlier turns that are still sent. */
  history: readonly (readonly ChatMessage[])[];
  /** What was recalled, before the question. */
  recalled: ChatMessage | undefined;
  /** What followed the question, as the model is sent it: thinking and corrections included. */
  readonly own: ChatMessage[];
  /** Of `own`, the calls and results that the conversation goes on with. */
  readonly kept: ChatMessage[];
  readonly answered: AnsweredCall[];
  readonly sources: Map<string, Source>;
  readonly thoughts: string[];
  /** Ids of calls that were given out in this turn. */
  readonly callIds: Set<string>;
  /** See `Progress.repeats`. */
  readonly repeats: Map<string, number>;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  /** Steps begun: the index of the newest one. */
  index: number;
  /** Steps that count against the limit. */
  steps: number;
  /** Why the model gets no more tools, once that is so. */
  stopped: Exclude<StopReason, { code: "cancelled" }> | undefined;
  /** How often each kind of trouble was met. */
  readonly met: { empty: number; broken: number; unparsable: number };
}
