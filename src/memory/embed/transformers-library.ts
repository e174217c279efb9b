import { register } from "node:module";
import type * as Transformers from "@xenova/transformers";
import type { Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import { shortCause } from "../process/causes.ts";

/** The library that runs models in this process. */
export type Library = typeof Transformers;

/** What runs the models: the native runtime, or WebAssembly where it can't be loaded. */
export type Runtime = "native" | "wasm";

/** The library, and what it runs on. */
export interface Loaded {
  readonly library: Library;
  readonly runtime: Runtime;
}

/** What is set on the library; its own types call these constants. */
interface LibrarySettings {
  localModelPath: string;
  allowLocalModels: boolean;
  allowRemoteModels: boolean;
  readonly backends: { readonly onnx: { readonly wasm: { numThreads?: number } } };
}

/** Under this name the library is loaded once more, with the WebAssembly runtime in place of the native one. */
const WASM_LIBRARY = "conclave:transformers-wasm";

/**
 * Resolves modules for the library's second copy: its files get a mark, so that they are not the ones that failed to
 * load, and what they ask of the native runtime goes to the other one.
 */
const RESOLVE_HOOK = `
const MARK = "?wasm";
export async function resolve(specifier, context, next) {
  if (specifier === "${WASM_LIBRARY}") {
    const found = await next("@xenova/transformers", context);
    return { ...found, url: found.url + MARK };
  }
  if (!context.parentURL?.endsWith(MARK)) return next(specifier, context);
  const found = await next(specifier === "onnxruntime-node" ? "onnxruntime-web" : specifier, context);
  return specifier.startsWith(".") ? { ...found, url: found.url + MARK } : found;
}`;

let loading: Promise<Result<Loaded>> | undefined;
let lastUse: Promise<unknown> = Promise.resolve();

/**
 * Gives the library, loaded once: with the native runtime, or with WebAssembly where that is missing or can't be
 * loaded. The failure says that neither works.
 */
export async function transformersLibrary(): Promise<Result<Loaded>> {
  loading ??= load();
  const loaded = await loading;
  if (!loaded.ok) loading = undefined;
  return loaded;
}

/**
 * Loads something from a folder of models with the library, one load after the other: the folder is a setting of the
 * whole library. The library itself never reaches for the network, so that a model that is there is found without one.
 * Rejects with what `work` throws.
 */
export function fromFolder<T>(
  { library }: Loaded,
  folder: string,
  work: (library: Library) => Promise<T>,
): Promise<T> {
  const turn = lastUse.then(() => {
    const settings: LibrarySettings = library.env;
    settings.localModelPath = folder;
    settings.allowLocalModels = true;
    settings.allowRemoteModels = false;
    return work(library);
  });
  lastUse = turn.catch(() => undefined);
  return turn;
}

async function load(): Promise<Result<Loaded>> {
  try {
    return success({ library: await import("@xenova/transformers"), runtime: "native" });
  } catch (native) {
    try {
      return success({ library: await loadWithWasm(), runtime: "wasm" });
    } catch (wasm) {
      return failed("memory_unavailable", "the library that runs embedding models can't be loaded.", {
        action: "check_setup",
        cause: `${shortCause(native)}; ${shortCause(wasm)}`,
      });
    }
  }
}

async function loadWithWasm(): Promise<Library> {
  register(`data:text/javascript,${encodeURIComponent(RESOLVE_HOOK)}`);
  const library = (await import(WASM_LIBRARY)) as Library;
  // With more than one thread the runtime's workers never answer in Node.
  (library.env as LibrarySettings).backends.onnx.wasm.numThreads = 1;
  return library;
}
