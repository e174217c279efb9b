import type { ServerResponse } from "node:http";
import { makeSignal } from "./deferred.ts";
import { raceAbort } from "./models.ts";
import type { DoneStats, ReplyStep, ReplySteps, WireMessage, WireToolCall } from "./types.ts";
import { breathe, LineWriter, sendJson } from "./writer.ts";

/** What the last line says where the script does not. */
export interface ReplyFacts {
  readonly model: string;
  readonly promptTokens: number;
  readonly loadMs: number;
  /** `performance.now()` when the request came in. */
  readonly started: number;
  /** Whether the likelihoods of tokens are told; those of a script are certain. */
  readonly logprobs: boolean;
}

/** Where a reply goes, and what ends it early. */
export interface ReplyTarget {
  readonly response: ServerResponse;
  readonly stream: boolean;
  readonly signal: AbortSignal;
  readonly facts: ReplyFacts;
  /** How a step that is no message of a chat is wrapped: pulls have lines of their own. */
  readonly finish: "done" | "nothing";
}

/** Steps after which nothing more is sent. */
const LAST_STEPS: readonly ReplyStep["kind"][] = ["done", "error", "http", "destroy", "end"];
const NS_IN_MS = 1e6;
const BREATHE_EVERY = 64;

/** Plays a reply to its end, or until the client has gone. */
export async function play(steps: ReplySteps, target: ReplyTarget): Promise<void> {
  const player = target.stream ? new StreamPlayer(target) : new WholePlayer(target);
  let count = 0;
  for await (const step of steps) {
    if (target.signal.aborted) return;
    await player.take(step);
    if (LAST_STEPS.includes(step.kind)) return;
    count += 1;
    if (count % BREATHE_EVERY === 0) await breathe();
  }
  if (!target.signal.aborted)
    await player.take({ kind: target.finish === "done" ? "done" : "end", stats: {} });
}

/** A piece of a script as a token that nothing else could have been. */
function certain(token: string) {
  const told = { token, logprob: 0, bytes: [...Buffer.from(token)] };
  return { ...told, top_logprobs: [told] };
}

/** Counts what was generated and makes the lines of a chat. */
class LineMaker {
  readonly #facts: ReplyFacts;
  #chunks = 0;
  #firstChunk = 0;

  constructor(facts: ReplyFacts) {
    this.#facts = facts;
  }

  message(part: Partial<WireMessage>): Record<string, unknown> {
    if (this.#chunks === 0) this.#firstChunk = performance.now();
    this.#chunks += 1;
    return {
      model: this.#facts.model,
      created_at: createdAt(),
      message: { role: "assistant", content: "", ...part },
      done: false,
      ...(this.#facts.logprobs && part.content && { logprobs: [certain(part.content)] }),
    };
  }

  done(stats: DoneStats, part: Partial<WireMessage> = {}): Record<string, unknown> {
    const now = performance.now();
    const ns = (ms: number) => Math.max(1, Math.round(ms * NS_IN_MS));
    const firstChunk = this.#firstChunk === 0 ? now : this.#firstChunk;
    const all = {
      total_duration: ns(now - this.#facts.started),
      load_duration: ns(this.#facts.loadMs),
      prompt_eval_count: this.#facts.promptTokens,
      prompt_eval_duration: ns(firstChunk - this.#facts.started - this.#facts.loadMs),
      eval_count: this.#chunks,
      eval_duration: ns(now - firstChunk),
      ...stats,
    };
    const { done_reason = "stop", ...numbers } = all;
    return {
      model: this.#facts.model,
      created_at: createdAt(),
      message: { role: "assistant", content: "", ...part },
      done: true,
      done_reason,
      ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== 0)),
    };
  }
}

/** The time as the server writes it: RFC 3339 with nanoseconds. */
export function createdAt(): string {
  const now = performance.timeOrigin + performance.now();
  const fraction = Math.floor((now % 1) * NS_IN_MS);
  return new Date(now).toISOString().replace("Z", `${String(fraction).padStart(6, "0")}Z`);
}

abstract class Player {
  protected readonly target: ReplyTarget;
  protected readonly lines: LineMaker;

  constructor(target: ReplyTarget) {
    this.target = target;
    this.lines = new LineMaker(target.facts);
  }

  /** Does one step. */
  async take(step: ReplyStep): Promise<void> {
    switch (step.kind) {
      case "wait":
        await this.pause(step.until);
        return;
      case "delay":
        await this.#sleep(step.ms);
        return;
      case "destroy":
        await this.pause(Promise.resolve());
        this.target.response.destroy();
        return;
      default:
        await this.send(step);
    }
  }

  /** Sends what stands ready, then waits; ends early with the client. */
  protected async pause(until: Promise<unknown>): Promise<void> {
    await raceAbort(until, this.target.signal);
  }

  protected abstract send(step: ReplyStep): Promise<void>;

  async #sleep(ms: number): Promise<void> {
    const slept = makeSignal();
    const timer = setTimeout(slept.fire, ms);
    try {
      await this.pause(slept.promise);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Plays a reply as NDJSON. */
class StreamPlayer extends Player {
  readonly #writer: LineWriter;

  constructor(target: ReplyTarget) {
    super(target);
    this.#writer = new LineWriter(target.response);
  }

  protected override async pause(until: Promise<unknown>): Promise<void> {
    await this.#writer.flush();
    await super.pause(until);
  }

  protected override async send(step: ReplyStep): Promise<void> {
    switch (step.kind) {
      case "message":
        return this.#writer.line(this.lines.message(step.message));
      case "line":
        return this.#writer.line(step.value);
      case "raw":
        return this.#writer.raw(step.data);
      case "framing":
        return this.#writer.frame(step.framing);
      case "headers": {
        this.#writer.headers();
        return;
      }
      case "done":
        await this.#writer.line(this.lines.done(step.stats));
        return this.#writer.end();
      case "error":
        return this.#error(step.message, step.status);
      case "http": {
        sendStatus(this.target.response, step);
        return;
      }
      default:
        return this.#writer.end();
    }
  }

  async #error(message: string, status: number): Promise<void> {
    if (!this.#writer.started) {
      sendJson(this.target.response, status, { error: message });
      return;
    }
    await this.#writer.line({ error: message });
    await this.#writer.end();
  }
}

/** Plays a reply as one object, for `stream: false`. */
class WholePlayer extends Player {
  readonly #calls: WireToolCall[] = [];
  #content = "";
  #thinking = "";
  #latest: unknown = {};

  protected override send(step: ReplyStep): Promise<void> {
    const { response } = this.target;
    if (step.kind === "message") this.#add(step.message);
    else if (step.kind === "line") this.#latest = step.value;
    else if (step.kind === "error") sendJson(response, step.status, { error: step.message });
    else if (step.kind === "http") sendStatus(response, step);
    else if (step.kind === "done") sendJson(response, 200, this.lines.done(step.stats, this.#whole()));
    else if (step.kind === "end") sendJson(response, 200, this.#latest);
    return Promise.resolve();
  }

  #add(part: Partial<WireMessage>): void {
    this.lines.message(part);
    this.#content += part.content ?? "";
    this.#thinking += part.thinking ?? "";
    this.#calls.push(...(part.tool_calls ?? []));
  }

  #whole(): Partial<WireMessage> {
    return {
      content: this.#content,
      ...(this.#thinking === "" ? {} : { thinking: this.#thinking }),
      ...(this.#calls.length === 0 ? {} : { tool_calls: this.#calls }),
    };
  }
}

function sendStatus(response: ServerResponse, step: Extract<ReplyStep, { readonly kind: "http" }>): void {
  response.writeHead(step.status, step.headers);
  response.end(typeof step.body === "string" ? step.body : JSON.stringify(step.body));
}
