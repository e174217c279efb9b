import type { MemoryTable } from "../../agent/memory/types.ts";

/** The first and the last day that are wanted, as `2026-03-12`; empty: as far as there is something. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** All days. */
export const ALL_DAYS: Days = { from: "", to: "" };

/** Reads days that were saved or written; one that is none is as if left out. */
export function readDays(value: unknown): Days {
  const { from, to } = typeof value === "object" && value !== null ? (value as Partial<Days>) : ALL_DAYS;
  return { from: dayOrNone(from), to: dayOrNone(to) };
}

/** The time of these days where the user is, both ends included; milliseconds since the epoch. Only moments have one. */
export function spanOf(
  table: MemoryTable,
  { from, to }: Days,
): { readonly from?: number; readonly to?: number } {
  if (table !== "moments") return {};
  return {
    ...(from !== "" && { from: new Date(`${from}T00:00`).getTime() }),
    ...(to !== "" && { to: new Date(`${to}T23:59:59.999`).getTime() }),
  };
}

function dayOrNone(value: unknown): string {
  const isDay = typeof value === "string" && DAY.test(value);
  return isDay && !Number.isNaN(new Date(`${value}T00:00`).getTime()) ? value : "";
}
