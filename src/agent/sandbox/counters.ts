import type { SandboxCounters } from "../events-sandbox.ts";

/** The figures of a round from those of its messages: sums, the mean drift, the highest repetition. */
export function roundCounters(messages: readonly SandboxCounters[]): SandboxCounters {
  const sum = (of: (one: SandboxCounters) => number): number =>
    messages.reduce((total, one) => total + of(one), 0);
  const drifts = messages.flatMap(({ drift }) => drift ?? []);
  const repetitions = messages.flatMap(({ repetition }) => repetition ?? []);
  return {
    retrieved: sum(({ retrieved }) => retrieved),
    extracted: sum(({ extracted }) => extracted),
    updated: sum(({ updated }) => updated),
    ...(drifts.length > 0 && { drift: drifts.reduce((total, one) => total + one, 0) / drifts.length }),
    ...(repetitions.length > 0 && { repetition: Math.max(...repetitions) }),
  };
}
