import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Resource } from "../../../../src/agent/memory/types.ts";
import { ForgottenTurns } from "../../../../src/memory/facts/forgotten-turns.ts";
import { MAX_RESOURCE_TEXT, Resources } from "../../../../src/memory/graph/resources.ts";
import { cleanUp, fakeEmbedder, never, valueOf } from "../support.ts";
import { NOON, openWindow } from "./support.ts";

function page(uri: string, text: string, fields: Partial<Resource> = {}): Resource {
  return {
    ...{ id: randomUUID(), uri, text, title: "", scope: "", sessionId: "s", turnId: "t", indexedAt: NOON },
    ...fields,
  };
}

describe("resources", () => {
  afterEach(cleanUp);

  async function rows(resources: Resources) {
    return valueOf(await resources.list({ table: "resources", offset: 0, limit: 50 }, never)).rows;
  }

  it("hold one row for each address: a newer one replaces the older, an older one never a newer", async () => {
    const resources = new Resources(await openWindow());
    const keep = async (...pages: Resource[]) => valueOf(await resources.keep(pages, never)).kept;
    assert.equal(await keep(page("https://a.example/", "first"), page("https://b.example/", "other")), 2);
    assert.equal(await keep(page("https://a.example/", "second", { indexedAt: NOON + 1 })), 1);
    assert.equal(await keep(page("https://a.example/", "late", { indexedAt: NOON - 1 })), 0);
    assert.deepEqual(
      (await rows(resources)).map(({ uri, text }) => [uri, text]),
      [
        ["https://a.example/", "second"],
        ["https://b.example/", "other"],
      ],
    );
    assert.deepEqual(valueOf(await resources.search("first", { limit: 5 }, never)), []);
    assert.equal(valueOf(await resources.search("second", { limit: 5 }, never)).length, 1);
  });

  it("are one row when two windows keep one page at once", async () => {
    const first = await openWindow();
    const second = await openWindow({ folder: first.folder });
    const windows = [new Resources(first), new Resources(second)];
    await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (index) =>
        valueOf(await windows[index % 2]!.keep([page("https://a.example/", `text ${index}`)], never)),
      ),
    );
    for (const window of windows) assert.equal((await rows(window)).length, 1);
  });

  it("of two workspaces stay apart", async () => {
    const resources = new Resources(await openWindow());
    const pages = ["w1", "w2"].map((scope) => page("https://a.example/", `pier of ${scope}`, { scope }));
    valueOf(await resources.keep(pages, never));
    const found = valueOf(await resources.search("pier", { limit: 5, scopes: ["w1", ""] }, never));
    assert.deepEqual(
      found.map(({ resource }) => resource.scope),
      ["w1"],
    );
  });

  it("keep a bounded text that ends with a whole sign", async () => {
    const resources = new Resources(await openWindow());
    const text = `${"x".repeat(MAX_RESOURCE_TEXT - 1)}👩‍🚀`;
    valueOf(await resources.keep([page('file:///it\'s "a" -- test', text)], never));
    const [row] = await rows(resources);
    assert.equal(row?.text, "x".repeat(MAX_RESOURCE_TEXT - 1));
    assert.equal(row.uri, 'file:///it\'s "a" -- test');
  });

  it("are found by their words and by their meaning, best first", async () => {
    const resources = new Resources(await openWindow({ embedder: fakeEmbedder({ quay: "pier" }) }));
    const pages = [
      page("https://a.example/", "The pier reopens in May", { title: "Pier" }),
      page("https://b.example/", "Bread and butter"),
    ];
    valueOf(await resources.keep(pages, never));
    for (const query of ["when does the pier open", "quay"]) {
      const found = valueOf(await resources.search(query, { limit: 5 }, never));
      assert.equal(found[0]?.resource.uri, "https://a.example/", query);
      assert.ok(found.every(({ score }) => score > 0 && score <= 1));
    }
    for (const query of ['why does "{0}" fail at $prev:* (NEAR?', "", "' OR 1=1"]) {
      assert.ok((await resources.search(query, { limit: 5 }, never)).ok, query);
    }
  });

  it("of a turn that was forgotten meanwhile are not kept", async () => {
    const window = await openWindow();
    valueOf(await new ForgottenTurns(window.database).add(["gone"], NOON, never));
    const resources = new Resources(window);
    const pages = [page("https://a.example/", "x", { turnId: "gone" }), page("https://b.example/", "y")];
    assert.equal(valueOf(await resources.keep(pages, never)).kept, 1);
    assert.deepEqual(
      (await rows(resources)).map(({ uri }) => uri),
      ["https://b.example/"],
    );
  });

  it("are listed by filter and sort", async () => {
    const resources = new Resources(await openWindow());
    const pages = ["b", "c", "a"].map((name, index) =>
      page(`https://${name}.example/`, `100 % ${name}`, { title: name, indexedAt: NOON + index }),
    );
    valueOf(await resources.keep(pages, never));
    const list = async (query: object) =>
      valueOf(await resources.list({ table: "resources", offset: 0, limit: 9, ...query }, never));
    const titles = async (query: object) => (await list(query)).rows.map(({ title }) => title).join("");
    assert.equal(await titles({}), "acb");
    assert.equal(await titles({ sort: { column: "title", ascending: true } }), "abc");
    assert.equal(await titles({ sort: { column: "uri", ascending: false }, offset: 1, limit: 1 }), "b");
    assert.equal(await titles({ filter: "% C" }), "c");
    assert.deepEqual(await list({ filter: "nowhere" }), { rows: [], total: 0 });
  });
});
