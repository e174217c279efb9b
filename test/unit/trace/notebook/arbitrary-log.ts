import fc from "fast-check";

/*
 * Logs of every kind: valid lines, damaged ones, those of newer versions and of other tools, half a line at the end, with
 * line feeds or CR LF, with turns that branch, turns of several sessions, and what is said of a turn after its end.
 */
const SESSIONS = ["6f1e2d3c-0000-4000-8000-000000000001", "6f1e2d3c-0000-4000-8000-000000000002"];
const TURNS = ["t1", "t2", "t3", "t4", "t5"];

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "",
    " ",
    "two\nlines",
    "a\r\nb\rc",
    "\u2028\u0085",
    "\uFEFFmark",
    "👩‍🚀",
    "nul\u0000",
    "<<<<<<< HEAD",
  ),
);

const base = fc.record({
  id: fc.constantFrom("e1", "e2", "e3"),
  parentId: fc.constantFrom(null, "t1"),
  time: fc.integer({ min: 0, max: 2_000_000_000 }),
  sessionId: fc.constantFrom(...SESSIONS),
  turnId: fc.constantFrom(...TURNS),
  agent: fc.constant("conclave"),
  respondent: fc.constant("A"),
});

function event(type: string, data: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc.tuple(base, data).map(([event, data]) => ({ type, ...event, data }));
}

const events = fc.oneof(
  event(
    "turn.start",
    fc.record({
      "conclave.parent_turn_id": fc.constantFrom(null, "unknown", ...TURNS),
      "conclave.door": fc.constant("panel"),
    }),
  ),
  event("query.received", fc.record({ query: text })),
  event("answer.dialog", fc.record({ query: text, answer: text })),
  event("user.feedback", fc.record({ rating: fc.constantFrom("up", "down") })),
  event("memory.ingested", fc.record({ "conclave.episode_ids": fc.array(fc.string()) })),
  event("of.tomorrow", fc.record({ anything: fc.jsonValue() })),
  event(
    "turn.end",
    fc.record({
      outcome: fc.constantFrom("answered", "failed", "cancelled"),
      "conclave.duration_ms": fc.nat(),
      "conclave.steps": fc.nat(),
      "conclave.messages": fc.constant([]),
    }),
  ),
);

const cells = fc.oneof(
  fc.record({
    type: fc.constant("notebook.cell"),
    cell: fc.constant("turn"),
    turn: fc.constantFrom(...TURNS, "gone"),
  }),
  fc.record({
    type: fc.constant("notebook.cell"),
    cell: fc.constant("turn"),
    turn: fc.constantFrom(...TURNS),
    text,
  }),
  fc.record({ type: fc.constant("notebook.cell"), cell: fc.constantFrom("question", "markdown"), text }),
  fc.record({
    type: fc.constant("notebook.cell"),
    cell: fc.constant("hidden"),
    turn: fc.constantFrom(...TURNS),
  }),
  fc.record({ type: fc.constantFrom("notebook.cell", "notebook.of.tomorrow"), cell: fc.jsonValue() }),
);

const session = fc.record({
  type: fc.constant("session"),
  schema: fc.constantFrom(1, 1, 99),
  sessionId: fc.constantFrom(...SESSIONS),
  createdAt: fc.nat(),
});

/** One line as bytes, without its end. */
const line = fc.oneof(
  { weight: 8, arbitrary: events.map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 3, arbitrary: cells.map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 1, arbitrary: session.map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))) },
  {
    weight: 1,
    arbitrary: events.map((value) => Buffer.from(JSON.stringify(value, null, 1).replace(/\n/g, "\t"))),
  },
  // Half of a line, bytes that are no UTF-8, blank lines, the marks of a merge.
  { weight: 1, arbitrary: events.map((value) => Buffer.from(JSON.stringify(value).slice(0, -9))) },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ maxLength: 30 })
      .map((bytes) => Buffer.from(bytes.map((b) => (b === 10 ? 11 : b)))),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("", "  ", "<<<<<<< HEAD", "=======", ">>>>>>> theirs")
      .map((one) => Buffer.from(one)),
  },
);

/** A log as the bytes of its file. */
export const logs: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.array(fc.tuple(line, fc.constantFrom("\n", "\n", "\n", "\r\n")), { maxLength: 30 }),
    fc.option(line, { nil: undefined }),
  )
  .map(([lines, half]) =>
    Buffer.concat([
      ...lines.flatMap(([bytes, end]) => [bytes, Buffer.from(end)]),
      ...(half === undefined ? [] : [half]),
    ]),
  );

/** A text that somebody types into a cell. */
export const typed: fc.Arbitrary<string> = text;
