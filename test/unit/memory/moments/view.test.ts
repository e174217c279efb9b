import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { connect } from "@lancedb/lancedb";
import { Schema } from "apache-arrow";
import { success } from "../../../../src/agent/failure.ts";
import type { MemoryTablePage, Moment } from "../../../../src/agent/memory/types.ts";
import { Moments } from "../../../../src/memory/moments/moments.ts";
import { momentRow, momentsSpec } from "../../../../src/memory/moments/table.ts";
import { MemoryService } from "../../../../src/memory/process/service.ts";
import type { Method } from "../../../../src/memory/process/params.ts";
import { valueSchemas, type Values } from "../../../../src/memory/process/values.ts";
import { DAY, NOON, openWindow } from "../graph/support.ts";
import { cleanUp, fakeEmbedder, later, never, temporaryFolder, valueOf } from "../support.ts";

function moment(title: string, text: string, fields: Partial<Moment> = {}): Moment {
  return {
    ...{ id: randomUUID(), title, text, from: NOON, to: NOON, scope: "", agent: "conclave", turns: [] },
    source: { sessionId: "s", turnId: "t", time: NOON },
    ...fields,
  };
}

describe("moments in the view of memory", () => {
  let service: MemoryService;
  let folder: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    service = new MemoryService({
      store: { uri: folder },
      embedder: () => Promise.resolve(success(fakeEmbedder({ quay: "pier", ferry: "boat" }))),
      onProgress: () => undefined,
      onLog: () => undefined,
      now: () => NOON,
    });
    later(() => service.close());
    // The embedder is asked for by the first search.
    await ask("search", { query: "wake up", limit: 1 });
  });
  afterEach(cleanUp);

  const ask = async <M extends Method>(method: M, params: unknown): Promise<Values[M]> =>
    valueOf(await service.handle(method, params, never)) as Values[M];
  const save = async (...moments: Moment[]) => (await ask("saveMoments", { moments })).saved;
  const list = async (query: object = {}): Promise<MemoryTablePage<"moments">> =>
    (await ask("list", { table: "moments", offset: 0, limit: 50, ...query })) as MemoryTablePage<"moments">;
  const titles = async (query: object = {}) => (await list(query)).rows.map(({ title }) => title);
  const found = async (query: string) =>
    (await ask("moments", { query, limit: 9 })).moments.map(({ moment: { title } }) => title);
  const edit = async (id: string, change: object) =>
    (await ask("edit", { table: "moments", id, ...change })).changed;

  it("come a page at a time, by time, title or agent, one way or the other", async () => {
    await save(
      moment("b", "two", { from: NOON + DAY, to: NOON + DAY, agent: "Dreaming" }),
      moment("a", "one"),
      moment("c", "three", { from: NOON - DAY, to: NOON }),
    );
    assert.deepEqual(await titles(), ["b", "a", "c"]);
    assert.deepEqual(await titles({ limit: 1, offset: 2 }), ["c"]);
    const page = await list();
    assert.deepEqual(valueSchemas.list.parse(page), page, "they cross from the process whole");
    assert.equal((await list({ limit: 1, offset: 9 })).total, 3);
    const by = (column: string, ascending: boolean) => titles({ sort: { column, ascending } });
    assert.deepEqual(await by("time", true), ["c", "a", "b"]);
    assert.deepEqual(await by("title", true), ["a", "b", "c"]);
    assert.deepEqual((await by("agent", true))[0], "b");
  });

  it("are filtered by words in whatever case, by scope, and by the time that they touch", async () => {
    const days = (from: number, to: number) => ({ from: NOON + from * DAY, to: NOON + to * DAY });
    await save(
      moment("Pier", "It REOPENS.", days(-9, -8)),
      moment("Boat", "50% off; it's at the pier", { ...days(-3, 1), scope: "w" }),
      moment("Bread", "Butter", { ...days(5, 5), agent: "Dreaming" }),
    );
    assert.deepEqual(await titles({ filter: "PIER reopens" }), ["Pier"]);
    assert.deepEqual(await titles({ filter: "50% it's" }), ["Boat"]);
    assert.deepEqual(await titles({ filter: "dreaming" }), ["Bread"]);
    assert.deepEqual(await titles({ filter: "pier", scopes: [""] }), ["Pier"]);
    assert.deepEqual(await titles(days(0, 2)), ["Boat"]);
    assert.deepEqual(await titles({ from: NOON }), ["Bread", "Boat"]);
    assert.deepEqual(await titles({ filter: "pier", to: NOON - 5 * DAY }), ["Pier"]);
  });

  it("that are changed are found by the new words and meaning at once, no longer by the old ones", async () => {
    const kept = moment("Pier", "It reopens.");
    await save(kept, moment("Bread", "Butter goes with it."));
    assert.deepEqual(await found("quay"), ["Pier"]);
    assert.equal(await edit(kept.id, { title: " The \n boat ", text: " It sails.\nOn Friday. " }), true);
    assert.deepEqual(await found("ferry"), ["The boat"], "by its meaning");
    assert.deepEqual(await found("sails"), ["The boat"], "by its words");
    assert.deepEqual(await found("quay reopens"), []);
    const [row] = (await list({ filter: "boat" })).rows;
    assert.deepEqual(row, { ...kept, title: "The boat", text: "It sails.\nOn Friday." });
  });

  it("are not changed by what is the same, too long, empty, or about a moment that is gone", async () => {
    const kept = moment("Pier", "It reopens.");
    await save(kept);
    assert.equal(await edit(kept.id, { title: "Pier", text: "It reopens." }), false);
    assert.equal(await edit(randomUUID(), { title: "x" }), false);
    for (const change of [{ title: "t".repeat(201) }, { text: "x".repeat(10_001) }, { text: " \n " }]) {
      const done = await service.handle("edit", { table: "moments", id: kept.id, ...change }, never);
      assert.equal(done.ok ? "" : done.failure.code, "bad_input");
    }
    assert.deepEqual((await list()).rows, [kept]);
  });

  it("that are pinned stay so through an export and an import, and come before others that fit as well", async () => {
    const [one, two] = [moment("Pier", "It reopens.", { id: randomUUID() }), moment("Pier", "It reopens!")];
    await save(one, two);
    const last = (await ask("moments", { query: "pier", limit: 9 })).moments.at(-1)!;
    assert.equal(await edit(last.moment.id, { pinned: true }), true);
    assert.equal(await edit(last.moment.id, { pinned: true }), false);
    const first = (await ask("moments", { query: "pier", limit: 9 })).moments[0]!;
    assert.deepEqual([first.moment.id, first.moment.pinned], [last.moment.id, true]);
    const { lines } = await ask("exportPage", {});
    await ask("forget", { by: "everything" });
    assert.equal((await list()).total, 0);
    await ask("importLines", { lines });
    const pinned = (await list()).rows.filter((row) => row.pinned === true);
    assert.deepEqual(
      pinned.map(({ id }) => id),
      [last.moment.id],
    );
    await edit(last.moment.id, { pinned: false });
    assert.ok((await list()).rows.every((row) => !("pinned" in row)));
  });

  it("that an earlier version kept are there, and can be pinned", async () => {
    const old = momentsSpec.schema();
    const fields = old.fields.filter(({ name }) => name !== "pinned");
    const schema = new Schema(fields, new Map([["conclave.store_version", "1"]]));
    const connection = await connect(folder);
    const table = await connection.createEmptyTable("moments", schema);
    const kept = moment("Pier", "It reopens.");
    await table.add([
      Object.fromEntries(Object.entries(momentRow(kept)).filter(([name]) => name !== "pinned")),
    ]);
    table.close();
    connection.close();
    assert.deepEqual((await list()).rows, [kept]);
    assert.equal(await edit(kept.id, { pinned: true }), true);
    assert.deepEqual((await list()).rows, [{ ...kept, pinned: true }]);
  });

  it("are seen by another window as soon as one has changed them", async () => {
    const kept = moment("Pier", "It reopens.");
    await save(kept);
    const other = new Moments(await openWindow({ folder }));
    assert.equal(valueOf(await other.list({ table: "moments", offset: 0, limit: 5 }, never)).total, 1);
    await edit(kept.id, { title: "Quay" });
    const page = valueOf(await other.list({ table: "moments", offset: 0, limit: 5 }, never));
    assert.equal(page.rows[0]?.title, "Quay");
  });
});
