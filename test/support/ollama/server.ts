import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chat, stepsOf, type ChatContext } from "./chat.ts";
import { embed, pull, show } from "./endpoints.ts";
import { ModelStore } from "./models.ts";
import { httpError } from "./replies.ts";
import { RequestQueue } from "./queue.ts";
import { RequestLog } from "./log.ts";
import type { ChatBody, Reply, ScriptedModel, ScriptedOllama, ScriptedOllamaOptions } from "./types.ts";
import { checkJson } from "./validate.ts";
import { sendJson, sendText } from "./writer.ts";

const DEFAULT_MODELS: readonly ScriptedModel[] = [
  { name: "scripted:latest", loaded: true },
  { name: "scripted-plain:latest", capabilities: ["completion"], loaded: true },
];
const DEFAULT_VERSION = "0.17.4";
const DEFAULT_CONTEXT = 4_096;
const DEFAULT_QUEUE = 512;
const DEFAULT_KEPT = 10_000;
/** A body above this is a mistake in a test. */
const BODY_LIMIT = 64 * 1024 * 1024;

/**
 * Starts a server on loopback that speaks Ollama's HTTP and answers by script: replies that were enqueued, else the
 * `script` function, else a built-in pseudo model.
 */
export async function startScriptedOllama(options: ScriptedOllamaOptions = {}): Promise<ScriptedOllama> {
  const replies = new Replies(options.script);
  const log = new RequestLog(options.keepRequests ?? DEFAULT_KEPT);
  const models = new ModelStore(options.models ?? DEFAULT_MODELS, options.defaultContext ?? DEFAULT_CONTEXT);
  const chats: ChatBody[] = [];
  const context: ChatContext = {
    models,
    queue: new RequestQueue(options.parallel ?? Infinity, options.maxQueue ?? DEFAULT_QUEUE),
    tokenDelayMs: options.tokenDelayMs ?? 0,
    nextReply: (view) => replies.next(view),
    count: (body) => {
      chats.push(body);
      if (chats.length > (options.keepRequests ?? DEFAULT_KEPT)) chats.shift();
      return log.count("/api/chat");
    },
  };
  const router = new Router(options, context, log);
  const server = createServer((request, response) => {
    void router.handle(request, response);
  });
  server.keepAliveTimeout = 0;
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  return {
    host: `http://127.0.0.1:${port}`,
    port,
    requests: log.requests,
    chats,
    loads: models.loads,
    enqueue: (...all) => replies.add(all),
    addModel: (model) => models.add(model),
    removeModel: (name) => models.remove(name),
    unload: (name) => models.unload(name),
    received: (count = 1, path = "/api/chat") => log.received(count, path),
    close: () => close(server),
  };
}

/** The scripted replies in their order. */
class Replies {
  readonly #script: ScriptedOllamaOptions["script"];
  readonly #queue: Reply[] = [];
  #strict = false;

  constructor(script: ScriptedOllamaOptions["script"]) {
    this.#script = script;
  }

  add(replies: readonly Reply[]): void {
    this.#strict = true;
    this.#queue.push(...replies);
  }

  next(view: Parameters<ChatContext["nextReply"]>[0]): ReturnType<ChatContext["nextReply"]> {
    const reply = this.#queue.shift();
    if (reply !== undefined) return stepsOf(reply, view);
    const scripted = this.#script?.(view);
    if (scripted !== undefined) return scripted;
    return this.#strict ? [httpError(500, "the script has no reply left for this request")] : undefined;
  }
}

/** Finds the endpoint of a request and keeps the record of it. */
class Router {
  readonly #options: ScriptedOllamaOptions;
  readonly #context: ChatContext;
  readonly #log: RequestLog;

  constructor(options: ScriptedOllamaOptions, context: ChatContext, log: RequestLog) {
    this.#options = options;
    this.#context = context;
    this.#log = log;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on("close", () => {
      gone.abort();
    });
    response.on("error", () => {
      gone.abort();
    });
    if (!isLetIn(request)) {
      response.writeHead(403).end();
      return;
    }
    const text = await readBody(request);
    if (text === undefined) return void response.destroy();
    const path = new URL(request.url ?? "/", "http://loopback").pathname;
    const record = this.#log.add(request, response, path, text);
    try {
      if (request.method === "DELETE" && path === "/api/delete") this.#delete(text, response);
      else if (request.method === "POST") await this.#post(path, text, record, response, gone.signal);
      else this.#get(request.method ?? "GET", path, response);
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: `scripted server: ${message}` });
    }
  }

  #get(method: string, path: string, response: ServerResponse): void {
    const known = GET_PATHS.includes(path);
    if (known && (method === "GET" || (method === "HEAD" && path !== "/api/ps"))) {
      if (path === "/") sendText(response, 200, "Ollama is running");
      else sendJson(response, 200, this.#getBody(path));
    } else if (known || POST_PATHS.includes(path)) sendText(response, 405, "405 method not allowed");
    else sendText(response, 404, "404 page not found");
  }

  #delete(text: string, response: ServerResponse): void {
    const checked = checkJson(text);
    const asked = checked.ok ? (checked.body["model"] ?? checked.body["name"]) : undefined;
    const name = typeof asked === "string" ? asked : "";
    if (this.#context.models.find(name) === undefined) {
      sendJson(response, 404, { error: `model '${name}' not found` });
      return;
    }
    this.#context.models.remove(name);
    response.writeHead(200).end();
  }

  #getBody(path: string): unknown {
    if (path === "/api/tags") return this.#context.models.tags();
    if (path === "/api/ps") return this.#context.models.ps();
    return { version: this.#options.version ?? DEFAULT_VERSION };
  }

  async #post(
    path: string,
    text: string,
    record: ReturnType<RequestLog["add"]>,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    if (!POST_PATHS.includes(path)) {
      this.#get("POST", path, response);
      return;
    }
    const checked = checkJson(text);
    if (!checked.ok) {
      sendJson(response, checked.refusal.status, { error: checked.refusal.error });
      return;
    }
    const { models } = this.#context;
    if (path === "/api/chat") return chat(this.#context, checked.body, record, response, signal);
    if (path === "/api/show") {
      show(models, checked.body, response);
      return;
    }
    if (path === "/api/embed") return embed(models, checked.body, response, signal);
    return pull(models, this.#options.pulls ?? {}, checked.body, response, signal);
  }
}

/** The server answers loopback and addresses only, and no page of another origin but the editor's own. */
function isLetIn(request: IncomingMessage): boolean {
  const name = (request.headers.host ?? "").replace(/:\d+$/, "");
  const isLocal = /^(?:localhost|[\d.]+|\[[\da-f:.]+\]|.+\.(?:localhost|local|internal))$/i.test(name);
  const origin = request.headers.origin ?? "";
  return isLocal && (origin === "" || ALLOWED_ORIGIN.test(origin));
}

const ALLOWED_ORIGIN =
  /^(?:https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::\d+)?$|(?:app|file|tauri|vscode-webview|vscode-file):\/\/)/;
const GET_PATHS = ["/", "/api/tags", "/api/ps", "/api/version"];
const POST_PATHS = ["/api/chat", "/api/show", "/api/pull", "/api/embed"];

/** Reads a body; undefined when the client went away or it is absurdly long. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > BODY_LIMIT) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
