import { register } from "node:module";
import type * as Transformers from "@xenova/transformers";
import type { Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import { shortCause } from "../causes.ts";

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

/** Under these names the library is loaded once more: as it is, and with WebAssembly in place of the native runtime. */
const AGAIN = "conclave:transformers-again";
const WITH_WASM = "conclave:transformers-wasm";

/**
 * Resolves modules for further copies of the library: their files get a mark, so that they are not the ones that failed
 * to load. What a copy asks of the native runtime goes to the other one where that is wanted. It also asks for a
 * library for images, which no text needs: where that is missing, an empty one stands in.
 */
const RESOLVE_HOOK = `
const MARKS = { "${AGAIN}": "?again", "${WITH_WASM}": "?wasm" };
export async function resolve(specifier, context, next) {
  if (specifier in MARKS) {
    const found = await next("@xenova/transformers", context);
    return { ...found, url: found.url + MARKS[specifier] };
  }
  const mark = Object.values(MARKS).find((each) => context.parentURL?.endsWith(each));
  if (mark === undefined) return next(specifier, context);
  if (specifier === "sharp") {
    return next(specifier, context).catch(() => ({ url: "data:text/javascript,export default {}", shortCircuit: true }));
  }
  const isOther = mark === "?wasm" && specifier === "onnxruntime-node";
  const found = await next(isOther ? "onnxruntime-web" : specifier, context);
  return specifier.startsWith(".") ? { ...found, url: found.url + mark } : found;
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
  const causes: string[] = [];
  for (const [runtime, from] of WAYS) {
    try {
      return success({ library: await from(), runtime });
    } catch (error) {
      causes.push(shortCause(error));
    }
  }
  return failed("memory_unavailable", "the library that runs embedding models can't be loaded.", {
    action: "check_setup",
    cause: [...new Set(causes)].join("; "),
  });
}

/** The ways in which the library may be had, the best first. */
const WAYS: readonly (readonly [Runtime, () => Promise<Library>])[] = [
  ["native", () => import("@xenova/transformers")],
  ["native", () => copyOf(AGAIN)],
  ["wasm", loadWithWasm],
];

let hooked = false;

/** A copy of the library under one of its other names; the hook is dear, and set only where it is needed. */
async function copyOf(name: string): Promise<Library> {
  if (!hooked) register(`data:text/javascript,${encodeURIComponent(RESOLVE_HOOK)}`);
  hooked = true;
  return (await import(name)) as Library;
}

async function loadWithWasm(): Promise<Library> {
  const library = await copyOf(WITH_WASM);
  // With more than one thread the runtime's workers never answer in Node.
  (library.env as LibrarySettings).backends.onnx.wasm.numThreads = 1;
  return library;
}
