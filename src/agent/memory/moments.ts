import type { TurnRef } from "./knowledge.ts";

/** A turn, by its ids. */
export interface TurnId {
  readonly sessionId: string;
  readonly turnId: string;
}

/** An excerpt that was kept on purpose, with the time it tells of. */
export interface Moment {
  /** UUID. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** When it was, both ends included; milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly scope: string;
  /** The agent that kept it. */
  readonly agent: string;
  /** The turn in which it was kept. */
  readonly source: TurnRef;
  /** Other turns that it tells of: it goes with any of them. */
  readonly turns: readonly TurnId[];
  /** The user pinned it: it comes before others that fit about as well. Left out: no. */
  readonly pinned?: boolean;
}

/** Which moments are wanted. */
export interface MomentQuery {
  /** What to look for; left out: all, the latest first. */
  readonly query?: string;
  /** Moments that are wholly before or after are left out; milliseconds since the epoch. */
  readonly from?: number;
  readonly to?: number;
  readonly scopes?: readonly string[];
  readonly limit: number;
  /** So many are left out before the first; 0 when left out. */
  readonly offset?: number;
}

/** Some moments: the best first where something was looked for, else the latest first. */
export interface MomentPage {
  /** `score`: 0..1, how well it fits; 1 where nothing was looked for. */
  readonly moments: readonly { readonly moment: Moment; readonly score: number }[];
  readonly total: number;
}
