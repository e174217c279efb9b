import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import {
  startScriptedOllama,
  type ScriptedOllama,
  type ScriptedOllamaOptions,
} from "../../support/ollama/index.ts";

const running: ScriptedOllama[] = [];

/** Starts a scripted server that `stopServers` ends. */
export async function serve(options: ScriptedOllamaOptions = {}): Promise<ScriptedOllama> {
  const server = await startScriptedOllama(options);
  running.push(server);
  return server;
}

/** Ends all servers of a test. */
export async function stopServers(): Promise<void> {
  await Promise.all(running.splice(0).map((server) => server.close()));
}

/** Sends a chat; `extra` replaces parts of the usual body. */
export function chat(server: ScriptedOllama, extra: object = {}, signal?: AbortSignal): Promise<Response> {
  const body = {
    model: "scripted",
    messages: [{ role: "user", content: "Hello" }],
    think: false,
    ...extra,
  };
  return fetch(`${server.host}/api/chat`, {
    method: "POST",
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The lines of an answer as JSON. */
export async function lines(response: Response): Promise<readonly unknown[]> {
  const body = await response.text();
  return body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

/** Sends a chat and gives the chunks of its answer as they came off the socket. */
export async function chunks(server: ScriptedOllama): Promise<readonly Buffer[]> {
  const body = JSON.stringify({
    model: "scripted",
    messages: [{ role: "user", content: "Hello" }],
    think: false,
  });
  const all: Buffer[] = [];
  const sent = request(`${server.host}/api/chat`, { method: "POST" });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.on("data", (chunk: Buffer) => all.push(chunk));
  await once(response, "end");
  return all;
}
