import type { ServerResponse } from "node:http";
import type { KnownModel, ModelStore } from "./models.ts";
import { createdAt, play } from "./play.ts";
import { pseudoReply } from "./pseudo.ts";
import type { RequestQueue } from "./queue.ts";
import { countTokens, renderPrompt } from "./render.ts";
import { formatProblem } from "./schema.ts";
import type { ChatBody, ChatRequestView, RecordedRequest, Reply, ReplySteps } from "./types.ts";
import { checkChat, refuse, type Refusal } from "./validate.ts";
import { sendJson } from "./writer.ts";

/** What the chat endpoint works with. */
export interface ChatContext {
  readonly models: ModelStore;
  readonly queue: RequestQueue;
  readonly tokenDelayMs: number;
  /** The scripted reply for a request; undefined leaves it to the pseudo model. */
  nextReply(view: ChatRequestView): ReplySteps | Promise<ReplySteps> | undefined;
  /** Counts a valid request. */
  count(body: ChatBody): number;
}

/** Answers `POST /api/chat`: checks, queue, load, then the reply, in the order of the real server. */
export async function chat(
  context: ChatContext,
  raw: Record<string, unknown>,
  record: RecordedRequest,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const started = performance.now();
  const checked = checkChat(raw);
  if (!checked.ok) {
    sendRefusal(response, checked.refusal);
    return;
  }
  const { body } = checked;
  const model = context.models.find(body.model);
  if (model === undefined) {
    sendRefusal(response, { status: 404, error: `model '${body.model}' not found` });
    return;
  }
  const count = context.count(body);
  const refusal = capabilityRefusal(model, body);
  if (refusal !== undefined) {
    sendRefusal(response, refusal);
    return;
  }
  if (body.messages.length === 0 && (body.keep_alive === 0 || body.keep_alive === "0")) {
    context.models.unload(model.name);
    sendJson(response, 200, emptyReply(body, "unload"));
    return;
  }
  const turn = await context.queue.enter(model.name, signal);
  if (turn === "full") {
    sendRefusal(response, QUEUE_FULL);
    return;
  }
  if (turn === "aborted") return;
  try {
    await answer({ context, body, model, response, signal, started, view: { body, record, count } });
  } finally {
    turn.leave();
    context.models.keepAlive(model, body.keep_alive);
  }
}

interface Job {
  readonly context: ChatContext;
  readonly body: ChatBody;
  readonly model: KnownModel;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
  readonly started: number;
  readonly view: ChatRequestView;
}

async function answer(job: Job): Promise<void> {
  const { context, body, model, response, signal } = job;
  const load = await context.models.ensureLoaded(model, body.options, signal);
  if (load === "aborted") return;
  if ("error" in load) {
    sendRefusal(response, { status: 500, error: load.error });
    return;
  }
  if (body.messages.length === 0) {
    sendJson(response, 200, emptyReply(body, "load"));
    return;
  }
  const fitted = fitContext(context.models, model, body);
  if (body._debug_render_only) {
    sendJson(response, 200, debugReply(body, fitted.prompt));
    return;
  }
  const refusal = lateRefusal(model, body, fitted);
  if (refusal !== undefined) {
    sendRefusal(response, refusal);
    return;
  }
  const scripted = await context.nextReply(job.view);
  const steps = scripted ?? pseudoReply(model, body, context.tokenDelayMs);
  const facts = {
    model: body.model,
    promptTokens: Math.min(fitted.tokens, fitted.limit),
    loadMs: load.ms,
    started: job.started,
    logprobs: body.logprobs,
  };
  await play(steps, { response, stream: body.stream, signal, facts, finish: "done" });
}

const QUEUE_FULL: Refusal = {
  status: 503,
  error: "server busy, please try again.  maximum pending requests exceeded",
};

/** Answers with a refusal. */
export function sendRefusal(response: ServerResponse, { status, error }: Refusal): void {
  sendJson(response, status, { error });
}

function capabilityRefusal(model: KnownModel, body: ChatBody): Refusal | undefined {
  const can = (what: (typeof model.capabilities)[number]) => model.capabilities.includes(what);
  const asksThinking = body.think !== undefined && body.think !== false;
  if (asksThinking && !can("thinking")) {
    return refuse(`${JSON.stringify(body.model)} does not support thinking`).refusal;
  }
  if (!can("completion")) return refuse(`${JSON.stringify(body.model)} does not support chat`).refusal;
  if (body.tools.length > 0 && !can("tools")) {
    return refuse(`registry.ollama.ai/library/${model.name} does not support tools`).refusal;
  }
  return undefined;
}

interface Fitted {
  readonly prompt: string;
  readonly tokens: number;
  readonly limit: number;
}

/** Leaves out the oldest messages (never the system's nor the last) until the prompt fits, unless told not to. */
function fitContext(models: ModelStore, model: KnownModel, body: ChatBody): Fitted {
  const limit = models.contextLength(model, body.options);
  const last = body.messages.length - 1;
  for (let from = 0; ; from += 1) {
    const system = body.messages.slice(0, from).filter((message) => message.role === "system");
    const prompt = renderPrompt(model, { ...body, messages: [...system, ...body.messages.slice(from)] });
    const tokens = countTokens(prompt);
    if (!body.truncate || tokens <= limit || from >= last) return { prompt, tokens, limit };
  }
}

/** What the real server finds only once the model is loaded. */
function lateRefusal(model: KnownModel, body: ChatBody, fitted: Fitted): Refusal | undefined {
  if (typeof body.think === "string" && !model.thinkLevels) {
    return refuse(`think value ${JSON.stringify(body.think)} is not supported for this model`).refusal;
  }
  const format = formatProblem(body.format);
  if (format !== undefined) return { status: 500, error: format };
  return !body.truncate && fitted.tokens > fitted.limit
    ? refuse("the input length exceeds the context length").refusal
    : undefined;
}

function emptyReply(body: ChatBody, reason: "load" | "unload"): unknown {
  return {
    model: body.model,
    created_at: createdAt(),
    message: { role: "assistant", content: "" },
    done: true,
    done_reason: reason,
  };
}

function debugReply(body: ChatBody, prompt: string): unknown {
  return {
    model: body.model,
    created_at: createdAt(),
    message: { role: "", content: "" },
    done: false,
    _debug_info: { rendered_template: prompt },
  };
}

/** Makes the steps of a reply that may be a function of the request. */
export function stepsOf(reply: Reply, view: ChatRequestView): ReplySteps | Promise<ReplySteps> {
  return typeof reply === "function" ? reply(view) : reply;
}
