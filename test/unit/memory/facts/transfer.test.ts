import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Transfer } from "../../../../src/memory/facts/transfer.ts";
import { TRANSFER_TABLES } from "../../../../src/memory/facts/transfer-tables.ts";
import { Graph } from "../../../../src/memory/graph/graph.ts";
import { Resources } from "../../../../src/memory/graph/resources.ts";
import { Moments } from "../../../../src/memory/moments/moments.ts";
import { AnnotationTable } from "../../../../src/memory/store/annotations.ts";
import { EpisodeTable } from "../../../../src/memory/store/episodes.ts";
import type { Row } from "../../../../src/memory/store/spec.ts";
import { cleanUp, episode, fakeEmbedder, never, valueOf } from "../support.ts";
import { everyLine } from "./forget-support.ts";
import { START, learnt, openWindow, proposal, telling, type Window } from "./support.ts";

/** Something in every table. */
async function fill(window: Window, turns = 3): Promise<void> {
  const { database } = window.deps;
  for (let turn = 0; turn < turns; turn += 1) {
    const one = {
      ...learnt(`My sister Anna${turn} lives in Bergen, and I like tea`, {
        facts: [proposal(`User's sister Anna${turn} lives in Bergen`), proposal("User likes tea")],
        interests: [{ name: "tea", delta: 0.1 }],
      }),
      entities: [{ name: `Anna${turn}`, type: "person" as const }],
      edges: [
        {
          from: `Anna${turn}`,
          to: "Bergen",
          type: "lives_in",
          text: `Anna${turn} lives in Bergen`,
          strength: 0.5,
          holds: true,
          quote: `Anna${turn} lives in Bergen`,
        },
      ],
    };
    valueOf(await window.facts.learn(one, never));
    valueOf(await new Graph(window.deps).learn(one, never));
    const told = episode({
      turnId: one.source.turnId,
      question: `It's "${turn}" -- 100 % \u2028 🚀`,
      scope: "boat",
      sources: [{ uri: "https://example.test/a", title: "A" }],
    });
    valueOf(await new EpisodeTable(database).append([told, episode()], never));
    const note = { id: randomUUID(), episodeId: told.id, by: "user", time: START } as const;
    valueOf(
      await new AnnotationTable(database).append(
        [{ ...note, kind: "edit", value: { answer: "So." } }],
        never,
      ),
    );
    const page = {
      id: randomUUID(),
      uri: `https://example.test/${turn}`,
      title: "A page",
      text: "Ferries.",
      scope: "",
    };
    valueOf(
      await new Resources(window.deps).keep(
        [{ ...page, sessionId: "session", turnId: one.source.turnId, indexedAt: START }],
        never,
      ),
    );
    const kept = { id: randomUUID(), title: `Moment ${turn}`, text: "The ferry left.", scope: "boat" };
    const time = { from: START, to: START + 1, agent: "conclave", source: one.source };
    const turns = [{ sessionId: "session", turnId: "another" }];
    valueOf(await new Moments(window.deps).save([{ ...kept, ...time, turns }], never));
  }
}

/** Every row of every table with every column, in order of ids. */
async function everything({ deps }: Window): Promise<Record<string, Row[]>> {
  const tables: Record<string, Row[]> = {};
  for (const { name, spec } of TRANSFER_TABLES) {
    const rows = await deps.database.table(spec).read<Row[]>(
      [],
      async (table) => {
        const found: unknown[] = await table.query().toArray();
        return found.map((row) => JSON.parse(JSON.stringify(row)) as Row);
      },
      never,
    );
    tables[name] = valueOf(rows).sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
  }
  return tables;
}

describe("Export and import", () => {
  afterEach(cleanUp);

  it("an export read into an empty store gives the same rows in every table", async () => {
    const window = await openWindow({ embedder: fakeEmbedder() });
    await fill(window);
    const lines = await everyLine(window);
    const other = await openWindow();
    const imported = valueOf(await new Transfer(other.deps).importLines(lines, never));
    assert.deepEqual(imported, { added: lines.length, known: 0, bad: [] });
    const before = await everything(window);
    assert.ok(Object.values(before).every((rows) => rows.length > 0));
    assert.deepEqual(await everything(other), before);
    assert.ok(!lines.join("").includes("embedding"));
  });

  it("an export comes in pages that are bounded, with every row in one of them", async () => {
    const window = await openWindow();
    const answer = "long ".repeat(15_000);
    const episodes = Array.from({ length: 450 }, (_, index) =>
      episode(index % 40 === 0 ? { answer } : { question: `Question ${index}` }),
    );
    valueOf(await new EpisodeTable(window.deps.database).append(episodes, never));
    const transfer = new Transfer(window.deps);
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = valueOf(await transfer.exportPage(cursor, never));
      assert.ok(page.lines.length <= 200);
      assert.ok(page.lines.join("").length <= 1_000_000);
      ids.push(...page.lines.map((line) => (JSON.parse(line) as { row: { id: string } }).row.id));
      cursor = page.next;
    } while (cursor !== undefined);
    assert.deepEqual(ids, episodes.map(({ id }) => id).sort());
  });

  it("an empty store gives an empty export; a cursor that is none is refused", async () => {
    const window = await openWindow();
    assert.deepEqual(valueOf(await new Transfer(window.deps).exportPage(undefined, never)), { lines: [] });
    for (const cursor of ["", "x", '["nothing",""]', "[1]", `["episodes"]`]) {
      const refused = await new Transfer(window.deps).exportPage(cursor, never);
      assert.equal(!refused.ok && refused.failure.code, "bad_input");
    }
    assert.ok((await new Transfer(window.deps).exportPage(`["episodes","' OR 1=1"]`, never)).ok);
  });

  it("what is there already is left as it is, also when it comes twice", async () => {
    const window = await openWindow();
    await fill(window, 1);
    const lines = await everyLine(window);
    const before = await everything(window);
    const changed = lines.map((line) => line.replaceAll("Bergen", "Hull"));
    const imported = valueOf(await new Transfer(window.deps).importLines(changed, never));
    assert.deepEqual(imported, { added: 0, known: lines.length, bad: [] });
    assert.deepEqual(await everything(window), before);
    const other = await openWindow();
    const twice = valueOf(await new Transfer(other.deps).importLines([...lines, ...lines], never));
    assert.deepEqual(twice, { added: lines.length, known: lines.length, bad: [] });
  });

  it("a bad line is named and costs itself only", async () => {
    const window = await openWindow();
    valueOf(await window.facts.learn(telling("I like tea", "User likes tea"), never));
    const [good] = await everyLine(window);
    const fact = JSON.parse(good!) as { row: object };
    const line = (value: object): string => JSON.stringify({ version: 1, table: "facts", ...value });
    const lines = [
      "not json",
      good!,
      "",
      line({ row: { ...fact.row, confidence: 7 } }),
      line({ row: { ...fact.row, id: "x' OR '1'='1" } }),
      line({ table: "secrets", row: {} }),
      line({ version: 2, row: fact.row }),
      "[]",
    ];
    const other = await openWindow();
    const { added, known, bad } = valueOf(await new Transfer(other.deps).importLines(lines, never));
    assert.deepEqual([added, known], [1, 0]);
    assert.deepEqual(
      bad.map(({ line: number }) => number),
      [1, 4, 5, 6, 7, 8],
    );
    assert.match(bad[1]!.reason, /confidence/);
    assert.match(bad[3]!.reason, /secrets/);
    assert.match(bad[4]!.reason, /newer version of Conclave/);
  });

  it("half characters in a line do no harm", async () => {
    const window = await openWindow();
    const row = JSON.stringify(episode({ question: "half" })).replace("half", "\\ud83d half");
    const line = `{"version":1,"table":"episodes","row":${row}}`;
    assert.equal(valueOf(await new Transfer(window.deps).importLines([line], never)).added, 1);
    const [back] = await everyLine(window);
    assert.match(back!, /\ufffd half/);
  });

  it("two windows that import the same at once add each row once", async () => {
    const window = await openWindow();
    await fill(window, 1);
    const lines = await everyLine(window);
    const one = await openWindow();
    const two = await openWindow({ folder: one.folder });
    const both = await Promise.all(
      [one, two].map(({ deps }) => new Transfer(deps).importLines(lines, never)),
    );
    assert.equal(
      both.reduce((sum, result) => sum + valueOf(result).added, 0),
      lines.length,
    );
    assert.deepEqual(await everything(one), await everything(window));
  });
});
