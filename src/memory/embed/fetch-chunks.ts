import { Agent, fetch } from "undici";
import { proxyAgent, proxyFor } from "../../tools/web/proxy.ts";

/** No file is larger than this: more is not what was asked for. */
const MAX_FILE = 2_000_000_000;
/** A download that brings nothing for so long has ended. */
const STALL_MS = 60_000;

/**
 * A file of a server, piece by piece; by way of a proxy where there is one. Throws when the server refuses, breaks off
 * or falls silent, and when the signal fires.
 */
export async function* fetchChunks(
  address: string,
  proxySetting: string | undefined,
  signal: AbortSignal,
  onLength: (bytes: number) => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  const stalled = new AbortController();
  const patience = setTimeout(() => stalled.abort(new Error("nothing arrived any more")), STALL_MS);
  const proxy = proxyFor(new URL(address), proxySetting);
  const dispatcher = proxy === undefined ? new Agent() : proxyAgent(proxy);
  try {
    const response = await fetch(address, { dispatcher, signal: AbortSignal.any([signal, stalled.signal]) });
    if (!response.ok || response.body === null) throw new Error(`${response.status} ${response.statusText}`);
    const wanted = Number(response.headers.get("content-length") ?? NaN);
    const encoded = response.headers.get("content-encoding") !== null;
    if (!encoded && wanted > 0) onLength(wanted);
    let bytes = 0;
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      patience.refresh();
      bytes += chunk.length;
      if (bytes > MAX_FILE) throw new Error("the file is far too large");
      yield chunk;
    }
    if (!encoded && Number.isFinite(wanted) && bytes !== wanted) {
      throw new Error(`${bytes} of ${wanted} bytes arrived`);
    }
  } finally {
    await dispatcher.destroy();
    clearTimeout(patience);
  }
}
