import { describeError, failed, success, type Result } from "../../src/agent/failure.ts";

/** What `scripts/real-models.mjs` prepared, as far as it is used. */
export interface PreparedModels {
  /** Absent where this machine can't run models that are up to the questions. */
  readonly capable?: {
    /** Names of one model, with tools in the server's own form and without. */
    readonly chatModels: { readonly native: string; readonly text: string };
  };
  /** Folder for the setting `conclave.memory.embedder.folder`. */
  readonly embedderDir?: string;
  /** A sentence for each thing that this machine can't have. */
  readonly skipped: readonly string[];
}

/** What the scripts give that fetch and start real models; they lie outside of what is type-checked. */
export interface RealScripts {
  prepareRealModels(options: {
    readonly log: (line: string) => void;
    readonly capable: true;
  }): Promise<PreparedModels>;
  startRealOllama(
    prepared: PreparedModels,
    options: { readonly capable: true },
  ): Promise<{ readonly host: string; readonly stop: () => Promise<void> }>;
  /** Gives the embedder's folder; rejects where it can't be had. */
  ensureEmbedder(log: (line: string) => void): Promise<string>;
}

/** A server with the models to ask. */
export interface ModelSource {
  readonly host: string;
  readonly models: readonly string[];
  /** Left out: the product finds its embedder itself. */
  readonly embedderFolder?: string;
  close(): Promise<void>;
}

/** Which server and models are wished for. */
export interface ModelWish {
  /** Address of a server that runs already; left out: one of our own is started. */
  readonly host?: string;
  /** Names; none: all that there are on a server of our own. */
  readonly models: readonly string[];
  /** Takes a line for each thing that is fetched or built. */
  readonly log: (line: string) => void;
}

/** Finds the server and models of a run; `absent` says in a sentence why this machine can't have them. */
export async function findModels(
  wish: ModelWish,
  scripts: RealScripts,
): Promise<Result<ModelSource | { readonly absent: string }>> {
  if (wish.host !== undefined) return otherServer(wish.host, wish, scripts);
  const prepared = await scripts.prepareRealModels({ log: wish.log, capable: true });
  if (prepared.capable === undefined)
    return success({ absent: `The real models can't be had here: ${prepared.skipped.join(" ")}` });
  const { native, text } = prepared.capable.chatModels;
  const there = [native, text];
  const unknown = wish.models.find((name) => !there.includes(name));
  if (unknown !== undefined)
    return failed("bad_input", `There is no model ${unknown} here; there are ${there.join(" and ")}.`);
  try {
    const { host, stop } = await scripts.startRealOllama(prepared, { capable: true });
    const models = wish.models.length > 0 ? wish.models : there;
    const { embedderDir } = prepared;
    return success({ host, models, close: stop, ...(embedderDir && { embedderFolder: embedderDir }) });
  } catch (error) {
    return failed("internal", `The real Ollama server can't be started: ${describeError(error)}.`);
  }
}

async function otherServer(
  host: string,
  { models, log }: ModelWish,
  scripts: RealScripts,
): Promise<Result<ModelSource>> {
  if (models.length === 0)
    return failed("bad_input", "Say which model of that server answers: --model NAME.");
  // Without it the product would download one; where that can't be had either, it searches by words alone and says so.
  const folder = await scripts.ensureEmbedder(log).catch(() => undefined);
  const embedder = folder === undefined ? {} : { embedderFolder: folder };
  return success({ host, models, ...embedder, close: () => Promise.resolve() });
}
