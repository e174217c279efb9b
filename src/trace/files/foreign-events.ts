import { conclaveEvents } from "./conclave-events.ts";
import type { ForeignEvents } from "./import.ts";
import { otlpEvents } from "./otlp/events.ts";
import type { ByteSource } from "./source.ts";
import { asUtf8 } from "./utf16.ts";

/** As much as is looked at to tell what a file is. */
const HEAD_BYTES = 64 * 1024;
/** How a file of spans begins: with one of these keys, before any event of ours. */
const SPANS = /"(?:resourceSpans|resource_spans|scopeSpans|scope_spans|batches)"\s*:/;
const OURS = /"(?:schema|turnId)"\s*:/;

/** The events of a file, whatever it is: a session's own log, or spans as OTLP JSON. Rejects when it can't be read. */
export async function foreignEvents(source: ByteSource): Promise<ForeignEvents> {
  await source.size();
  const bytes = await (await asUtf8(source, () => undefined)).open();
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    const head = buffer.toString("utf8", 0, await bytes.read(buffer, 0));
    const spans = head.search(SPANS);
    const ours = head.search(OURS);
    return spans >= 0 && (ours < 0 || spans < ours) ? otlpEvents(source) : conclaveEvents(source);
  } finally {
    await bytes.close();
  }
}
