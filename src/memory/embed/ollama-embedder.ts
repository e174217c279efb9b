import type { Failure, Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import { OllamaApi } from "../../agent/models/api.ts";
import { ModelDirectory } from "../../agent/models/capabilities.ts";
import { OllamaCatalog } from "../../agent/models/catalog.ts";
import { parseHost } from "../../agent/models/host.ts";
import type { TimeLimits } from "../../agent/models/transport.ts";
import type { RunnerOptions } from "../../agent/models/types.ts";
import type { Embedder } from "./embedder.ts";
import type { PartModel } from "./parts-embedder.ts";
import { partsEmbedder } from "./parts-embedder.ts";

/** An embedding model on an Ollama server. */
export interface OllamaEmbedding {
  /** The server's address, in any form that the host setting takes. */
  readonly host: string;
  /** Such as `nomic-embed-text`. */
  readonly model: string;
  /** What the model's chats are sent, when it chats too: other options would load it anew. */
  readonly runner?: RunnerOptions | undefined;
  readonly limits?: Partial<TimeLimits>;
}

/** Texts in one request: a small machine reads some thousand tokens of them before it answers. */
const BATCH = 8;
/** A model may have to be loaded; a small one needs no quarter of an hour for it. */
const LIMITS: TimeLimits = { connectMs: 10_000, firstByteMs: 5 * 60_000, idleMs: 60_000 };
/** Tokens that are embedded as one, where the model reads so many. More blurs what a text says, and takes long. */
const MAX_TOKENS = 512;
/** UTF-16 units that surely are not more than so many tokens in running text. */
const UNITS_PER_TOKEN = 3;
/** A text that is refused as too long is halved so often. */
const HALVINGS = 4;

/** Asks an Ollama server for embeddings. The failure says what the user can do: start it, pull the model. */
export async function loadOllamaEmbedder(
  options: OllamaEmbedding,
  signal: AbortSignal,
): Promise<Result<Embedder>> {
  const host = parseHost(options.host);
  if (!host.ok) return host;
  if (options.model.trim() === "") {
    return failed(
      "bad_input",
      "no embedding model of Ollama was chosen. Set one, such as nomic-embed-text.",
      {
        action: "open_settings",
      },
    );
  }
  const api = new OllamaApi(host.value);
  const directory = new ModelDirectory(api);
  const limits = { ...LIMITS, ...options.limits };
  const described = await directory.describe(options.model, signal, limits);
  if (!described.ok) return described;
  const tokens = Math.min(MAX_TOKENS, described.value.contextLength ?? MAX_TOKENS);
  const catalog = new OllamaCatalog(api, directory);
  return partsEmbedder(partModel(options, tokens, catalog, limits), signal);
}

function partModel(
  { model, runner }: OllamaEmbedding,
  tokens: number,
  catalog: OllamaCatalog,
  limits: TimeLimits,
): PartModel {
  const request = { model, ...(runner === undefined ? {} : { runner }) };
  const send: Send = (input, stop) => catalog.embed({ ...request, input }, limits, stop);
  return {
    model: `ollama/${model.replace(/:latest$/, "")}`,
    knownAs: model,
    window: tokens * UNITS_PER_TOKEN,
    batch: BATCH,
    embed: async (texts, stop) => {
      const sent = await send(texts, stop);
      return sent.ok || !isTooLong(sent.failure) ? sent : oneByOne(texts, send, stop);
    },
  };
}

type Send = (input: readonly string[], signal: AbortSignal) => Promise<Result<number[][]>>;

/** Some servers refuse a whole batch for the one text in it that is too long: each is sent alone then, and cut. */
async function oneByOne(
  texts: readonly string[],
  send: Send,
  signal: AbortSignal,
): Promise<Result<readonly number[][]>> {
  const vectors: number[][] = [];
  for (const text of texts) {
    let cut = text;
    let sent = await send([cut], signal);
    for (let halved = 0; !sent.ok && isTooLong(sent.failure) && halved < HALVINGS; halved += 1) {
      cut = cut.slice(0, Math.ceil(cut.length / 2)).toWellFormed();
      sent = await send([cut], signal);
    }
    if (!sent.ok) return sent;
    vectors.push(...sent.value);
  }
  return success(vectors);
}

function isTooLong({ code }: Failure): boolean {
  return code === "context_overflow";
}
