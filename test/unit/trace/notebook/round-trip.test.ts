import assert from "node:assert/strict";
import fc from "fast-check";
import { readLog } from "../../../../src/trace/log-reader.ts";
import type { EditedCell } from "../../../../src/trace/notebook/write.ts";
import { logs, typed } from "./arbitrary-log.ts";
import { edited, read, SESSION, show, write } from "./read.ts";

/** The lines of a log that say no cells, as they stand. */
function otherLines(bytes: Uint8Array): string[] {
  const all = Buffer.from(bytes).toString("latin1").split("\n");
  return all.filter((line) => !/"notebook\.cell"/.test(line) && line !== "");
}

/** What a cell shows, so that two can be compared. */
function looks(cells: readonly EditedCell[]): unknown {
  return cells
    .map((cell) => ({
      ...cell,
      text: cell.text
        .replace(/^\uFEFF/, "")
        .replace(/\r\n?/g, "\n")
        .toWellFormed(),
    }))
    .filter(({ kind, text, ...rest }) => kind === "markdown" || text.trim() !== "" || "turn" in rest);
}

describe("a log as a notebook and back", () => {
  it("is the same, byte for byte, whatever it holds, when nothing was edited", async () => {
    await fc.assert(
      fc.asyncProperty(logs, async (bytes) => {
        const log = await read(bytes);
        assert.deepEqual(Buffer.from(write(log, edited(await show(log)))), Buffer.from(bytes));
      }),
      { numRuns: 600 },
    );
  });

  it("keeps every line of the log, and shows the same cells again, after cells were edited", async () => {
    const edits = fc.array(
      fc.record({
        at: fc.nat(9),
        to: fc.nat(9),
        what: fc.constantFrom("change", "add", "note", "delete", "move", "clear"),
        text: typed,
      }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(logs, edits, async (bytes, changes) => {
        const log = await read(bytes);
        const cells = edited(await show(log));
        for (const { at, to, what, text } of changes) {
          const place = Math.min(at, cells.length);
          const [cell] = cells.slice(place, place + 1);
          if (what === "add") cells.splice(place, 0, { kind: "question", text });
          else if (what === "note") cells.splice(place, 0, { kind: "markdown", text });
          else if (cell === undefined) continue;
          else if (what === "delete") cells.splice(place, 1);
          else if (what === "change") cells[place] = { ...cell, text };
          else if (what === "clear") cells[place] = { kind: cell.kind, text: cell.text };
          else cells.splice(Math.min(to, cells.length - 1), 0, ...cells.splice(place, 1));
        }
        const written = write(log, cells);
        const kept = otherLines(written);
        const before = otherLines(bytes);
        // A log that began empty gets its first line.
        assert.deepEqual(before.length === 0 ? [] : kept, before);
        const again = await read(written);
        const shown = edited(await show(again));
        assert.deepEqual(looks(shown), looks(cells));
        // What is saved once more, not edited, stays as it is.
        assert.deepEqual(Buffer.from(write(again, shown)), Buffer.from(written));
      }),
      { numRuns: 600 },
    );
  });

  it("comes back to the very file it was when an edit is taken back", async () => {
    await fc.assert(
      fc.asyncProperty(logs, typed, async (bytes, text) => {
        const log = await read(bytes);
        const cells = edited(await show(log));
        write(log, [...cells, { kind: "markdown", text }]);
        assert.deepEqual(Buffer.from(write(log, cells)), Buffer.from(bytes));
      }),
      { numRuns: 100 },
    );
  });

  it("is read by every other reader as if no notebook had ever touched it", async () => {
    await fc.assert(
      fc.asyncProperty(logs, typed, async (bytes, text) => {
        const log = await read(bytes);
        const written = write(log, [...edited(await show(log)), { kind: "markdown", text: `x${text}` }]);
        assert.deepEqual(await seen(written), await seen(bytes));
      }),
      { numRuns: 200 },
    );
  });
});

/** What another reader sees of a log: lines and what they hold; where a problem stands does not matter. */
async function seen(bytes: Uint8Array): Promise<readonly unknown[]> {
  const lines = Buffer.from(bytes).toString("utf8").split("\n");
  const items: unknown[] = [];
  const given = lines.map((text) => ({ text, end: 0, complete: true }));
  for await (const { item } of readLog(given)) items.push(item.type === "problem" ? item.type : item);
  // The line that a notebook without one begins with.
  return items.filter((item) => !JSON.stringify(item).includes(SESSION.sessionId));
}
