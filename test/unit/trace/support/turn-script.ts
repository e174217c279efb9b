import { createEmitter, type Emitter } from "../../../../src/agent/emitter.ts";
import type { EventOf, EventSink, Outcome } from "../../../../src/agent/events.ts";
import type { Failure } from "../../../../src/agent/failure.ts";
import { SteadyIdentity } from "./steady-identity.ts";
import type { ChatMessage, Json, ModelUsage, ToolCall } from "../../../../src/agent/models/types.ts";
import type { ToolDetails } from "../../../../src/agent/tool.ts";

/** What a scripted model call came to. */
export interface ScriptedReply {
  readonly thinking?: string;
  readonly content?: string;
  readonly calls?: readonly ToolCall[];
  readonly usage?: ModelUsage;
  readonly error?: Failure;
}

/** What a scripted tool came to. */
export interface ScriptedResult {
  readonly result?: string;
  readonly details?: ToolDetails;
  readonly error?: Failure;
}

/**
 * A turn told step by step: emits the events that the engine emits, in its order. The clock moves only by `wait`.
 */
export class TurnScript {
  readonly sessionId: string;
  readonly turnId: string;
  readonly question: string;
  readonly emitter: Emitter;
  private readonly identity: SteadyIdentity;
  private readonly began: number;
  private steps = 0;
  private stepId = "";
  private modelId = "";
  private modelBegan = 0;
  private input = 0;
  private output = 0;

  constructor(
    sink: EventSink,
    options: {
      readonly identity?: SteadyIdentity;
      readonly sessionId?: string;
      readonly question?: string;
      readonly parent?: string | null;
      readonly model?: string;
    } = {},
  ) {
    this.identity = options.identity ?? new SteadyIdentity();
    this.sessionId = options.sessionId ?? this.identity.uuid();
    this.turnId = this.identity.turnId();
    this.question = options.question ?? "What did we decide about the cache?";
    this.began = this.identity.now();
    const origin = { sessionId: this.sessionId, turnId: this.turnId, agent: "conclave", respondent: "A" };
    this.emitter = createEmitter(origin, this.identity, sink);
    this.emitter.emit(
      "turn.start",
      { id: this.turnId, parentId: null },
      {
        "gen_ai.conversation.id": this.sessionId,
        "conclave.parent_turn_id": options.parent ?? null,
        "conclave.door": "panel",
      },
    );
    this.emitter.emit("query.received", { parentId: this.turnId }, { query: this.question });
    this.emitter.emit(
      "agent.start",
      { id: this.emitter.agentId, parentId: this.turnId },
      { "gen_ai.agent.name": "conclave", "gen_ai.request.model": options.model ?? "qwen3:8b" },
    );
    this.emitter.emit(
      "tool.schema",
      { parentId: this.emitter.agentId },
      {
        tools: ["search_memory", "save_memory", "web_fetch"].map((name) => ({
          name,
          description: name,
          parameters: { type: "object" },
        })),
        "conclave.protocol": "native",
      },
    );
  }

  wait(ms: number): this {
    this.identity.time += ms;
    return this;
  }

  /** Begins a step and its model call. */
  ask(
    messages: readonly ChatMessage[] = [{ role: "user", content: this.question }],
    model = "qwen3:8b",
    more: Partial<EventOf<"model.start">["data"]> = {},
  ): this {
    this.steps += 1;
    this.stepId = this.identity.spanId();
    this.emitter.emit(
      "step.start",
      { id: this.stepId, parentId: this.emitter.agentId, stepId: this.stepId },
      { index: this.steps, "conclave.protocol": "native", "conclave.last_step": false },
    );
    this.modelBegan = this.identity.now();
    this.modelId = this.emitter.emit("model.start", this.inStep(), {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "ollama",
      "gen_ai.request.model": model,
      "gen_ai.request.max_tokens": 8192,
      "conclave.context_length": 32_768,
      "conclave.think": "true",
      "conclave.messages": messages,
      ...more,
    });
    return this;
  }

  /** Streams a text. */
  stream(channel: "thinking" | "answer", text: string): this {
    this.emitter.emit("model.delta", { id: this.modelId, ...this.inStep() }, { channel, text });
    return this;
  }

  /** Takes back what was streamed as the answer. */
  retract(): this {
    const place = { id: this.modelId, ...this.inStep() };
    this.emitter.emit("model.delta", place, { channel: "answer", text: "", retract: true });
    return this;
  }

  /** Ends the model call. */
  reply(reply: ScriptedReply): this {
    const usage = reply.usage ?? { inputTokens: 1200, outputTokens: 80, promptMs: 300, generationMs: 1500 };
    this.input += usage.inputTokens ?? 0;
    this.output += usage.outputTokens ?? 0;
    this.emitter.emit(
      "model.end",
      { id: this.modelId, ...this.inStep() },
      {
        content: reply.content ?? "",
        thinking: reply.thinking ?? "",
        tool_calls: reply.calls ?? [],
        "gen_ai.response.model": "qwen3:8b",
        "gen_ai.response.finish_reasons": reply.error === undefined ? ["stop"] : [],
        "conclave.duration_ms": this.identity.now() - this.modelBegan,
        ...figures(usage),
        ...(reply.error === undefined ? {} : { error: reply.error }),
      },
    );
    return this;
  }

  /** Begins a tool's call; gives what ends it. */
  call(name: string, args: Json): (outcome: ScriptedResult) => void {
    const began = this.identity.now();
    const place = this.inStep();
    const id = this.emitter.emit("tool.request", place, {
      name,
      arguments: args,
      "gen_ai.tool.call.id": `call_${this.identity.spanId()}`,
    });
    return (outcome) => {
      this.emitter.emit(
        "tool.result",
        { id, ...place },
        {
          name,
          ...outcome,
          "conclave.duration_ms": this.identity.now() - began,
          "conclave.attempts": 1,
        },
      );
    };
  }

  /** Ends the step. */
  stepEnd(): this {
    const place = { id: this.stepId, parentId: this.emitter.agentId, stepId: this.stepId };
    this.emitter.emit("step.end", place, { index: this.steps });
    return this;
  }

  /** Ends the turn with an answer. */
  answered(answer: string, thinking = ""): this {
    const generation: EventOf<"response.generation">["data"] = { answer, thinking, tool_calls: [] };
    this.emitter.emit("response.generation", { parentId: this.emitter.agentId }, generation);
    this.agentEnd("answered");
    this.emitter.emit("answer.dialog", { parentId: this.turnId }, { query: this.question, answer });
    return this.turnEnd("answered", [
      { role: "user", content: this.question },
      { role: "assistant", content: answer },
    ]);
  }

  /** Ends the turn without an answer; what had come of one is kept. */
  stopped(outcome: "failed" | "cancelled", error: Failure, answer = ""): this {
    this.emitter.emit(
      "response.generation",
      { parentId: this.emitter.agentId },
      { answer, thinking: "", tool_calls: [] },
    );
    this.agentEnd(outcome, error);
    return this.turnEnd(outcome, [], error);
  }

  private agentEnd(outcome: Outcome, error?: Failure): void {
    this.emitter.emit(
      "agent.end",
      { id: this.emitter.agentId, parentId: this.turnId },
      {
        outcome,
        "conclave.duration_ms": this.identity.now() - this.began,
        ...(error === undefined ? {} : { error }),
      },
    );
  }

  private turnEnd(outcome: Outcome, messages: readonly ChatMessage[], error?: Failure): this {
    this.emitter.emit(
      "turn.end",
      { id: this.turnId, parentId: null },
      {
        outcome,
        "conclave.duration_ms": this.identity.now() - this.began,
        "conclave.steps": this.steps,
        "conclave.messages": messages,
        "gen_ai.usage.input_tokens": this.input,
        "gen_ai.usage.output_tokens": this.output,
        ...(error === undefined ? {} : { error }),
      },
    );
    return this;
  }

  private inStep(): { readonly parentId: string; readonly stepId: string } {
    return { parentId: this.stepId, stepId: this.stepId };
  }
}

function figures(usage: ModelUsage): Partial<EventOf<"model.end">["data"]> {
  return {
    ...(usage.inputTokens !== undefined && { "gen_ai.usage.input_tokens": usage.inputTokens }),
    ...(usage.outputTokens !== undefined && { "gen_ai.usage.output_tokens": usage.outputTokens }),
    ...(usage.loadMs !== undefined && { "conclave.load_ms": usage.loadMs }),
    ...(usage.promptMs !== undefined && { "conclave.prompt_ms": usage.promptMs }),
    ...(usage.generationMs !== undefined && { "conclave.generation_ms": usage.generationMs }),
    ...(usage.firstChunkMs !== undefined && { "gen_ai.response.time_to_first_chunk": usage.firstChunkMs }),
  };
}
