import type { ModelContext } from "../budget/model-context.ts";
import type { CountedPrompt } from "../budget/calibration.ts";
import type { GivenResults } from "../budget/repeats.ts";
import type { SumUp } from "../budget/summarise.ts";
import type { Emitter } from "../emitter.ts";
import type { AnsweredCall, Outcome, ToolProtocol } from "../events.ts";
import type { Failure } from "../failure.ts";
import type { AgentTape, StepTape } from "../fork/tapes.ts";
import type { Gate } from "../gate.ts";
import type { Identity } from "../ids.ts";
import type { ChatMessage, ChatModel, JsonObject, RunnerOptions, Think } from "../models/types.ts";
import type { Prompt, ToldNote } from "../prompt.ts";
import type { ProtocolAdapter, StepForm } from "../protocol.ts";
import type { StopCondition, StopReason } from "./stop-conditions.ts";
import type { AskedCall } from "../asked-calls.ts";
import type { Timer } from "../timer.ts";
import type { ChainedResult, OutputSpec, OutputState, StructuredOutput } from "../structured/output-types.ts";
import type { Delegation, Source, ToolOutcome, ToolSet } from "../tool.ts";

/** What one run of the loop works on. */
export interface LoopInput {
  readonly model: ChatModel;
  readonly tools: ToolSet;
  /** The protocol to begin with; the server's errors may change it. */
  readonly protocol: ToolProtocol;
  /** Once its calls were answered it is offered no more tools: a small model would call for ever. */
  readonly callsOnce?: true;
  /** Where its output is constrained it is asked by one word whether it needs a tool, before its first step. */
  readonly gated?: true;
  /** Calls that the question's form asks for: made in the first step, before the model is asked. */
  readonly askedCalls?: readonly AskedCall[];
  /** A result that says all is the answer: a small model would only say it again, or something else. */
  readonly endsWithResult?: true;
  readonly prompt: Prompt;
  /** The question as the user put it; tools are told. */
  readonly question: string;
  /** The context of its model in this turn: the earlier turns, and how much each part may take. */
  readonly context: ModelContext;
  /** Plain estimated tokens of what was attached to the question. */
  readonly referenceTokens: number;
  readonly runner: RunnerOptions;
  /** Upper bound of output tokens of one model call. */
  readonly maxOutputTokens: number;
  readonly think?: Think;
  readonly temperature?: number;
  readonly seed?: number;
  /** JSON schema of the answer, for calls in which no tools are offered. */
  readonly format?: JsonObject;
  /** The answer is an object; left out: it is text. */
  readonly output?: OutputSpec;
  readonly stop: StopCondition;
  /** In a fork: steps that are played before it goes on by itself. */
  readonly tape?: readonly StepTape[];
}

/** What became of a question to another agent. */
export interface Delegated {
  readonly outcome: ToolOutcome;
  /** Of the agent that was asked, and of those it asked. */
  readonly usage: TurnUsage;
}

/** What the server's errors taught about a model. */
export interface Lesson {
  readonly protocol?: ToolProtocol;
  /** False: it can't think. */
  readonly think?: false;
  /** Turns in a row in which it called and no call could be run. */
  readonly wrongTurns?: number;
}

/** What was recalled for a question. */
export interface Recalled {
  /** It stands before the question; left out: there is nothing. */
  readonly message?: ChatMessage;
  /** What the user told a small model, the best first: it is asked which of it answers the question. Left out: it is not. */
  readonly told?: readonly ToldNote[];
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
  readonly recall: (protocol: ToolProtocol) => Promise<Recalled | undefined> | undefined;
  /** Hears what is to be remembered about the model. Must not throw. */
  readonly learn: (lesson: Lesson) => void;
  /** Knows how the model's server counts tokens. */
  readonly counts: PromptCounts;
  /** Sums earlier turns up; left out: they are not summed up. */
  readonly sumUp?: SumUp;
  /** Asks another agent, as a part of the call with this event's id; left out: there is none. Must not throw. */
  readonly delegate?: (request: Delegation, eventId: string, tape?: AgentTape) => Promise<Delegated>;
}

/** Takes what a model's server says of the length of prompts. Must not throw. */
export interface PromptCounts {
  /** It counted a prompt; tells whether it looks as if it had cut it. */
  counted(prompt: CountedPrompt): { readonly truncated: boolean };
  /** It refused a prompt as too long. */
  refused(prompt: Omit<CountedPrompt, "counted">): void;
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
  /** Its delegates' use included. */
  readonly usage: TurnUsage;
  readonly steps: number;
  /** Calls that were run. */
  readonly ran: number;
  readonly error?: Failure;
  /** The object that a structured agent gave; `answer` shows it. */
  readonly output?: StructuredOutput;
  /** What the tool gave that was called with it. */
  readonly chained?: ChainedResult;
}

/** A run of the loop on its way: the only state there is, owned by `runLoop` and handed to its helpers. */
export interface Run {
  readonly input: LoopInput;
  readonly deps: LoopDeps;
  protocol: ToolProtocol;
  think: Think | undefined;
  /** How far it is with the object that it has to give; nothing where the answer is text. */
  readonly output: OutputState | undefined;
  /** What was recalled, before the question. */
  recalled: ChatMessage | undefined;
  /** The notes that the answer is to be taken from, where there are any. */
  told: readonly ToldNote[];
  /** What the first step is to be, by the model's own word. */
  form: StepForm | undefined;
  /** No more than a sentence or two is asked for. */
  isShort: boolean;
  /** The turn's answer, where no model need be asked for it. */
  answer: string | undefined;
  /** What followed the question, as the model is sent it: thinking and corrections included. */
  readonly own: ChatMessage[];
  /** Of `own`, the calls and results that the conversation goes on with. */
  readonly kept: ChatMessage[];
  readonly answered: AnsweredCall[];
  readonly sources: Map<string, Source>;
  readonly thoughts: string[];
  /** Calls that were understood and run. */
  ran: number;
  /** Ids of calls that were given out in this turn. */
  readonly callIds: Set<string>;
  /** Calls that only read, whose results the model has in full. */
  readonly given: GivenResults;
  /** Plain estimated tokens of the newest request. */
  estimate: number;
  /** See `Progress.repeats`. */
  readonly repeats: Map<string, number>;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  /** Steps begun: the index of the newest one. */
  index: number;
  /** Steps that count against the limit. */
  steps: number;
  /** Steps that are still to be played. */
  readonly tape: StepTape[];
  /** The step that is played now. */
  playing: StepTape | undefined;
  /** Why the model gets no more tools, once that is so. */
  stopped: Exclude<StopReason, { code: "cancelled" }> | undefined;
  /**
   * How often each kind of trouble was met; `insisted`: on a call, in a step that was to answer; `named`: a tool was
   * named and not called.
   */
  readonly met: { empty: number; broken: number; unparsable: number; insisted: number; named: number };
}
