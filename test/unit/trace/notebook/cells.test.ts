import assert from "node:assert/strict";
import { historyOf } from "../../../../src/trace/notebook/history.ts";
import { LiveTurn } from "../../../../src/trace/notebook/live-turn.ts";
import { eventsOf } from "../../../../src/trace/notebook/make-output.ts";
import { movedLines } from "../../../../src/trace/notebook/moved-lines.ts";
import { CELL_TEXT_LIMIT } from "../../../../src/trace/notebook/shown-text.ts";
import { MAX_CELLS } from "../../../../src/trace/notebook/shown-notebook.ts";
import { readLog } from "../../../../src/trace/log-reader.ts";
import type { AddedTurn } from "../../../../src/trace/notebook/write.ts";
import { answered, edited, logOf, read, SESSION, show, textOf, write } from "./read.ts";

const FIRST = answered("How many masts?", "Two.", 1);
const SECOND = answered("Of what wood?", "Pine.", 2, FIRST[0]?.turnId);
const idOf = (events: typeof FIRST): string => events[0]?.turnId ?? "";

/** A turn as a notebook runs it. */
function ran(events: typeof FIRST, question: string, parentTurnId: string | null): LiveTurn {
  const turn = new LiveTurn(idOf(events), question, { sessionId: SESSION.sessionId, parentTurnId });
  for (const event of events) turn.take(event);
  turn.end();
  return turn;
}

async function typesOf(bytes: Uint8Array): Promise<string[]> {
  const lines = textOf(bytes).split("\n");
  const types: string[] = [];
  for await (const { item } of readLog(lines.map((text) => ({ text, end: 0, complete: true }))))
    types.push(item.type === "event" ? item.event.type : item.type);
  return types;
}

describe("the cells of a trace's notebook", () => {
  it("are the questions of its turns, each with its turn as output", async () => {
    const shown = await show(await read(logOf([...FIRST, ...SECOND])));
    assert.deepEqual(
      shown.cells.map(({ kind, text }) => [kind, text]),
      [
        ["question", "How many masts?"],
        ["question", "Of what wood?"],
      ],
    );
    const [cell] = shown.cells;
    assert.ok(cell?.kind === "question");
    assert.equal(cell.output?.turnId, idOf(FIRST));
  });

  it("leave the turn of a cell that is asked again in the log, as a branch beside the new one", async () => {
    const log = await read(logOf([...FIRST, ...SECOND]));
    const again = ran(answered("Of what wood?", "Oak.", 3), "Of what wood?", idOf(FIRST));
    const cells = edited(await show(log)).map((cell, at) =>
      at === 1 ? { ...cell, turn: again.turnId } : cell,
    );
    const written = write(log, cells, [again]);
    assert.ok(textOf(written).startsWith(textOf(log.bytes)), "the log was not left as it is");
    const shown = await show(await read(written));
    assert.deepEqual(
      shown.cells.map((cell) => (cell.kind === "question" ? [cell.text, cell.output?.turnId] : [])),
      [
        ["How many masts?", idOf(FIRST)],
        ["Of what wood?", again.turnId],
      ],
    );
    const parents = eventsOf(again.lines).flatMap((event) =>
      event.type === "turn.start" ? [event.data["conclave.parent_turn_id"]] : [],
    );
    assert.deepEqual(parents, [idOf(FIRST)]);
  });

  it("need no lines of their own for a question that is asked at the end", async () => {
    const log = await read(logOf(FIRST));
    const next = ran(SECOND, "Of what wood?", idOf(FIRST));
    const cells = [
      ...edited(await show(log)),
      { kind: "question" as const, text: "Of what wood?", turn: next.turnId },
    ];
    const written = textOf(write(log, cells, [next]));
    assert.doesNotMatch(written, /notebook\./);
    assert.match(written, /Pine/);
  });

  it("make a log of their own when the notebook began empty", async () => {
    const log = await read("");
    const turn = ran(FIRST, "How many masts?", null);
    const written = write(log, [{ kind: "question", text: "How many masts?", turn: turn.turnId }], [turn]);
    const [first = "", ...rest] = await typesOf(written);
    assert.equal(first, "session");
    assert.ok(rest.includes("turn.end") && !rest.includes("problem"), rest.join(" "));
  });

  it("hold all of a turn whose file was read anew while it ran: what came since is added, once", async () => {
    const whole = logOf(FIRST);
    const turn = {
      turnId: idOf(FIRST),
      question: "How many masts?",
      lines: whole.trimEnd().split("\n").slice(1),
    };
    for (const shown of [1, 2, 5, turn.lines.length]) {
      const log = await read(logOf(FIRST.slice(0, shown)));
      const written = write(log, edited(await show(log)), [turn]);
      assert.equal(textOf(written), whole);
      const again = await read(written);
      assert.equal(textOf(write(again, edited(await show(again)), [turn])), whole);
    }
  });

  it("keep a half line apart from what is added behind it", async () => {
    const log = await read(logOf(FIRST).slice(0, -20));
    const cells = [...edited(await show(log)), { kind: "markdown" as const, text: "A note" }];
    const written = textOf(write(log, cells));
    assert.ok(written.startsWith(textOf(log.bytes)));
    assert.deepEqual(edited(await show(await read(written))), cells);
  });

  it("are the newest few hundred of a long log; a notice says how many more there are, and they are kept", async () => {
    const count = MAX_CELLS + 3;
    const turns = Array.from({ length: count }, (_, at) =>
      answered(`Question ${at}`, "Yes.", 1000 + at * 50),
    );
    const log = await read(logOf(turns.flat()));
    const shown = await show(log);
    assert.equal(shown.unshown, 3);
    const [notice, first] = shown.cells;
    assert.equal(notice?.kind, "notice");
    assert.match(notice.text, /^3 earlier cells are not shown here/);
    assert.equal(first?.text, "Question 3");
    assert.equal(shown.cells.length, MAX_CELLS + 1);
    assert.equal(write(log, edited(shown), [], 3), log.bytes);
    const written = write(log, [...edited(shown), { kind: "markdown", text: "A note" }], [], 3);
    const again = await show(await read(written));
    assert.deepEqual([again.unshown, again.cells.at(-1)?.text], [4, "A note"]);
    assert.ok(textOf(written).startsWith(textOf(log.bytes)));
  });

  it("show the beginning of an endless text, and do not cut it by saving something else", async () => {
    const long = "word ".repeat(CELL_TEXT_LIMIT);
    const line = JSON.stringify({ type: "notebook.cell", cell: "markdown", text: long });
    const log = await read(`${logOf(FIRST)}${line}\n`);
    const cells = edited(await show(log));
    assert.equal(cells[0]?.text.length, CELL_TEXT_LIMIT);
    const written = textOf(write(log, [...cells, { kind: "markdown", text: "A note" }]));
    assert.ok(written.includes(JSON.stringify(long)));
  });

  it("tell of a merge that is not resolved, and of lines that can't be read, and show all turns of both sides", async () => {
    const ours = logOf(FIRST);
    const lines = SECOND.map((event) => JSON.stringify(event)).join("\n");
    const log = await read(`${ours}<<<<<<< HEAD\n${lines}\n||||||| base\n=======\n{broken\n>>>>>>> theirs\n`);
    const [notice, ...cells] = (await show(log)).cells;
    assert.match(notice?.text ?? "", /merge that is not resolved.*\n\n1 line can't be read/s);
    assert.deepEqual(
      cells.map(({ text }) => text),
      ["How many masts?", "Of what wood?"],
    );
  });

  it("show a turn once that a merge named twice", async () => {
    const line = `${JSON.stringify({ type: "notebook.cell", cell: "turn", turn: idOf(FIRST) })}\n`;
    const shown = await show(await read(logOf(FIRST) + line + line));
    assert.equal(shown.cells.length, 1);
  });

  it("show no turn of which the log only holds what was said of it elsewhere", async () => {
    const [start] = FIRST;
    const stray = { ...start, type: "user.feedback", turnId: "elsewhere", data: { rating: "up" } };
    const shown = await show(await read(`${logOf(FIRST)}${JSON.stringify(stray)}\n`));
    assert.equal(shown.cells.length, 1);
  });
});

describe("a turn that a notebook runs", () => {
  it("holds what is said of it after its end, in its order, and no text that streams in", () => {
    const end = FIRST.at(-1);
    assert.ok(end?.type === "turn.end");
    const after = { ...end, id: "f", type: "user.feedback", data: { rating: "up" } } as const;
    const later = { ...after, id: "g" };
    const turn = new LiveTurn(end.turnId, "How many masts?", {
      sessionId: SESSION.sessionId,
      parentTurnId: null,
    });
    for (const event of FIRST) {
      turn.hear(event);
      if (event.type === "turn.end") turn.hear(after as never);
      if (event.type === "model.start")
        turn.take({ ...event, type: "model.delta", data: { channel: "answer", text: "Tw" } } as never);
      turn.take(event);
    }
    turn.end();
    turn.hear(later as never);
    turn.hear({ ...later, turnId: "another" } as never);
    const types = eventsOf(turn.lines).map(({ type, id }) => `${type} ${id}`);
    assert.deepEqual(types.slice(-3), [`turn.end ${end.id}`, "user.feedback f", "user.feedback g"]);
    assert.ok(!types.some((type) => type.startsWith("model.delta")));
  });

  it("shows the text that streams in until its call has ended", () => {
    const turn = new LiveTurn(idOf(FIRST), "How many masts?", {
      sessionId: SESSION.sessionId,
      parentTurnId: null,
    });
    const start = FIRST.findIndex(({ type }) => type === "model.start");
    for (const event of FIRST.slice(0, start + 1)) turn.take(event);
    const call = FIRST[start];
    assert.ok(call);
    const stream = (channel: string, text: string, retract?: true): void =>
      turn.take({
        ...call,
        type: "model.delta",
        data: { channel, text, ...(retract && { retract }) },
      } as never);
    const streamed = (): readonly string[] =>
      turn.shown.flatMap((event) => (event.type === "model.delta" ? [event.data.text] : []));
    stream("thinking", "Hm. ");
    stream("answer", "Tw");
    stream("answer", "o.");
    assert.deepEqual(streamed(), ["Hm. ", "Two."]);
    stream("answer", "", true);
    assert.deepEqual(streamed(), ["Hm. "]);
    stream("answer", "x".repeat(100_000));
    assert.ok(streamed().join("").length < 20_000);
    for (const event of FIRST.slice(start + 1)) turn.take(event);
    assert.deepEqual(streamed(), []);
  });

  it("hands on its messages without thinking, and nothing when it was not answered", () => {
    assert.deepEqual(
      historyOf(FIRST).map(({ role, content }) => `${role}: ${content}`),
      ["user: How many masts?", "assistant: Two."],
    );
    const failed = FIRST.map((event) =>
      event.type === "turn.end" ? { ...event, data: { ...event.data, outcome: "failed" as const } } : event,
    );
    assert.deepEqual(historyOf(failed), []);
    assert.deepEqual(
      historyOf(FIRST.filter(({ type }) => type !== "turn.end" && type !== "answer.dialog")),
      [],
    );
  });

  it("moves into another notebook's log when its cell is pasted there", async () => {
    const other = "6f1e2d3c-0000-4000-8000-0000000000aa";
    const lines = movedLines([...FIRST.map((event) => JSON.stringify(event)), "no event"], other);
    const pasted: AddedTurn = { turnId: idOf(FIRST), question: "How many masts?", lines };
    const log = await read(logOf(SECOND));
    const written = write(
      log,
      [...edited(await show(log)), { kind: "question", text: pasted.question, turn: pasted.turnId }],
      [pasted],
    );
    assert.deepEqual(new Set(eventsOf(lines).map(({ sessionId }) => sessionId)), new Set([other]));
    assert.equal(edited(await show(await read(written))).length, 2);
  });
});
