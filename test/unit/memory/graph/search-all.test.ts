import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { failed, success } from "../../../../src/agent/failure.ts";
import { whyRecalled } from "../../../../src/agent/memory/explain-hit.ts";
import type { MemoryHit, MemoryQuery } from "../../../../src/agent/memory/port.ts";
import type { Fact, Moment } from "../../../../src/agent/memory/types.ts";
import { Graph } from "../../../../src/memory/graph/graph.ts";
import { Resources } from "../../../../src/memory/graph/resources.ts";
import { Moments } from "../../../../src/memory/moments/moments.ts";
import { searchAll, type SearchParts } from "../../../../src/memory/graph/search-all.ts";
import { cleanUp, episode, never, valueOf } from "../support.ts";
import { at, DAY, edge, NOON, openWindow, tells } from "./support.ts";

function fact(text: string, fields: Partial<Fact> = {}): Fact {
  return {
    ...{ id: randomUUID(), kind: "fact", text, subject: "user", confidence: 0.8, owner: "user", scope: "" },
    ...{
      validFrom: NOON,
      validTo: null,
      eventFrom: null,
      eventTo: null,
      mentions: 1,
      pinned: false,
      by: "model",
    },
    source: { sessionId: "s", turnId: "turn-of-fact", time: NOON },
    ...{ quote: "", createdAt: NOON, updatedAt: NOON },
    ...fields,
  };
}

function hit(question: string, relevance: number, kind = "turn"): MemoryHit {
  const parts = { relevance };
  return { episode: episode({ question, answer: "Yes.", time: NOON, kind }), score: relevance, parts };
}

const WALK: Moment = {
  ...{ id: randomUUID(), title: "A walk at the harbour", text: "The lamps were lit.", agent: "conclave" },
  ...{ from: NOON, to: NOON, scope: "", turns: [] },
  source: { sessionId: "s", turnId: "turn-of-moment", time: NOON },
};

describe("a search over everything", () => {
  let parts: SearchParts;
  let graph: Graph;
  let hits: readonly MemoryHit[];
  let facts: readonly { readonly fact: Fact; readonly score: number }[];

  beforeEach(async () => {
    const window = await openWindow();
    graph = new Graph(window);
    const resources = new Resources(window);
    valueOf(await graph.learn(tells(edge("Anna", "likes", "the harbour")), never));
    const page = { uri: "https://pier.example/", title: "Harbour news", text: "The harbour reopens in May" };
    const place = { scope: "", sessionId: "s", turnId: "t", indexedAt: NOON };
    valueOf(await resources.keep([{ id: randomUUID(), ...page, ...place }], never));
    hits = [hit("Is the harbour open?", 1)];
    const moments = new Moments(window);
    valueOf(await moments.save([WALK], never));
    facts = [{ fact: fact("User works at the harbour"), score: 0.8 }];
    parts = {
      search: () => Promise.resolve(success({ hits, searched: 2 })),
      facts: { search: () => Promise.resolve(success(facts)) },
      graph,
      resources,
      moments,
      now: () => NOON,
    };
  });
  afterEach(cleanUp);

  const ask = async (query: Partial<MemoryQuery> = {}) =>
    valueOf(await searchAll(parts, { query: "harbour", ...query }, never)).hits;

  it("says in which turn a hit is said, and of what is over in none", async () => {
    const over = fact("User worked at the harbour", { validTo: NOON - DAY });
    facts = [facts[0]!, { fact: over, score: 0.8 }];
    const said = new Map((await ask()).map(({ id, saidIn }) => [id, saidIn]));
    assert.equal(said.get(hits[0]!.episode.id), hits[0]!.episode.turnId);
    assert.equal(said.get(facts[0]!.fact.id), "turn-of-fact");
    assert.equal(said.has(over.id), true);
    assert.equal(said.get(over.id), undefined);
  });

  it("finds turns, moments, facts, relationships and pages, each told as its kind is told", async () => {
    const found = await ask();
    assert.deepEqual([...new Set(found.map(({ type }) => type))].sort(), [
      ...["episode", "fact", "moment", "relationship", "resource"],
    ]);
    const texts = Object.fromEntries(found.map(({ type, text }) => [type, text]));
    assert.match(
      texts["episode"] ?? "",
      /^\[2026-05-08\] \[session\] Asked: Is the harbour open\? Answered: Yes\.$/,
    );
    assert.match(
      texts["moment"] ?? "",
      /^\[2026-05-08\] \[moment\] A walk at the harbour: The lamps were lit\.$/,
    );
    assert.equal(texts["fact"], "IS User works at the harbour (current, since 2026-05)");
    assert.equal(texts["relationship"], "IS Anna likes the harbour (current, since 2026-05)");
    assert.equal(texts["resource"], "Harbour news (https://pier.example/): The harbour reopens in May");
    assert.ok(found.every(({ score }) => score > 0 && score <= 1));
    assert.deepEqual(
      found.map(({ score }) => score),
      found.map(({ score }) => score).sort((a, b) => b - a),
    );
  });

  it("says of every hit, of whatever kind, what its score is made of and why it is there", async () => {
    const found = await ask();
    assert.ok(found.length >= 5);
    for (const { score, parts } of found) {
      assert.ok(parts?.["match"] !== undefined && parts["words"] !== undefined);
      assert.ok(Math.abs(score - (0.6 * parts["match"] + 0.4 * parts["words"])) < 1e-9);
      assert.match(whyRecalled(parts), /^Recalled because it (?:fits what|holds words of what) was asked/);
    }
  });

  it("gives the same for the same store, and no more than asked for", async () => {
    assert.deepEqual(await ask(), await ask());
    assert.equal((await ask({ limit: 2 })).length, 2);
  });

  it("looks only at the kinds that are asked for", async () => {
    parts = { ...parts, search: () => Promise.reject(new Error("not asked")) };
    const found = await ask({ types: ["fact", "resource"] });
    assert.deepEqual(found.map(({ type }) => type).sort(), ["fact", "resource"]);
  });

  it("leaves out what has little to do with the question", async () => {
    facts = [{ fact: fact("User likes tea"), score: 0.3 }];
    assert.ok(!(await ask()).some(({ type }) => type === "fact"));
  });

  it("leaves out what is not from the time asked for, in numbers or in words", async () => {
    facts = [
      {
        fact: fact("The harbour closed", { source: { sessionId: "s", turnId: "a", time: NOON - 9 * DAY } }),
        score: 1,
      },
      { fact: fact("The harbour opened", { source: { sessionId: "s", turnId: "b", time: NOON } }), score: 1 },
    ];
    const texts = async (query: Partial<MemoryQuery>) =>
      (await ask({ types: ["fact"], ...query })).map(({ text }) => text.replace(/ \(.*/, ""));
    assert.deepEqual(await texts({ from: NOON - 10 * DAY, to: NOON - DAY }), ["IS The harbour closed"]);
    assert.deepEqual(await texts({ query: "What of the harbour last week?" }), ["IS The harbour closed"]);
  });

  it("leaves out what the conversation already holds", async () => {
    assert.ok(!(await ask({ excludeTurnIds: ["turn-of-fact"] })).some(({ type }) => type === "fact"));
  });

  it("leaves out what belongs to others than those asked for, whatever its kind", async () => {
    const of = (owner: string) => ({ fact: fact(`${owner} fears the harbour`, { owner }), score: 0.8 });
    facts = [of("user"), of("Mira"), of("Tom")];
    valueOf(await graph.learn({ ...tells(edge("Tom", "hates", "the harbour")), agent: "Tom" }, never));
    const told = async (owners?: readonly string[]) =>
      (await ask(owners === undefined ? {} : { owners })).map(({ text }) => text).join("\n");
    const all = await told();
    assert.match(all, /Tom fears/);
    assert.match(all, /Tom hates/);
    const mine = await told(["user", "mira"]);
    assert.match(mine, /user fears/);
    assert.match(mine, /Mira fears/);
    assert.doesNotMatch(mine, /Tom/);
  });

  it("asks for facts that are sure enough, in the scopes given", async () => {
    const asked: object[] = [];
    const search = (_: string, options: object) => {
      asked.push(options);
      return Promise.resolve(success([]));
    };
    parts = { ...parts, facts: { search } };
    await ask({ minConfidence: 0.7, scopes: ["w1"] });
    await ask();
    assert.deepEqual(asked, [
      { limit: 30, scopes: ["w1"], minConfidence: 0.7 },
      { limit: 30, minConfidence: 0.5 },
    ]);
  });

  it("goes on without a kind that fails, and fails only when all do", async () => {
    const broken = () => Promise.resolve(failed("memory_unavailable", "No."));
    parts = { ...parts, search: broken, facts: { search: broken } };
    assert.deepEqual((await ask()).map(({ type }) => type).sort(), ["moment", "relationship", "resource"]);
    const none = await searchAll(
      { ...parts, graph: { search: broken }, resources: { search: broken }, moments: { find: broken } },
      { query: "x" },
      never,
    );
    assert.equal(!none.ok && none.failure.message, "No.");
  });

  it("ranks a fact in so many words above a page that only touches on it", async () => {
    [hits, facts] = [[], []];
    valueOf(await (parts.graph as Graph).learn(at(NOON, tells(edge("Bo", "lives_in", "Bergen"))), never));
    const found = await ask({ query: "Where does Bo live?" });
    assert.equal(found[0]?.text, "IS Bo lives in Bergen (current, since 2026-05)");
  });
});
