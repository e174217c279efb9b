import type { Duplex, Readable } from "node:stream";
import * as zlib from "node:zlib";
import { describeError, failed, success, type Result } from "../../agent/failure.ts";
import { AnyInflate } from "./any-inflate.ts";

/** A body as far as it was read. */
export interface UnfoldedBody {
  readonly bytes: Buffer;
  /** True when there was more than the bound. */
  readonly cut: boolean;
}

/** More layers than a server has any reason to send. */
const MAX_LAYERS = 3;

/** Zstandard came to Node with 22.15; older ones must not ask for it. */
const createZstd = "createZstdDecompress" in zlib ? (zlib.createZstdDecompress as () => Duplex) : undefined;

const DECODERS: Readonly<Record<string, (() => Duplex) | undefined>> = {
  gzip: () => zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH }),
  "x-gzip": () => zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH }),
  deflate: () => new AnyInflate(),
  br: () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
  zstd: createZstd,
};

/** The value of `accept-encoding` that goes with what can be decoded here. */
export const ACCEPTED_ENCODINGS = createZstd ? "gzip, deflate, br, zstd" : "gzip, deflate, br";

/**
 * Reads a body in a stream, decompressed, up to `maxBytes` of *unfolded* bytes: a small archive that unfolds to
 * gigabytes is stopped at the bound, and memory holds no more than that. The stream is destroyed at the end.
 */
export async function readUnfolded(
  source: Readable,
  contentEncoding: string | undefined,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Result<UnfoldedBody>> {
  const layers = (contentEncoding ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  const makers = layers.reverse().map((name) => DECODERS[name]);
  if (makers.length > MAX_LAYERS || makers.includes(undefined)) {
    source.on("error", ignore).destroy();
    return failed(
      "tool_failed",
      `The page is packed in a way that can't be read here (${layers.join(", ")}).`,
    );
  }
  const stages = makers.flatMap((make) => (make ? [make()] : []));
  return collect(source, stages, maxBytes, signal);
}

async function collect(
  source: Readable,
  stages: readonly Duplex[],
  maxBytes: number,
  signal: AbortSignal,
): Promise<Result<UnfoldedBody>> {
  const last = chain(source, stages);
  const stop = (): void => void last.destroy(new Error("stopped"));
  signal.addEventListener("abort", stop, { once: true });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    signal.throwIfAborted();
    for await (const chunk of last as AsyncIterable<Buffer>) {
      chunks.push(size + chunk.length > maxBytes ? chunk.subarray(0, maxBytes - size) : chunk);
      size += chunk.length;
      if (size > maxBytes) return success({ bytes: Buffer.concat(chunks), cut: true });
    }
    return success({ bytes: Buffer.concat(chunks), cut: false });
  } catch (error) {
    if (!signal.aborted && error instanceof Error && "code" in error && isPackingError(error.code)) {
      return failed("tool_failed", "The page's compression is broken.", { cause: describeError(error) });
    }
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    for (const stream of [source, ...stages]) stream.on("error", ignore).destroy();
  }
}

/** Pipes the stages together; an error anywhere ends the last one. */
function chain(source: Readable, stages: readonly Duplex[]): Readable {
  let last: Readable = source;
  for (const stage of stages) {
    last.on("error", (error) => stage.destroy(error));
    last = last.pipe(stage);
  }
  return last;
}

function isPackingError(code: unknown): boolean {
  return typeof code === "string" && /^(Z_|ERR_(_|BROTLI|ZSTD|PADDING|FORMAT))/.test(code);
}

function ignore(): void {
  // A stream that is thrown away may end as it likes.
}
