import type { Timer } from "../../agent/timer.ts";
import type { Result } from "../../agent/failure.ts";
import type { Swept } from "../../trace/files/sweep.ts";

/** The first sweep waits until the window has long been there, in milliseconds; the others come once a day. */
export const FIRST_SWEEP_MS = 3 * 60_000;
export const NEXT_SWEEP_MS = 24 * 60 * 60_000;
const MB = 1024 * 1024;

/** What sweeping is made of. */
export interface SweepingParts {
  readonly timer: Timer;
  /** Sweeps once. Must not reject. */
  readonly sweep: (signal: AbortSignal) => Promise<Result<Swept>>;
  /** Takes a line for the log. */
  readonly onLine: (line: string) => void;
}

/** Sweeps old traces away: some time after the window came up, then daily. */
export class Sweeping {
  private readonly parts: SweepingParts;
  private readonly stopping = new AbortController();
  private cancel: () => void;

  constructor(parts: SweepingParts) {
    this.parts = parts;
    this.cancel = parts.timer(FIRST_SWEEP_MS, () => void this.run());
  }

  /** Sweeps now; says in the log what went. */
  async run(): Promise<void> {
    this.cancel();
    const swept = await this.parts.sweep(this.stopping.signal);
    for (const line of linesOf(swept)) this.parts.onLine(line);
    if (this.stopping.signal.aborted) return;
    this.cancel = this.parts.timer(NEXT_SWEEP_MS, () => void this.run());
  }

  dispose(): void {
    this.stopping.abort();
    this.cancel();
  }
}

/** What is said of a sweep; nothing where nothing went. */
function linesOf(swept: Result<Swept>): readonly string[] {
  if (!swept.ok) return swept.failure.code === "cancelled" ? [] : [swept.failure.message];
  const { gone, spared } = swept.value;
  const lines = gone.map(({ sessionId, updatedAt, size, why }) => {
    const reason = why === "age" ? "older than trace.keepDays" : "beyond trace.maxSizeMb";
    const of = `last written ${new Date(updatedAt).toISOString()}, ${(size / MB).toFixed(1)} MB`;
    return `Deleted the trace of session ${sessionId}: ${reason} (${of}).`;
  });
  return spared === 0 ? lines : [...lines, `${spared} old traces stay for now: they are in use.`];
}
