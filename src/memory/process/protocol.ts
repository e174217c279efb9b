import { z } from "zod";
import type { Failure, Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import type { Episode, Forgotten, MemoryPage, MemorySearch } from "../../agent/memory-port.ts";

/** Most ids or episodes that one request may carry. */
export const MAX_BATCH = 1_000;
/** Most hits or rows that one request may ask for. */
export const MAX_PAGE = 200;

/** Most turns that a search may leave out. */
const MAX_EXCLUDED = 10_000;

const name = z.string().max(500);

/** An episode on its way to or from the memory process. */
export const episodeSchema = z.object({
  id: z.uuid(),
  sessionId: name,
  turnId: name,
  question: z.string(),
  answer: z.string(),
  agent: name,
  respondent: name,
  model: name,
  time: z.number().min(0).max(8.64e15),
  kind: name,
}) satisfies z.ZodType<Episode>;

/** What each method is asked: the one definition gives the type and the check on both sides. */
export const paramsSchemas = {
  search: z.object({
    query: z.string(),
    limit: z.int().min(1).max(MAX_PAGE),
    excludeTurnIds: z.array(name).max(MAX_EXCLUDED).optional(),
  }),
  add: z.object({ episodes: z.array(episodeSchema).max(MAX_BATCH) }),
  list: z.object({
    offset: z.int().min(0),
    limit: z.int().min(0).max(MAX_PAGE),
    filter: z.string().max(1_000).optional(),
  }),
  forget: z.object({ ids: z.array(z.string()).max(MAX_BATCH) }),
  status: z.object({}),
};

const hitSchema = z.object({
  episode: episodeSchema,
  score: z.number(),
  parts: z.record(z.string(), z.number().optional()),
});

/** What the memory process says of itself. */
export const hostStatusSchema = z.object({
  episodes: z.int(),
  embedder: z.string().optional(),
  message: z.string().optional(),
});
/** What the memory process says of itself. */
export type HostStatus = z.infer<typeof hostStatusSchema>;

const valueSchemas = {
  search: z.object({ hits: z.array(hitSchema), searched: z.int(), note: z.string().optional() }),
  add: z.object({ added: z.int() }),
  list: z.object({ rows: z.array(episodeSchema), total: z.int() }),
  forget: z.object({ removed: z.int() }),
  status: hostStatusSchema,
};

/** The name of a request. */
export type Method = keyof typeof paramsSchemas;

/** What a method is asked. */
export type Params<M extends Method> = z.infer<(typeof paramsSchemas)[M]>;

/** What each method answers. */
export interface Values {
  readonly search: MemorySearch;
  readonly add: { readonly added: number };
  readonly list: MemoryPage;
  readonly forget: Forgotten;
  readonly status: HostStatus;
}

/** How the memory process is set up; the first message it gets. */
export const hostConfigSchema = z.object({
  /** Absolute folder of the store. */
  storeDir: z.string().min(1),
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
    method: z.enum(["search", "add", "list", "forget", "status"]),
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
