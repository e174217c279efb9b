import type { Identity } from "../../../../src/agent/ids.ts";

/** Ids that count up and a clock that is moved by hand: scripted turns are the same every time. */
export class SteadyIdentity implements Identity {
  time: number;
  private count: number;

  constructor(time = Date.UTC(2026, 2, 20, 14, 9, 0), seed = 0) {
    this.time = time;
    this.count = seed;
  }

  turnId(): string {
    return this.next(32);
  }

  spanId(): string {
    return this.next(16);
  }

  uuid(): string {
    const hex = this.next(12);
    return `00000000-0000-4000-8000-${hex}`;
  }

  now(): number {
    return this.time;
  }

  private next(length: number): string {
    this.count += 1;
    return this.count.toString(16).padStart(length, "0");
  }
}
