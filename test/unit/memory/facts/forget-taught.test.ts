import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Schema } from "apache-arrow";
import type { Learnt } from "../../../../src/agent/memory/types.ts";
import { Graph } from "../../../../src/memory/graph/graph.ts";
import { edgesSpec, entitiesSpec } from "../../../../src/memory/graph/tables.ts";
import type { TableSpec } from "../../../../src/memory/store/spec.ts";
import { versioned } from "../../../../src/memory/store/version.ts";
import { cleanUp, fakeEmbedder, never, valueOf } from "../support.ts";
import { forget, forgetting, ofSister, onDisk, remember } from "./forget-support.ts";
import { learnt, openWindow, type Window } from "./support.ts";

/** A turn that names one person, also by other names. */
function naming(said: string, name: string, ...aliases: string[]): Learnt {
  return learnt(said, { entities: [{ name, type: "person", aliases }] });
}

/** A turn that tells where somebody lives, in its own words. */
function home(text: string, strength: number): Learnt {
  const told = ofSister("Anna", "Bergen", { said: `${text}: Anna, Bergen` });
  return { ...told, facts: [], edges: told.edges.map((edge) => ({ ...edge, text, quote: text, strength })) };
}

async function people({ deps }: Window) {
  return valueOf(await new Graph(deps).people({ table: "people", offset: 0, limit: 9 }, never)).rows;
}

async function relations({ deps }: Window) {
  const query = { table: "relationships", offset: 0, limit: 9 } as const;
  return valueOf(await new Graph(deps).relationships(query, never)).rows;
}

/** Forgets some turns. */
function forgetTurns(window: Window, ...turns: readonly Learnt[]) {
  return forget(window, { by: "turns", turnIds: turns.map(({ source }) => source.turnId) });
}

describe("Forgetting a turn takes out what it alone taught of who and what stays", () => {
  afterEach(cleanUp);

  it("another name, from every file; one that another turn used too stays", async () => {
    const window = await openWindow();
    const first = naming("Anna, called Annie by all, Zibby by few", "Anna", "Annie", "Zibby");
    await remember(window, first);
    await remember(window, naming("Anna or Annie came by", "Anna", "Annie"));
    assert.deepEqual((await people(window))[0]!.aliases, ["Annie", "Zibby"]);
    await forgetTurns(window, first);
    assert.deepEqual(
      (await people(window)).map(({ name, aliases }) => [name, aliases]),
      [["Anna", ["Annie"]]],
    );
    assert.deepEqual(await onDisk(window.folder, "zibby"), []);
    const asked = { people: ["Zibby"], locations: [] };
    assert.deepEqual(valueOf(await new Graph(window.deps).answer(asked, never)).unknown, ["Zibby"]);
  });

  it("its name, where other turns call it otherwise: relations, words and embeddings follow", async () => {
    const window = await openWindow({ embedder: fakeEmbedder() });
    await remember(window, ofSister("Bob", "Bergen"));
    const fuller = naming("Robert Quentin is the one called Bob", "Robert Quentin", "Bob");
    await remember(window, fuller);
    assert.ok((await people(window)).some(({ name }) => name === "Robert Quentin"));
    const bob = (await people(window)).find(({ name }) => name === "Robert Quentin")!;
    await forgetTurns(window, fuller);
    const again = (await people(window)).find(({ id }) => id === bob.id)!;
    assert.deepEqual([again.name, again.aliases], ["Bob", []]);
    assert.deepEqual(
      (await relations(window)).map(({ from, text }) => [from, text]),
      [["Bob", "Bob lives in Bergen"]],
    );
    assert.deepEqual(await onDisk(window.folder, "quentin"), []);
    const model = fakeEmbedder().model;
    assert.deepEqual(
      valueOf(await window.deps.vectors.missing(model, "entity", [bob.id], never)),
      [bob.id],
      "the embedding of the old name is gone",
    );
  });

  it("its kind", async () => {
    const window = await openWindow();
    const plain = learnt("Look at Zephyr", { entities: [{ name: "Zephyr", type: "thing" }] });
    const surer = learnt("Zephyr is my project", { entities: [{ name: "Zephyr", type: "project" }] });
    await remember(window, plain);
    await remember(window, surer);
    assert.equal((await people(window))[0]!.type, "project");
    await forgetTurns(window, surer);
    assert.equal((await people(window))[0]!.type, "thing");
  });

  it("a relation's words, strength and mentions: it is as if the turn had not been", async () => {
    const window = await openWindow();
    const first = home("The Quillon house in Bergen is Anna's", 0.9);
    await remember(window, first);
    const others = [home("Anna lives in Bergen", 0.4), home("Bergen is her home", 0.3)];
    for (const turn of others) await remember(window, turn);
    assert.deepEqual((await relations(window))[0]!.strength, 1);
    await forgetTurns(window, first);
    const [edge] = await relations(window);
    assert.deepEqual(
      [edge!.text, edge!.strength, edge!.mentions, edge!.source],
      ["Anna lives in Bergen", 0.45, 2, others[0]!.source],
    );
    assert.deepEqual(await onDisk(window.folder, "quillon"), []);
    await forgetTurns(window, others[1]!);
    assert.equal((await relations(window))[0]!.strength, 0.4);
  });

  it("a relation's end", async () => {
    const window = await openWindow();
    await remember(window, home("Anna lives in Bergen", 0.5));
    const told = home("Anna lived in Bergen", 0.5);
    const over = { ...told, edges: told.edges.map((edge) => ({ ...edge, holds: false })) };
    await remember(window, over);
    assert.notEqual((await relations(window))[0]!.validTo, null);
    await forgetTurns(window, over);
    assert.equal((await relations(window))[0]!.validTo, null);
  });

  it("what the user gave by hand stays", async () => {
    const window = await openWindow();
    const first = naming("Anna is called Zibby", "Anna", "Zibby");
    await remember(window, first);
    await remember(window, ofSister("Anna", "Bergen"));
    const graph = new Graph(window.deps);
    const anna = (await people(window)).find(({ name }) => name === "Anna")!;
    const named = { table: "people", id: anna.id, name: "Zibby" } as const;
    valueOf(await graph.edit(named, never));
    const [edge] = await relations(window);
    const worded = {
      table: "relationships",
      id: edge!.id,
      text: "Zibby likes Bergen",
      strength: 0.8,
    } as const;
    valueOf(await graph.edit(worded, never));
    await forgetTurns(window, first);
    const after = (await people(window)).find(({ id }) => id === anna.id)!;
    assert.deepEqual([after.name, after.aliases], ["Zibby", ["Anna"]]);
    assert.deepEqual(
      (await relations(window)).map(({ text, strength }) => [text, strength]),
      [["Zibby likes Bergen", 0.8]],
    );
  });

  it("a store of an older version opens: what it does not tell the turns of stays", async () => {
    const window = await openWindow();
    await makeOld(window, entitiesSpec, "taught", {
      ...{ id: randomUUID(), name: "Anna", key: "anna", keys: "|anna|annie|", type: "person", scope: "" },
      ...{
        aliases: '["Annie"]',
        turns: '["old-1","old-2"]',
        text: "anna · annie",
        mentions: 2,
        pinned: false,
      },
      ...{ created_at: 1, updated_at: 1 },
    });
    await makeOld(window, edgesSpec, "told", {
      ...{ id: randomUUID(), from_id: randomUUID(), to_id: randomUUID(), from_name: "Anna", to_name: "tea" },
      ...{ from_key: "anna", to_key: "tea", type: "likes", text: "Anna likes tea", owner: "user", scope: "" },
      ...{ quote: "q", session_id: "s", turn_id: "old-1", turns: '["old-1","old-2"]', strength: 0.55 },
      ...{ valid_from: 1, source_time: 1, mentions: 2, created_at: 1, updated_at: 1, valid_to: null },
    });
    const old = { by: "turns", turnIds: ["old-1"] } as const;
    valueOf(await forgetting(window).forget(old, never));
    assert.deepEqual(
      (await people(window)).map(({ name, aliases }) => [name, aliases]),
      [["Anna", ["Annie"]]],
    );
    assert.deepEqual(
      (await relations(window)).map(({ text }) => text),
      ["Anna likes tea"],
    );
    const newer = naming("Annie or Zibby", "Annie", "Zibby");
    await remember(window, newer);
    assert.deepEqual((await people(window))[0]!.aliases, ["Annie", "Zibby"]);
    await forgetTurns(window, newer);
    assert.deepEqual((await people(window))[0]!.aliases, ["Annie"]);
  });
});

/** Makes a table as version 1 had it, with one row. */
async function makeOld(
  { deps }: Window,
  spec: TableSpec,
  without: string,
  row: Record<string, unknown>,
): Promise<void> {
  const connection = valueOf(await deps.database.connect());
  const fields = spec.schema().fields.filter(({ name }) => name !== without);
  const schema = versioned({ version: 1, schema: () => new Schema(fields) });
  const table = await connection.createEmptyTable(spec.name, schema);
  await table.add([row]);
  table.close();
}
