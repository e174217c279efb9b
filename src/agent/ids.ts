import { randomFillSync, randomUUID } from "node:crypto";

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

/** Random bytes in advance: drawing eight at a time costs more than all else that an event costs. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString("hex", used - bytes, used);
}

/** Real randomness and the real clock. */
export const systemIdentity: Identity = {
  turnId: () => randomHex(16),
  spanId: () => randomHex(8),
  uuid: () => randomUUID(),
  now: () => performance.timeOrigin + performance.now(),
};
