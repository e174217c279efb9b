import assert from "node:assert/strict";
import { readdir, readFile, rm, writeFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "@lancedb/lancedb";
import fc from "fast-check";
import { EPISODES } from "../../../../src/memory/store/episodes.ts";
import { versioned } from "../../../../src/memory/store/version.ts";
import { openStore, rawTable } from "../store-support.ts";
import { cleanUp, episode, fakeEmbedder, never, temporaryFolder, valueOf } from "../support.ts";

async function filesHolding(folder: string, text: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const holding = await Promise.all(
    files.map(async (file) => ((await readFile(file)).includes(text) ? [file] : [])),
  );
  return holding.flat();
}

describe("The store of memories", () => {
  afterEach(cleanUp);

  it("is empty, and no error, before anything was remembered", async () => {
    const { episodes } = await openStore();
    assert.equal(valueOf(await episodes.countRows(never)), 0);
    assert.deepEqual(valueOf(await episodes.list({ offset: 0, limit: 10 }, never)), { rows: [], total: 0 });
    assert.deepEqual(valueOf(await episodes.matching(["cache"], { limit: 5 }, never)), []);
    assert.equal(valueOf(await episodes.forget([episode().id], never)), 0);
  });

  it("gives back what was remembered, field by field", async () => {
    const { add, episodes } = await openStore();
    const kept = episode({
      respondent: "B",
      kind: "preference",
      model: "qwen3:8b",
      time: 1_700_000_000_000.25,
    });
    await add([kept]);
    assert.deepEqual(valueOf(await episodes.list({ offset: 0, limit: 10 }, never)).rows, [kept]);
  });

  it("gives back any text as it was, quotes, signs and other scripts included", async () => {
    const { add, episodes } = await openStore();
    const texts = fc.sample(fc.string({ unit: "grapheme", maxLength: 60 }), { numRuns: 60, seed: 7 });
    const odd = [
      'it\'s "fine" -- 100 %',
      "a\u0000b",
      "\\'; DROP TABLE episodes",
      "line\u2028end\u0085",
      "👩‍🚀",
      "",
    ];
    const said = [...odd, ...texts].map((text, time) =>
      episode({ question: text, answer: `${text}!`, time }),
    );
    await add(said);
    const { rows } = valueOf(await episodes.list({ offset: 0, limit: 200 }, never));
    assert.deepEqual([...rows].reverse(), said);
  });

  it("keeps a text with half a character in it, the half replaced", async () => {
    const { add, episodes } = await openStore();
    await add([episode({ question: "cut \ud83d here" })]);
    assert.equal(
      valueOf(await episodes.list({ offset: 0, limit: 1 }, never)).rows[0]?.question,
      "cut \ufffd here",
    );
  });

  it("keeps a bounded part of a text that is far too long", async () => {
    const { add, episodes } = await openStore();
    await add([episode({ answer: "x".repeat(3_000_000) })]);
    const [row] = valueOf(await episodes.list({ offset: 0, limit: 1 }, never)).rows;
    assert.ok(row !== undefined && row.answer.length < 110_000);
  });

  it("lists the newest first, in pages that neither repeat nor leave out", async () => {
    const { add, episodes } = await openStore();
    const said = Array.from({ length: 25 }, (_, index) => episode({ time: 1_000 + Math.floor(index / 3) }));
    await add(said);
    const pages = await Promise.all(
      [0, 10, 20].map(async (offset) => valueOf(await episodes.list({ offset, limit: 10 }, never))),
    );
    const expected = [...said].sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1));
    assert.deepEqual(
      pages.flatMap(({ rows }) => rows.map(({ id }) => id)),
      expected.map(({ id }) => id),
    );
    assert.deepEqual(
      pages.map(({ total }) => total),
      [25, 25, 25],
    );
  });

  it("filters the list by words in question or answer, whatever their case and signs", async () => {
    const { add, episodes } = await openStore();
    const fine = episode({ question: "Is 100 % fine?", answer: 'Yes, it\'s "FINE" -- really' });
    await add([fine, episode(), episode({ answer: "Größe" })]);
    for (const filter of ['it\'s "fine" --', "100 %", "  is 100  "]) {
      const page = valueOf(await episodes.list({ offset: 0, limit: 5, filter }, never));
      assert.deepEqual(
        page.rows.map(({ id }) => id),
        [fine.id],
        filter,
      );
      assert.equal(page.total, 1);
    }
    assert.equal(valueOf(await episodes.list({ offset: 0, limit: 5, filter: "GRÖSSE" }, never)).total, 0);
    assert.equal(valueOf(await episodes.list({ offset: 0, limit: 5, filter: "größe" }, never)).total, 1);
    assert.equal(
      valueOf(await episodes.list({ offset: 0, limit: 5, filter: "' OR '1'='1" }, never)).total,
      0,
    );
  });

  it("takes any filter text as text", async () => {
    const { add, episodes } = await openStore();
    await add([episode({ question: "plain", answer: "words" })]);
    const filters = fc.string({ unit: "binary", maxLength: 30 }).map((text) => `'${text}%_\\`);
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        assert.equal(valueOf(await episodes.list({ offset: 0, limit: 5, filter }, never)).total, 0);
      }),
      { numRuns: 60 },
    );
  });

  it("adds an episode once, however often it is brought", async () => {
    const { episodes } = await openStore();
    const twice = episode();
    const upper = { ...twice, id: twice.id.toUpperCase() };
    assert.equal(valueOf(await episodes.append([twice, twice, upper], never)).size, 1);
    assert.equal(valueOf(await episodes.append([twice, episode()], never)).size, 1);
    assert.equal(valueOf(await episodes.countRows(never)), 2);
  });

  it("forgets exactly what it is told to, and nothing for an id that is no id", async () => {
    const { add, episodes } = await openStore();
    const quoted = episode({ question: `it's "fine" -- 100 %` });
    await add([quoted, episode(), episode()]);
    for (const id of ["x' OR '1'='1", "", "%", "*", `${quoted.id}' OR 'a'='a`]) {
      assert.equal(valueOf(await episodes.forget([id], never)), 0, id);
    }
    assert.equal(valueOf(await episodes.countRows(never)), 3);
    assert.equal(valueOf(await episodes.forget([quoted.id.toUpperCase(), quoted.id], never)), 1);
    assert.equal(valueOf(await episodes.countRows(never)), 2);
    assert.deepEqual(valueOf(await episodes.matching(["fine"], { limit: 5 }, never)), []);
  });

  it("leaves no trace of a forgotten text in any of its files, few or many rows beside it", async () => {
    for (const [before, after] of [
      [1, 0],
      [200, 0],
      [200, 1],
    ] as const) {
      const { add, episodes, folder } = await openStore();
      const secret = episode({ question: "Which word?", answer: "The word is xylophonist." });
      const others = (count: number): ReturnType<typeof episode>[] =>
        Array.from({ length: count }, () => episode());
      await add([secret, ...others(before)]);
      valueOf(await episodes.table.ensureTextIndex(never));
      await add(others(after));
      assert.notEqual((await filesHolding(folder, "xylophonist")).length, 0);
      assert.equal(valueOf(await episodes.forget([secret.id], never)), 1);
      assert.deepEqual(await filesHolding(folder, "xylophonist"), []);
      assert.deepEqual(await filesHolding(folder, secret.id), []);
      assert.equal(valueOf(await episodes.countRows(never)), before + after);
      assert.equal(valueOf(await episodes.matching(["cache"], { limit: 500 }, never)).length, before + after);
      assert.equal(valueOf(await episodes.matching(["xylophonist"], { limit: 5 }, never)).length, 0);
    }
  });

  it("can be forgotten wholly and begun again", async () => {
    const { add, episodes } = await openStore();
    const first = episode();
    await add([first]);
    assert.equal(valueOf(await episodes.matching(["cache"], { limit: 5 }, never)).length, 1);
    assert.equal(valueOf(await episodes.forget([first.id], never)), 1);
    assert.equal(valueOf(await episodes.countRows(never)), 0);
    await add([episode({ question: "And the boat?" }), episode()]);
    assert.equal(valueOf(await episodes.matching(["boat"], { limit: 5 }, never)).length, 1);
  });

  it("works in a folder with an apostrophe, a space and other scripts in its name", async () => {
    const { add, episodes } = await openStore({
      folder: join(await temporaryFolder(), "Dara O'Neil 東京 %20"),
    });
    const kept = episode();
    await add([kept], fakeEmbedder());
    assert.equal(valueOf(await episodes.matching(["cache"], { limit: 5 }, never)).length, 1);
    assert.equal(valueOf(await episodes.forget([kept.id], never)), 1);
  });

  it("is made once when two windows remember their first turn at the same moment", async () => {
    const folder = await temporaryFolder();
    const [one, two] = await Promise.all([openStore({ folder }), openStore({ folder })]);
    await Promise.all([one.add([episode()]), two.add([episode()])]);
    assert.equal(valueOf(await one.episodes.countRows(never)), 2);
    assert.equal(valueOf(await two.episodes.countRows(never)), 2);
  });

  it("written by a newer version is read, and refuses changes with a sentence", async () => {
    const folder = await temporaryFolder();
    const connection = await connect(folder);
    const newer = await connection.createEmptyTable("episodes", versioned({ ...EPISODES, version: 99 }));
    newer.close();
    connection.close();
    const { episodes } = await openStore({ folder });
    assert.equal(valueOf(await episodes.countRows(never)), 0);
    assert.deepEqual(valueOf(await episodes.matching(["cache"], { limit: 5 }, never)), []);
    const refused = await episodes.append([episode()], never);
    assert.ok(!refused.ok);
    assert.equal(refused.failure.code, "memory_unavailable");
    assert.match(refused.failure.message, /newer version.*can be read, but not changed/);
    assert.equal(await (await rawTable(folder)).countRows(), 0);
  });

  it("of another program is refused and left alone", async () => {
    const folder = await temporaryFolder();
    const connection = await connect(folder);
    await connection.createTable("episodes", [{ title: "not ours" }]);
    connection.close();
    const { episodes } = await openStore({ folder });
    assert.ok(!(await episodes.countRows(never)).ok);
    assert.ok(!(await episodes.append([episode()], never)).ok);
    assert.equal(await (await rawTable(folder)).countRows(), 1);
  });
});

describe("A damaged store", () => {
  afterEach(cleanUp);

  async function damagedStore(damage: (table: string) => Promise<unknown>): Promise<string> {
    const folder = await temporaryFolder();
    const store = await openStore({ folder });
    await store.add([episode()]);
    store.database.close();
    await damage(join(folder, "episodes.lance"));
    return folder;
  }

  async function expectRefused(folder: string): Promise<void> {
    const before = (await readdir(folder, { recursive: true })).sort();
    const { episodes } = await openStore({ folder });
    for (const result of [
      await episodes.list({ offset: 0, limit: 5 }, never),
      await episodes.append([episode()], never),
    ]) {
      assert.ok(!result.ok);
      assert.equal(result.failure.code, "memory_unavailable");
    }
    const listed = await episodes.list({ offset: 0, limit: 5 }, never);
    assert.match(listed.ok ? "" : listed.failure.message, /can't be read. Nothing in it was changed/);
    assert.ok((listed.ok ? "" : listed.failure.message).includes(folder));
    assert.deepEqual((await readdir(folder, { recursive: true })).sort(), before);
  }

  it("is said, not overwritten, when its versions are gone", async () => {
    await expectRefused(await damagedStore((table) => rm(join(table, "_versions"), { recursive: true })));
  });

  it("is said, not overwritten, when its newest version is garbage", async () => {
    const folder = await damagedStore(async (table) => {
      const versions = join(table, "_versions");
      for (const name of await readdir(versions)) {
        await writeFile(join(versions, name), "garbage");
      }
    });
    await expectRefused(folder);
  });

  it("that a kill left in its making is made whole, since it holds nothing", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "episodes.lance", "_transactions"), { recursive: true });
    const { add, episodes } = await openStore({ folder });
    assert.equal(valueOf(await episodes.countRows(never)), 0);
    await add([episode()]);
    assert.equal(valueOf(await episodes.countRows(never)), 1);
  });

  it("is said when rows are gone from the disk, and works again once they are back", async () => {
    const kept: { path: string; bytes: Buffer }[] = [];
    const folder = await damagedStore(async (table) => {
      for (const name of await readdir(join(table, "data"))) {
        const path = join(table, "data", name);
        kept.push({ path, bytes: await readFile(path) });
        await rm(path);
      }
    });
    const { episodes } = await openStore({ folder });
    const listed = await episodes.list({ offset: 0, limit: 5 }, never);
    assert.ok(!listed.ok);
    assert.match(listed.failure.message, /can't be read/);
    for (const { path, bytes } of kept) {
      await writeFile(path, bytes);
    }
    assert.equal(valueOf(await episodes.list({ offset: 0, limit: 5 }, never)).total, 1);
  });
});
