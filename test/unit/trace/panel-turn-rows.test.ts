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

  it("leaves an old session where it stands when its answer is graded, even one that was not listed yet", () => {
    const rows = new TurnRows();
    const page = [row("a", "new", daysAgo(0)), row("b", "old", daysAgo(5))];
    rows.page({ type: "turns", cursor: 0, next: null, filter: "", rows: page });
    rows.change([{ ...row("c", "older", daysAgo(9)), grade: 4 }]);
    rows.change([{ ...row("b", "old", daysAgo(5)), grade: 2 }]);
    assert.deepEqual(shown(rows), ["# Today", "new", day(5), "old", day(9), "older"]);
  });

  it("gives sessions that begin with the same question a head each, and lone turns of a day one", () => {
    const rows = new TurnRows();
    const asked = (sessionId: string, turnId: string, minutes: number): TurnSummary => ({
      ...row(sessionId, turnId, NOW - minutes * 60_000),
      question: "Does it hold?",
    });
    const page = [asked("a", "a1", 2), asked("a", "a2", 1), asked("b", "b1", 4), asked("b", "b2", 3)];
    const lone = [asked("c", "c1", 5), asked("d", "d1", 6)];
    rows.page({ type: "turns", cursor: 0, next: null, filter: "", rows: [...page, ...lone] });
    const head = "# Today · Does it hold?";
    assert.deepEqual(shown(rows), [head, "a1", "a2", head, "b1", "b2", "# Today", "c1", "d1"]);
  });

  it("takes a session that begins while it is looked at to its top", () => {
    const rows = new TurnRows();
    rows.page({ type: "turns", cursor: 0, next: null, filter: "", rows: [row("a", "old", daysAgo(1))] });
    rows.change([row("b", "now", NOW)]);
    assert.deepEqual(shown(rows), ["# Today", "now", "# Yesterday", "old"]);
  });
});
