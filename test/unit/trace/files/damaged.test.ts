import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { linesOf } from "../../../../src/trace/lines.ts";
import { readLog } from "../../../../src/trace/log-reader.ts";
import { bufferSource } from "../../../../src/trace/files/source.ts";
import { TraceFile } from "../../../../src/trace/files/trace-file.ts";
import { eventsOf, head, opened, questions, SESSION, textOf, turnEvents } from "./support.ts";
import { told } from "./told.ts";

const MB = 1024 * 1024;
const [FIRST, ...REST] = turnEvents(1);

/** The line of an event with other fields in it. */
function line(fields: object): string {
  return JSON.stringify({ ...FIRST, ...fields });
}

describe("a damaged, foreign or hostile trace file", () => {
  it("loses a line that is no JSON, or no event, and nothing else; the notes name both", async () => {
    const events = turnEvents(2);
    const file = await opened(
      textOf([
        head(),
        "{not json",
        ...events.slice(0, 20),
        '{"type":"turn.end","data":7}',
        ...events.slice(20),
      ]),
    );
    assert.deepEqual(await questions(file), ["Question 0", "Question 1"]);
    const { notes, leftOut } = file.status();
    assert.equal(leftOut, 2);
    assert.match(notes[0] ?? "", /^Line 2 is not JSON/);
    assert.match(notes[1] ?? "", /^Line 23 is not an event and was left out \(/);
  });

  it("passes over a last line that is only half there, without complaint", async () => {
    const file = await opened(textOf([head(), ...turnEvents(1)]) + '{"type":"turn.sta');
    assert.deepEqual(file.status().notes, []);
    assert.deepEqual(await questions(file), ["Question 0"]);
  });

  it("cut at any byte of its last lines holds every event before the cut, in the view and as a log, without complaint", async () => {
    const [first, other] = turnEvents(1);
    const spoken = { ...first, data: { ...first?.data, note: "🚀 and 👩‍🚀, é\u2028" } };
    const lines = [head(), other, spoken].map((each) => textOf([each as TurnEvent]));
    const whole = Buffer.from(lines.join(""));
    const ends = lines.map((_, at) => Buffer.byteLength(lines.slice(0, at + 1).join("")));
    for (let cut = ends[0] ?? 0; cut <= whole.length; cut += 1) {
      // A line without its line feed is whole as well; the first one is no event.
      const events = ends.filter((end) => end - 1 <= cut).length - 1;
      const file = await opened(whole.subarray(0, cut));
      assert.deepEqual([file.status().events, file.status().notes], [events, []], `cut at ${cut}`);
      const items = [];
      const source = bufferSource(whole.subarray(0, cut));
      for await (const { item } of readLog(linesOf(() => source.open(), {}))) items.push(item.type);
      assert.deepEqual(items, ["session", ...Array.from({ length: events }, () => "event")], `cut at ${cut}`);
    }
  });

  it("takes a last line that is whole though no line feed follows it", async () => {
    const file = await opened(textOf([head(), ...turnEvents(1)]).trimEnd());
    const rows = await file.rows(SESSION);
    assert.equal(rows.ok && rows.value[0]?.status, "answered");
  });

  it("of a newer version, is opened as far as it is known, and says which version wrote it", async () => {
    const future = line({ type: "agent.dreamt", id: "x" });
    const file = await opened(textOf([head({ schema: 99 }), ...turnEvents(1), future]));
    assert.match(file.status().notes[0] ?? "", /newer version \(schema 99, known here: 1\)/);
    assert.match(file.status().notes[1] ?? "", /of a kind that is not known here .* \(agent\.dreamt\)\.$/);
    assert.deepEqual(await questions(file), ["Question 0"]);
  });

  it("passes over the notebook's own lines in silence", async () => {
    const file = await opened(textOf([head(), '{"type":"notebook.cell","text":"x"}', ...turnEvents(1)]));
    assert.deepEqual(file.status().notes, []);
  });

  it("with the marks of a merge shows both sides, and says what is the matter", async () => {
    const [one, other] = [turnEvents(1), turnEvents(1, SESSION, 700)];
    const file = await opened(
      textOf([head(), "<<<<<<< HEAD", ...one, "||||||| base", "=======", ...other, ">>>>>>> theirs: a turn"]),
    );
    assert.equal((await questions(file)).length, 2);
    assert.deepEqual(file.status().notes.length, 1);
    assert.match(file.status().notes[0] ?? "", /marks of a merge/);
    assert.equal(file.status().leftOut, 0);
    // Resolved by keeping both sides, as two turns that were added ask for.
    const resolved = await opened(textOf([head(), ...one, ...other]));
    assert.deepEqual([await questions(resolved), resolved.status().notes], [await questions(file), []]);
  });

  it("that holds a turn twice shows it once", async () => {
    const events = turnEvents(1);
    const file = await opened(textOf([head(), ...events, ...events]));
    const rows = await file.rows(SESSION);
    assert.ok(rows.ok);
    assert.equal(rows.value.length, 1);
    assert.equal(rows.value[0]?.toolCalls, 1);
    assert.equal((await eventsOf(file, SESSION, rows.value[0].turnId)).length, events.length);
    assert.match(file.status().notes[0] ?? "", /twice/);
  });

  for (const [name, bytes] of [
    ["a byte order mark", Buffer.from(`\uFEFF${textOf([head(), ...turnEvents(2)])}`)],
    ["CR LF", Buffer.from(textOf([head(), ...turnEvents(2)]).replaceAll("\n", "\r\n"))],
    ["UTF-16 as a shell writes it", Buffer.from(`\uFEFF${textOf([head(), ...turnEvents(2)])}`, "utf16le")],
    [
      "UTF-16, the other way round",
      Buffer.from(`\uFEFF${textOf([head(), ...turnEvents(2)])}`, "utf16le").swap16(),
    ],
    ["empty lines", Buffer.from(textOf([head(), "", "  ", ...turnEvents(2), ""]))],
  ] as const) {
    it(`is read with ${name}`, async () => {
      const file = await opened(bytes);
      assert.deepEqual(await questions(file), ["Question 0", "Question 1"]);
      assert.equal(file.status().leftOut, 0);
    });
  }

  it("in Latin-1 shows signs of replacement for what is no UTF-8, and says so", async () => {
    const events = turnEvents(1).map((event) =>
      event.type === "query.received" ? { ...event, data: { query: "Déjà vu" } } : event,
    );
    const file = await opened(Buffer.from(textOf([head(), ...events]), "latin1"));
    assert.deepEqual(await questions(file), ["D\uFFFDj\uFFFD vu"]);
    assert.match(file.status().notes[0] ?? "", /no UTF-8/);
  });

  it("does not take a sign of replacement that stands in it for damage", async () => {
    const file = await opened(textOf([head(), line({ agent: "\uFFFD" })]));
    assert.deepEqual(file.status().notes, []);
  });

  it("passes over a line beyond all bounds without holding it", async () => {
    const long = `{"type":"x","data":"${"x".repeat(6 * MB)}"}`;
    const file = await opened(textOf([head(), long, ...turnEvents(1)]));
    assert.match(file.status().notes[0] ?? "", /^Line 2 is too long/);
    assert.deepEqual(await questions(file), ["Question 0"]);
  });

  it("passes over a line with parts without number before it is parsed", async () => {
    for (const many of ["[],".repeat(MB), '{"a":1},'.repeat(MB / 4)]) {
      const file = await opened(textOf([head(), `{"type":"turn.end","data":[${many}1]}`, ...turnEvents(1)]));
      assert.match(file.status().notes[0] ?? "", /^Line 2 has too many parts/);
    }
  });

  it("does not take the commas of a long text for parts", async () => {
    const text = "a, [b], {c}, ".repeat(40_000);
    const file = await opened(textOf([head(), line({ type: "query.received", data: { query: text } })]));
    assert.deepEqual(file.status().notes, []);
    assert.match((await questions(file))[0] ?? "", /^a, \[b\]/);
  });

  it("is cut where it is nested without end", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const args = `{"name":"t","arguments":${deep},"gen_ai.tool.call.id":"1"}`;
    const event = line({ type: "tool.request", id: "t" }).replace(/"data":\{.*\}\}$/, `"data":${args}}`);
    const file = await opened(textOf([head(), ...[FIRST!, ...REST].slice(0, 3), event]));
    const rows = await file.rows(SESSION);
    const events = await eventsOf(file, SESSION, rows.ok ? rows.value[0]!.turnId : "");
    assert.equal(events.at(-1)?.type, "tool.request");
    assert.match(JSON.stringify(events.at(-1)), /nested too deeply/);
  });

  it("changes no object of ours by its keys", async () => {
    const keys =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":[1]}}';
    const escaped = keys.replaceAll("__proto__", "\\u005f_proto\\u005f_");
    const events = [keys, escaped].map((args, index) =>
      line({ type: "tool.request", id: `t${index}` }).replace(
        /"data":\{.*\}\}$/,
        `"data":{"name":"__proto__","arguments":${args},"gen_ai.tool.call.id":"1"}}`,
      ),
    );
    const file = await opened(textOf([head(), FIRST!, ...events]));
    assert.equal(file.status().events, 3);
    const rows = await file.rows(SESSION);
    const read = await eventsOf(file, SESSION, rows.ok ? rows.value[0]!.turnId : "");
    assert.equal(({} as { polluted?: number }).polluted, undefined);
    for (const event of read) {
      const { arguments: args } = event.data as { arguments?: { a?: object } };
      if (args === undefined) continue;
      assert.deepEqual(Object.keys(args), ["constructor", "a"]);
      assert.equal(Object.getPrototypeOf(args), Object.prototype);
      assert.deepEqual(Reflect.ownKeys(args.a ?? { b: 1 }), []);
    }
  });

  it("sets times and names beyond all bounds right, and says so", async () => {
    for (const time of ["-5", "1e300", "1e999", "9e15"]) {
      const event = line({}).replace(/"time":[\d.]+/, `"time":${time}`);
      const file = await opened(textOf([head(), event]));
      const rows = await file.rows(SESSION);
      if (time === "1e999" && rows.ok && rows.value.length === 0) continue;
      assert.ok(rows.ok);
      assert.doesNotThrow(() => new Date(rows.value[0]!.time).toISOString());
      assert.match(file.status().notes.join(" "), /beyond all bounds|is not an event/);
    }
    const file = await opened(textOf([head(), line({ agent: "a".repeat(MB) })]));
    const rows = await file.rows(SESSION);
    assert.equal(rows.ok && rows.value[0]?.agent.length, 200);
  });

  it("never sums figures up to more than a number", async () => {
    const end = turnEvents(1).find(({ type }) => type === "model.end")!;
    const event = JSON.stringify(end).replace(
      /"gen_ai.usage.input_tokens":\d+/,
      '"gen_ai.usage.input_tokens":1e308',
    );
    const again = event.replace(/"id":"[^"]*"/, '"id":"another"');
    const file = await opened(textOf([head(), event, again]));
    const rows = await file.rows(SESSION);
    assert.ok(rows.ok && Number.isSafeInteger(rows.value[0]?.inputTokens));
  });

  it("shows the first of very many turns and sessions, and says that there are more", async () => {
    const turns = Array.from({ length: 20_100 }, (_, at) => line({ turnId: `turn${at}`, id: `turn${at}` }));
    const file = await opened(textOf([head(), ...turns]));
    assert.equal((await questions(file)).length, 20_000);
    assert.match(file.status().notes[0] ?? "", /more turns/);
    const sessions = Array.from({ length: 1_100 }, (_, at) =>
      line({ sessionId: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}` }),
    );
    const many = await opened(textOf(sessions));
    const page = await many.sessions({ offset: 0, limit: 1 });
    assert.equal(page.ok && page.value.total, 1_000);
    assert.match(many.status().notes[0] ?? "", /more sessions/);
  });

  it("finds a turn whose lines lie scattered among those of many others", async () => {
    const lines = Array.from({ length: 1_000 }, (_, at) =>
      line({ type: "step.start", id: `s${at}`, turnId: `turn${at % 10}`, data: { index: at } }),
    );
    const file = await opened(textOf([head(), ...lines]));
    const events = await eventsOf(file, SESSION, "turn3");
    assert.equal(events.length, 100);
    assert.ok(events.every(({ turnId }) => turnId === "turn3"));
  });

  it("names few of very many faults, and counts the rest", async () => {
    const file = await opened(
      textOf([head(), ...Array.from({ length: 500 }, () => "nonsense"), ...turnEvents(1)]),
    );
    const { notes, leftOut } = file.status();
    assert.equal(leftOut, 500);
    assert.ok(notes.length < 20);
    assert.equal(notes.at(-1), "488 more lines were left out.");
  });

  it("that is nothing of the kind holds no event, and opens all the same", async () => {
    for (const bytes of [
      Buffer.from(""),
      Buffer.from("# Notes\n\nThis is a page.\n"),
      Buffer.from('{"a":1}\n[2]\nnull\n"x"\n3\n'),
      Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0xff, 0xfe, 10, 0, 10]),
      Buffer.alloc(300_000),
    ]) {
      const file = await opened(bytes);
      assert.deepEqual([file.status().state, file.status().events], ["read", 0]);
      assert.equal(await file.firstTurn(), undefined);
    }
  });

  it("that is compressed says so, in the view and when it is imported, and is not unpacked", async () => {
    const text = Buffer.from(textOf([head(), ...turnEvents(1)]));
    const zip = Buffer.concat([Buffer.from("PK\u0003\u0004"), text]);
    for (const packed of [gzipSync(text), zip]) {
      const file = await opened(packed);
      assert.deepEqual(file.status().notes, ["The file is compressed. Unpack it, then open what was in it."]);
      assert.deepEqual([file.status().state, file.status().events], ["read", 0]);
      assert.deepEqual(await told(packed), { events: [], notes: file.status().notes });
    }
  });

  it("that can't be opened says why", async () => {
    const file = new TraceFile({
      size: () => Promise.reject(new Error("no such thing")),
      open: () => bufferSource(new Uint8Array()).open(),
    });
    await file.load();
    assert.equal(file.status().state, "gone");
    assert.match(file.status().notes[0] ?? "", /no such thing/);
  });
});
