import assert from "node:assert/strict";
import type { TurnSummary } from "../../../src/trace/summary.ts";
import { dayOf } from "../../../src/webview/format.ts";
import { TurnRows } from "../../../src/webview/turn-rows.ts";

const NOW = new Date(2026, 10, 27, 12).getTime();
const day = (days: number): string => `# ${dayOf(daysAgo(days), NOW)}`;
const daysAgo = (days: number): number => NOW - days * 24 * 60 * 60 * 1_000;

function row(sessionId: string, turnId: string, time: number): TurnSummary {
  return {
    ...{ sessionId, turnId, parentTurnId: null, time, agent: "conclave", door: "panel", question: turnId },
    ...{ answer: "", thinking: false, toolCalls: 0, tools: [], agents: [], model: "", inputTokens: 0 },
    ...{ outputTokens: 0, durationMs: null, status: "answered", error: null, grade: null, feedback: null },
  };
}

describe("the list of turns", () => {
  const shown = (rows: TurnRows): string[] =>
    rows.items(NOW).map((item) => (item.kind === "head" ? `# ${item.label}` : item.row.turnId));

  it("has the session first that was asked last, whichever log was written to since", () => {
    const rows = new TurnRows();
    // The log of the oldest was written to last: its answer was graded.
    const page = [row("a", "old", daysAgo(9)), row("b", "new", daysAgo(1)), row("c", "mid", daysAgo(5))];
    rows.page({ type: "turns", cursor: 0, next: null, filter: "", rows: page });
    assert.deepEqual(shown(rows), ["# Yesterday", "new", day(5), "mid", day(9), "old"]);
  });

  it("names a session by the day on which it was asked last", () => {
    const rows = new TurnRows();
    const page = [row("a", "first", daysAgo(9)), row("a", "second", daysAgo(0))];
    rows.page({ type: "turns", cursor: 0, next: null, filter: "", rows: page });
    assert.deepEqual(shown(rows), ["# Today · first", "first", "second"]);
  });

  it("takes a session that begins while it is looked at to its top", () => {
    const rows = new TurnRows();
    rows.page({ type: "turns", cursor: 0, next: null, filter: "", rows: [row("a", "old", daysAgo(1))] });
    rows.change([row("b", "now", NOW)]);
    assert.deepEqual(shown(rows), ["# Today", "now", "# Yesterday", "old"]);
  });
});
