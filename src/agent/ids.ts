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

/** Real randomness and the real clock. */
export const systemIdentity: Identity = {
  turnId: () => randomBytes(16).toString("hex"),
  spanId: () => randomBytes(8).toString("hex"),
  uuid: () => randomUUID(),
  now: () => performance.timeOrigin + performance.now(),
};
