import type { Figure, FigureRecord, Measured } from "./frame.ts";

/** A figure's record for the file. */
export function toRecord(figure: Figure, measured: Measured): FigureRecord {
  const { value, reference, rounds, spread } = measured;
  return {
    name: figure.name,
    value: rounded(value),
    unit: figure.unit,
    goal: figure.goal,
    ...(figure.atLeast && { atLeast: true }),
    holds: figure.atLeast ? value >= figure.goal : value <= figure.goal,
    reference: { ...reference, value: rounded(reference.value) },
    rounds,
    spread: [rounded(spread[0]), rounded(spread[1])],
  };
}

/** The table for people. */
export function toTable(records: readonly FigureRecord[]): string {
  const head = ["figure", "value", "spread", "goal", "holds", "reference", "rounds"];
  const rows = records.map((record) => [
    record.name,
    `${record.value} ${record.unit}`,
    record.spread[0] === record.spread[1] ? "" : `${record.spread[0]} - ${record.spread[1]}`,
    `${record.atLeast ? ">= " : ""}${record.goal}`,
    record.holds ? "yes" : "NO",
    `${record.reference.name}: ${record.reference.value} ${record.reference.unit}`,
    String(record.rounds),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const toLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [toLine(head), rule, ...rows.map(toLine)].join("\n");
}

/** Three digits that count. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
