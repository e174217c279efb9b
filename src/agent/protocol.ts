import type { ToolProtocol } from "./events.ts";
import type {
  AssistantMessage,
  ChatMessage,
  FinishReason,
  JsonObject,
  ToolCall,
  ToolSchema,
} from "./models/types.ts";
import type { ToolSet } from "./tool.ts";

/** What a protocol sends for one step; the loop adds model, limits and runner options. */
export interface StepRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSchema[];
  readonly format?: JsonObject;
  readonly stop?: readonly string[];
}

/** Text that can be shown at once. */
export interface ShownText {
  readonly channel: "thinking" | "answer";
  readonly text: string;
}

/** A call as a protocol read it. */
export interface ReadCall extends ToolCall {
  /** What was mended in it on the way, in words; absent when nothing was. */
  readonly mended?: readonly string[];
}

/** What one step of a model came to. */
export interface StepReading {
  /** The answer's text without thinking, calls and markup; empty when the step only called tools. */
  readonly answer: string;
  readonly thinking: string;
  readonly calls: readonly ReadCall[];
  /** Said when the calls were not made in the protocol's own way. */
  readonly recoveredFrom?: "text" | "thinking";
  /** Said when the output can't be used: what to tell the model so that it does better. */
  readonly broken?: string;
  /** What to keep of the step in the conversation, calls included: in the one form that all protocols share. */
  readonly message: AssistantMessage;
}

/** Why a reply is ended while it is still coming: nothing more is to be had of it. */
export type Runaway = "too_many_calls" | "same_call" | "repeats";

/** Reads the stream of one step. */
export interface StepReader {
  /** Set once what came as text holds too many calls, or one again: the reply is over, `finish` gives those before. */
  readonly runaway?: Runaway | undefined;
  /** Takes a delta as it arrives and gives what may be shown; text that may yet turn out a call is held back. */
  thinking(text: string): readonly ShownText[];
  content(text: string): readonly ShownText[];
  calls(calls: readonly ToolCall[]): readonly ShownText[];
  /**
   * All content so far was thinking (a closing tag came without its opening one): it is no longer part of the answer.
   * Gives it as thinking; taking back what was already shown as an answer is the caller's part.
   */
  retract?(): readonly ShownText[];
  /** Ends the step. A call is never read out of a message that was cut (`length`, or a failure in mid-stream). */
  finish(reason: FinishReason | "broken"): {
    readonly shown: readonly ShownText[];
    readonly reading: StepReading;
  };
}

/** A tool's result on its way back to the model. */
export interface CallResult {
  readonly call: ToolCall;
  /** The content for the model, an error's sentence included. */
  readonly content: string;
}

/** What a step is to be, where the model said so before it. */
export type StepForm = "call" | "answer";

/** How tools are offered to a model and how its output is read. Stateless: all state is in readers and messages. */
export interface ProtocolAdapter {
  readonly name: ToolProtocol;
  /**
   * Makes the request of a step out of the conversation so far. With `lastStep` the model is told of the same tools, so
   * that the server's cached prompt holds, and asked to answer with what it has. A protocol that can hold the model to a
   * `form` does; left out: it is free to choose.
   */
  prepare(messages: readonly ChatMessage[], tools: ToolSet, lastStep: boolean, form?: StepForm): StepRequest;
  /** A reader for one step; ids of calls are made with `callId` where the server sent none. */
  reader(tools: ToolSet, callId: () => string, lastStep: boolean): StepReader;
  /** The messages that carry results (in call order) back to the model. */
  results(results: readonly CallResult[]): readonly ChatMessage[];
  /** The messages that tell the model its output was of no use. */
  correction(broken: string): readonly ChatMessage[];
}
