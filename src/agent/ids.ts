import { randomBytes, randomUUID } from "node:crypto";

/** Where ids and the time come from; tests pass a seeded one so that recorded turns are stable. */
export interface Identity {
  /** 16 random bytes in hex: a turn is an OpenTelemetry trace. */
  turnId(): string;
  /** 8 random bytes in hex: a span, or a point event. */
  spanId(): string;
  /** A UUID, for sessions and episodes. */
  uuid(): string;
  /** Milliseconds since the epoch, with fractions. */
  now(): number;
}

/** Bytes that are drawn in advance: eight at a time cost more than all else that an event costs. An id that is kept keeps its pool. */
const POOL = 1_024;

let pool = "";
let used = 0;

function randomHex(bytes: number): string {
  const length = 2 * bytes;
  if (used + length > pool.length) {
    pool = randomBytes(POOL).toString("hex");
    used = 0;
  }
  used += length;
  return pool.slice(used - length, used);
}

/** Real randomness and the real clock. */
export const systemIdentity: Identity = {
  turnId: () => randomHex(16),
  spanId: () => randomHex(8),
  uuid: () => randomUUID(),
  now: () => performance.timeOrigin + performance.now(),
};
