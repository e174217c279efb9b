import { z } from "zod";
import type { Failure, Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import { METHODS, paramsSchemas, type Method, type Params } from "./params.ts";
import { valueSchemas, type Values } from "./values.ts";

/** How the memory process is set up; the first message it gets. */
export const hostConfigSchema = z.object({
  /** Absolute folder of the store, or the URI of one in an object store. */
  uri: z.string().min(1),
  /** How an object store is reached: endpoint, region, keys, by LanceDB's names. */
  storageOptions: z.record(z.string(), z.string()).optional(),
  /** What makes the embeddings. */
  embedder: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("transformers") }),
    z.object({
      kind: z.literal("ollama"),
      host: z.string(),
      model: z.string().min(1),
      /** What the model's chats are sent, when it chats too: other options would load it anew. */
      runner: z
        .object({ contextLength: z.int().min(1), keepAlive: z.union([z.string(), z.number()]) })
        .exactOptional(),
    }),
    z.object({ kind: z.literal("none") }),
  ]),
  /** A folder that holds `Xenova/all-MiniLM-L6-v2/`, as the user set it. */
  modelDir: z.string().optional(),
  /** Where downloaded model files are kept. */
  modelCacheDir: z.string().min(1),
  /** Whether model files may be downloaded. */
  allowDownload: z.boolean(),
  /** Another place than the public hub to download from; ends with a slash. */
  modelHost: z.string().optional(),
  /** Address of the proxy that leads out; left out: what the environment says. */
  proxy: z.string().optional(),
});
/** How the memory process is set up. */
export type HostConfig = z.infer<typeof hostConfigSchema>;

/** Messages to the memory process. */
export const toHostSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("init"), config: hostConfigSchema }),
  z.object({
    type: z.literal("request"),
    id: z.int(),
    method: z.enum(METHODS),
    params: z.unknown(),
  }),
  z.object({ type: z.literal("cancel"), id: z.int() }),
]);
/** A message to the memory process. */
export type ToHost = z.infer<typeof toHostSchema>;

/** Long work of the memory process, for people. */
export const progressSchema = z.object({
  task: z.enum(["download", "embed", "maintain"]),
  /** One line, such as `Downloading the embedding model: 42 %`. */
  message: z.string(),
  /** 0..100 where it is known. */
  percent: z.number().optional(),
});
/** Long work of the memory process, for people. */
export type MemoryProgress = z.infer<typeof progressSchema>;

const failureSchema = z.object({
  code: z.enum(["cancelled", "timeout", "memory_unavailable", "bad_input", "internal"]),
  message: z.string(),
  action: z.enum(["open_settings", "check_setup", "retry"]).optional(),
  target: z.string().optional(),
  cause: z.string().optional(),
});

/** Messages from the memory process. */
export const fromHostSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("value"), id: z.int(), value: z.unknown() }),
  z.object({ type: z.literal("failure"), id: z.int(), failure: failureSchema }),
  z.object({ type: z.literal("progress"), progress: progressSchema }),
]);
/** A message from the memory process. */
export type FromHost = z.infer<typeof fromHostSchema>;

/** Brings a failure into the form that crosses the channel: absent keys stay absent. */
export function wireFailure(failure: Failure): Extract<FromHost, { type: "failure" }>["failure"] {
  const parsed = failureSchema.safeParse(failure);
  return parsed.success ? parsed.data : { code: "internal", message: failure.message };
}

/** Checks what a method is asked; the failure `bad_input` names the field. */
export function readParams<M extends Method>(method: M, params: unknown): Result<Params<M>> {
  const parsed = paramsSchemas[method].safeParse(params);
  if (!parsed.success) return failed("bad_input", `Memory can't do this: ${z.prettifyError(parsed.error)}`);
  return success(parsed.data as Params<M>);
}

/** Checks what a method answered; a broken answer is the failure `internal`. */
export function readValue<M extends Method>(method: M, value: unknown): Result<Values[M]> {
  const parsed = valueSchemas[method].safeParse(value);
  if (!parsed.success) {
    return failed("internal", "The memory process gave an answer that can't be read.", {
      cause: z.prettifyError(parsed.error),
    });
  }
  return success(parsed.data as Values[M]);
}
