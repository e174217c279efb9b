import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { OllamaApi } from "../../../../src/agent/models/api.ts";
import { parseHost, type OllamaHost } from "../../../../src/agent/models/host.ts";
import { OllamaChatModel, type OllamaChatOptions } from "../../../../src/agent/models/ollama.ts";
import type { ChatChunk, ChatRequest } from "../../../../src/agent/models/types.ts";
import type { Failure } from "../../../../src/agent/failure.ts";
import type { Clock } from "../../../../src/agent/models/clock.ts";

/** A signal that never fires. */
export const NEVER: AbortSignal = new AbortController().signal;

/** A small request. */
export const ASK: ChatRequest = {
  messages: [{ role: "user", content: "What is six times seven?" }],
  maxTokens: 256,
  think: true,
  runner: { contextLength: 4_096, keepAlive: "5m" },
};

/** An address that is known to be good. */
export function hostOf(address: string): OllamaHost {
  const host = parseHost(address);
  if (!host.ok) throw new Error(host.failure.message);
  return host.value;
}

/** A model on a server at an address. */
export function modelAt(
  address: string,
  options: Partial<Omit<OllamaChatOptions, "host">> = {},
): OllamaChatModel {
  return new OllamaChatModel({ model: "scripted", ...options, host: hostOf(address) });
}

/** The small endpoints of a server at an address. */
export function apiAt(address: string): OllamaApi {
  return new OllamaApi(hostOf(address));
}

/** All that a stream gives. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of stream) all.push(each);
  return all;
}

/** A stream's text by channel, read as a view reads it, and how it ended. */
export interface Heard {
  readonly thinking: string;
  readonly content: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[];
  readonly last: ChatChunk | undefined;
}

/** Listens to a stream to its end. */
export async function hear(stream: AsyncIterable<ChatChunk>): Promise<Heard> {
  let [thinking, content] = ["", ""];
  const chunks = await collect(stream);
  for (const chunk of chunks) {
    if (chunk.type === "thinking") thinking += chunk.text;
    if (chunk.type === "content") content += chunk.text;
    if (chunk.type === "retract") [thinking, content] = [thinking + content, ""];
  }
  const calls = chunks.flatMap((chunk) => (chunk.type === "tool_calls" ? chunk.calls : []));
  return { thinking, content, calls, last: chunks.at(-1) };
}

/** The failure a stream ended with. */
export async function failureOf(stream: AsyncIterable<ChatChunk>): Promise<Failure> {
  const { last } = await hear(stream);
  if (last?.type !== "failure") throw new Error(`no failure but ${last?.type ?? "nothing"}`);
  return last.failure;
}

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new Map<object, { readonly at: number; readonly fire: () => void }>();

  now(): number {
    return this.#now;
  }

  readonly timer = (ms: number, fire: () => void): (() => void) => {
    const key = {};
    this.#timers.set(key, { at: this.#now + ms, fire });
    return () => this.#timers.delete(key);
  };

  /** Timers that wait. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Moves time on and fires what is due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (due === undefined) break;
      const [key, { at, fire }] = due;
      this.#timers.delete(key);
      this.#now = at;
      fire();
    }
    this.#now = end;
  }
}

/** A server of a test's own, for what no Ollama does. */
export interface BareServer {
  readonly address: string;
  close(): Promise<void>;
}

/** Starts a bare HTTP server on loopback. */
export async function startBare(answer: RequestListener): Promise<BareServer> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
