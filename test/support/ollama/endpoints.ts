import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { fullName, isModelName, showBody, type ModelStore } from "./models.ts";
import { play } from "./play.ts";
import { errorLine, line } from "./replies.ts";
import { countTokens } from "./render.ts";
import type { PullScript, ReplyStep } from "./types.ts";
import { sendJson } from "./writer.ts";

/** Answers `POST /api/show`. */
export function show(models: ModelStore, raw: Record<string, unknown>, response: ServerResponse): void {
  const name = raw["model"] ?? raw["name"];
  if (typeof name !== "string" || name === "") {
    sendJson(response, 400, { error: "model is required" });
    return;
  }
  const model = models.find(name);
  if (model === undefined) sendJson(response, 404, { error: `model '${name}' not found` });
  else sendJson(response, 200, showBody(model));
}

/** Answers `POST /api/pull`. */
export async function pull(
  models: ModelStore,
  pulls: Readonly<Record<string, PullScript>>,
  raw: Record<string, unknown>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const name = raw["model"] ?? raw["name"];
  if (typeof name !== "string" || !isModelName(name)) {
    sendJson(response, 400, { error: "invalid model name" });
    return;
  }
  const script = Object.entries(pulls).find(([key]) => fullName(key) === fullName(name))?.[1];
  const steps = pullSteps(script, () => models.add(script?.model ?? { name }));
  await play(steps, {
    response,
    stream: raw["stream"] !== false,
    signal,
    facts: { model: name, promptTokens: 0, loadMs: 0, started: performance.now(), logprobs: false },
    finish: "nothing",
  });
}

async function* pullSteps(script: PullScript | undefined, add: () => void): AsyncIterable<ReplyStep> {
  if (script === undefined) {
    yield line({ status: "pulling manifest" });
    yield errorLine("pull model manifest: file does not exist");
    return;
  }
  for await (const step of script.steps ?? downloadSteps(1_000_000, 4)) {
    if (isSuccess(step)) add();
    yield step;
  }
}

function isSuccess(step: ReplyStep): boolean {
  return step.kind === "line" && JSON.stringify(step.value) === '{"status":"success"}';
}

/** The lines of a pull that goes well: one layer of so many bytes in so many parts. */
export function downloadSteps(total: number, parts: number): readonly ReplyStep[] {
  const digest = `sha256:${createHash("sha256").update(String(total)).digest("hex")}`;
  const status = `pulling ${digest.slice(7, 19)}`;
  return [
    line({ status: "pulling manifest" }),
    line({ status, digest, total }),
    ...Array.from({ length: parts }, (_, part) =>
      line({ status, digest, total, completed: Math.round((total * (part + 1)) / parts) }),
    ),
    line({ status: "verifying sha256 digest" }),
    line({ status: "writing manifest" }),
    line({ status: "success" }),
  ];
}

/** Answers `POST /api/embed`: vectors of length 1 that depend on the text alone. */
export async function embed(
  models: ModelStore,
  raw: Record<string, unknown>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const started = performance.now();
  const input = embedInput(raw["input"]);
  if (input === undefined) {
    sendJson(response, 400, { error: "invalid input type" });
    return;
  }
  const name = typeof raw["model"] === "string" ? raw["model"] : "";
  const model = models.find(name);
  if (model === undefined) {
    sendJson(response, 404, { error: `model "${name}" not found, try pulling it first` });
    return;
  }
  const options = (raw["options"] ?? {}) as Readonly<Record<string, unknown>>;
  const load = await models.ensureLoaded(model, options, signal);
  if (load === "aborted") return;
  if ("error" in load) {
    sendJson(response, 500, { error: load.error });
    return;
  }
  if (input.length === 0) {
    sendJson(response, 200, { model: name, embeddings: [] });
    return;
  }
  const limit = models.contextLength(model, options);
  const tokens = input.map(countTokens);
  if (raw["truncate"] === false && tokens.some((count) => count > limit)) {
    sendJson(response, 400, { error: "the input length exceeds the context length" });
    return;
  }
  const asked = Number(raw["dimensions"] ?? 0);
  const length = asked > 0 && asked < model.dimensions ? asked : model.dimensions;
  sendJson(response, 200, {
    model: name,
    embeddings: input.map((one) => vector(one, length)),
    total_duration: Math.max(1, Math.round((performance.now() - started) * 1e6)),
    load_duration: Math.max(1, Math.round(load.ms * 1e6)),
    prompt_eval_count: tokens.reduce((sum, count) => sum + Math.min(count, limit), 0),
  });
}

function embedInput(input: unknown): readonly string[] | undefined {
  if (input === undefined || input === null || input === "") return [];
  if (typeof input === "string") return [input];
  if (!Array.isArray(input)) return undefined;
  const all = input as readonly unknown[];
  return all.every((one) => typeof one === "string") ? all : undefined;
}

/** Each word adds to places of the vector that its hash names, so texts with words in common are near. */
function vector(input: string, length: number): readonly number[] {
  const sum = new Float64Array(length);
  for (const word of input.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [input]) {
    const hash = createHash("sha256").update(word).digest();
    for (let at = 0; at < 16; at += 2) {
      const place = hash.readUInt16BE(at) % length;
      sum[place] = (sum[place] ?? 0) + ((hash[at + 16] ?? 0) % 2 === 0 ? 1 : -1);
    }
  }
  const norm = Math.hypot(...sum) || 1;
  return Array.from(sum, (value) => value / norm);
}
