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

/** The chunks of an answer's body as they came off the socket. */
export async function chunks(response: Response): Promise<readonly Buffer[]> {
  const all: Buffer[] = [];
  for await (const chunk of response.body ?? []) all.push(Buffer.from(chunk as Uint8Array));
  return all;
}

/** What has happened by the time that all that is under way has run, a promise that waits for more left out. */
export async function isSettled(promise: Promise<unknown>, others: () => Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  await others();
  return settled;
}
