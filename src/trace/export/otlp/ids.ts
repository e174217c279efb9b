import { createHash } from "node:crypto";

const HEX = /^[0-9a-f]+$/i;
const NOTHING_BUT_ZEROS = /^0+$/;

/** An id of so many hex digits: the id itself where it is one, else one made of it, the same every time. */
function hexId(id: string, digits: number): string {
  const isFit = id.length === digits && HEX.test(id) && !NOTHING_BUT_ZEROS.test(id);
  return isFit ? id.toLowerCase() : createHash("sha256").update(id).digest("hex").slice(0, digits);
}

/** The trace of a turn: 16 bytes in hex. A turn's id is one already, whatever else a foreign log says. */
export function traceIdOf(turnId: string): string {
  return hexId(turnId, 32);
}

/** The span of an event: 8 bytes in hex. */
export function spanIdOf(eventId: string): string {
  return hexId(eventId, 16);
}

/** The root span of a turn: the second half of its id. */
export function rootSpanIdOf(turnId: string): string {
  return spanIdOf(traceIdOf(turnId).slice(16));
}

/** The span of what memory did within a tool's call: it has no event of its own. */
export function memorySpanIdOf(eventId: string): string {
  return spanIdOf(`${eventId}/memory`);
}

/** The latest moment that is written, in milliseconds since the epoch: later ones are no longer exact. */
const MAX_TIME = 9e12;

/** Milliseconds since the epoch as nanoseconds in a decimal string; exact to the microsecond. */
export function nanoseconds(time: number): string {
  const ms = Number.isFinite(time) ? Math.min(Math.max(time, 0), MAX_TIME) : 0;
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}
