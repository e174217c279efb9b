import assert from "node:assert/strict";
import { connect } from "@lancedb/lancedb";
import type { Connection, Table } from "@lancedb/lancedb";
import { Field, FixedSizeList, Float32, Float64, Schema, Utf8 } from "apache-arrow";
import type { Episode } from "../../../../src/agent/memory/port.ts";
import { searchedText } from "../../../../src/memory/store/rows.ts";
import { openStore, rawTable } from "../store-support.ts";
import { cleanUp, episode, fakeEmbedder, later, never, temporaryFolder, valueOf } from "../support.ts";

/** The table of episodes as version 1 of the extension made it. */
function versionOne(): Schema {
  const text = (name: string, nullable = false): Field => new Field(name, new Utf8(), nullable);
  const names = ["id", "session_id", "turn_id", "question", "answer", "agent", "respondent", "model", "kind"];
  return new Schema(
    [
      ...names.map((name) => text(name)),
      new Field("time", new Float64(), false),
      text("text"),
      new Field("embedding", new FixedSizeList(384, new Field("item", new Float32(), true)), true),
      text("embedding_model", true),
    ],
    new Map([["conclave.store_version", "1"]]),
  );
}

function oldRow(said: Episode, embedding?: Float32Array, model = "fake"): Record<string, unknown> {
  return {
    id: said.id,
    session_id: said.sessionId,
    turn_id: said.turnId,
    question: said.question,
    answer: said.answer,
    agent: said.agent,
    respondent: said.respondent,
    model: said.model,
    kind: said.kind,
    time: said.time,
    text: searchedText(said),
    embedding: embedding === undefined ? null : Array.from(embedding),
    embedding_model: embedding === undefined ? null : model,
  };
}

interface OldStore {
  readonly folder: string;
  readonly said: readonly Episode[];
  /** A window of version 1 that stays open. */
  readonly connection: Connection;
  readonly table: Table;
}

/** A store of version 1: of seven episodes five are embedded, one of them with another model. */
async function oldStore(): Promise<OldStore> {
  const folder = await temporaryFolder();
  const said = Array.from({ length: 7 }, (_, index) =>
    episode({ question: `Where is boat ${index}?`, time: 1_000 + index }),
  );
  const embedded = valueOf(
    await fakeEmbedder().embed(
      said.map(({ question }) => question),
      "document",
      never,
    ),
  );
  const connection = await connect(folder, { readConsistencyInterval: 0 });
  const table = await connection.createEmptyTable("episodes", versionOne(), { mode: "create" });
  later(() => {
    table.close();
    connection.close();
    return Promise.resolve();
  });
  await table.add(
    said.map((one, index) =>
      oldRow(one, index < 5 ? embedded[index] : undefined, index === 4 ? "other" : "fake"),
    ),
  );
  return { folder, said, connection, table };
}

describe("A store of the version before", () => {
  afterEach(cleanUp);

  it("is brought to this version when it is opened: no row is lost, new columns are empty in old ones", async () => {
    const { folder, said } = await oldStore();
    const { episodes } = await openStore({ folder });
    const { rows, total } = valueOf(await episodes.list({ offset: 0, limit: 50 }, never));
    assert.equal(total, said.length);
    assert.deepEqual([...rows].reverse(), said);
    assert.equal(valueOf(await episodes.matching(["boat"], { limit: 50 }, never)).length, said.length);
    const later = episode({ scope: "a", intent: "fact", entities: ["Oban"], time: 5_000 });
    valueOf(await episodes.append([later], never));
    assert.deepEqual(valueOf(await episodes.list({ offset: 0, limit: 1 }, never)).rows, [later]);
  });

  it("counts as global where scopes are asked for", async () => {
    const { folder, said } = await oldStore();
    const { episodes } = await openStore({ folder });
    assert.equal(valueOf(await episodes.countRows(never, [""])), said.length);
    assert.equal(valueOf(await episodes.countRows(never, ["a"])), 0);
  });

  it("keeps its embeddings, each with its model", async () => {
    const { folder, said } = await oldStore();
    const { episodes, vectors } = await openStore({ folder });
    valueOf(await episodes.countRows(never));
    assert.deepEqual(
      valueOf(await vectors.models(never)).map(({ model, rows, dimensions }) => [model, rows, dimensions]),
      [
        ["fake", 4, 384],
        ["other", 1, 384],
      ],
    );
    const [asked] = valueOf(await fakeEmbedder().embed(["Where is boat 3?"], "query", never));
    const near = valueOf(await vectors.near("fake", "episode", asked!, { limit: 1 }, never));
    assert.equal(near[0]?.id, said[3]?.id);
    assert.equal(near[0]?.turnId, said[3]?.turnId);
    const ids = said.map(({ id }) => id);
    assert.deepEqual(valueOf(await vectors.missing("fake", "episode", ids, never)), ids.slice(4));
  });

  it("is copied first, under a name that is told; forgetting goes through the copy too", async () => {
    const { folder, said } = await oldStore();
    const notes: string[] = [];
    const { episodes } = await openStore({ folder, onNote: (line) => notes.push(line) });
    valueOf(await episodes.countRows(never));
    assert.equal(notes.length, 1);
    const name = /copied to (\w+) before/.exec(notes[0] ?? "")?.[1];
    assert.ok(name !== undefined);
    const backup = await rawTable(folder, name);
    assert.equal(await backup.countRows(), said.length);
    assert.equal(await backup.countRows("embedding IS NOT NULL"), 5);
    assert.equal(valueOf(await episodes.forget([said[0]!.id], never)), 1);
    const connection = await connect(folder);
    assert.ok(!(await connection.tableNames()).includes(name));
    connection.close();
  });

  it("is brought over once when two windows open it at the same moment", async () => {
    const { folder, said } = await oldStore();
    const notes: string[] = [];
    const onNote = (line: string): unknown => notes.push(line);
    const stores = await Promise.all([openStore({ folder, onNote }), openStore({ folder, onNote })]);
    const counts = await Promise.all(stores.map(({ episodes }) => episodes.countRows(never)));
    assert.deepEqual(counts.map(valueOf), [said.length, said.length]);
    assert.equal(notes.length, 1);
    assert.equal(
      valueOf(await stores[0].vectors.models(never)).reduce((sum, { rows }) => sum + rows, 0),
      5,
    );
  });

  it("goes on where it was killed in the middle", async () => {
    const { folder, said, connection, table } = await oldStore();
    // Killed after half of the backup and one of the new columns.
    const half = await connection.createEmptyTable("episodes_v1_backup", versionOne(), { mode: "create" });
    await half.add([oldRow(said[0]!)]);
    half.close();
    await table.addColumns([new Field("scope", new Utf8(), true)]);
    const { episodes, vectors } = await openStore({ folder });
    assert.equal(valueOf(await episodes.list({ offset: 0, limit: 50 }, never)).total, said.length);
    assert.equal(valueOf(await vectors.models(never)).length, 2);
    assert.equal(await (await rawTable(folder, "episodes_v1_backup")).countRows(), said.length);
  });

  it("stays readable to a window of the older version that is still open, whose writes are refused", async () => {
    const { folder, said, table } = await oldStore();
    const { episodes } = await openStore({ folder });
    assert.equal(valueOf(await episodes.countRows(never)), said.length);
    const rows: unknown[] = await table.query().select(["id", "question", "answer", "time"]).toArray();
    assert.equal(rows.length, said.length);
    await assert.rejects(table.add([oldRow(episode(), new Float32Array(384))]), /embedding/);
    assert.equal(valueOf(await episodes.countRows(never)), said.length);
  });

  it("loses nothing that a window of the older version writes meanwhile", async () => {
    const { folder, said, table } = await oldStore();
    const { episodes } = await openStore({ folder });
    const more = Array.from({ length: 12 }, () => episode());
    const written: Episode[] = [];
    const writing = (async () => {
      for (const one of more) {
        const done = await table.add([oldRow(one)]).then(
          () => true,
          () => false,
        );
        if (done) written.push(one);
      }
    })();
    valueOf(await episodes.countRows(never));
    await writing;
    const ids = [...said, ...written].map(({ id }) => id);
    assert.equal(valueOf(await episodes.present(ids, never)).size, ids.length);
    assert.equal(valueOf(await episodes.countRows(never)), ids.length);
  });
});
