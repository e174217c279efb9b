import assert from "node:assert/strict";
import type { GraphLine } from "../../../src/agent/memory/types.ts";
import { searchEverything } from "../../../src/tools/search-everything.ts";
import { searchKnowledgeGraph } from "../../../src/tools/search-knowledge-graph.ts";
import { contextOf, textOf } from "../../support/web/tools.ts";
import { FakeMemory } from "./fake-memory.ts";

const TIME = new Date(2026, 4, 8, 12).getTime();

function line(text: string, id = "r1"): GraphLine {
  return {
    text,
    hops: 1,
    relationship: {
      ...{ id, from: "Anna", to: "Oslo", fromId: "e1", toId: "e2", type: "lives_in", text, strength: 0.5 },
      ...{ validFrom: TIME, validTo: null, owner: "user", scope: "", mentions: 1, updatedAt: TIME },
      source: { sessionId: "s", turnId: "t", time: TIME },
    },
  };
}

describe("search_knowledge_graph", () => {
  const memory = new FakeMemory();
  const options = { memory, timeoutMs: () => 1_000, now: () => TIME };

  async function run(args: unknown, scopes?: readonly string[]) {
    const tool = searchKnowledgeGraph({ ...options, scopes: () => scopes });
    return tool.run(tool.parameters.parse(args), contextOf());
  }

  it("tells IS and WAS lines, and which names are not known", async () => {
    memory.told = { lines: [line("IS Anna lives in Oslo (current, since 2026-05)")], unknown: ["Zoe"] };
    const outcome = await run({ people: ["Anna", "Zoe"], locations: [] });
    assert.equal(
      textOf(outcome),
      '<untrusted_content source="memory">\nIS Anna lives in Oslo (current, since 2026-05)\nNot known: Zoe.\n</untrusted_content>',
    );
    assert.ok(outcome.ok);
    assert.deepEqual(outcome.details.sources?.[0]?.uri, "memory:r1");
  });

  it("says no more than that nothing was found", async () => {
    memory.told = { lines: [], unknown: ["Zoe"] };
    assert.equal(textOf(await run({ people: ["Zoe"] })), "No facts found in the knowledge graph.");
  });

  it("needs a name", async () => {
    const outcome = await run({});
    assert.equal(!outcome.ok && outcome.failure.code, "tool_arguments");
  });

  it("tells an agent its own relations and those of the user, and no other agent's", async () => {
    const owned = (text: string, owner: string): GraphLine => {
      const { relationship, ...rest } = line(text, owner);
      return { ...rest, relationship: { ...relationship, owner } };
    };
    memory.told = {
      lines: [
        ...Array.from({ length: 30 }, (_, at) => owned(`IS of Ada ${at}`, "Ada")),
        owned("IS of the user", "user"),
        owned("IS of Bruno", "Bruno"),
      ],
      unknown: [],
    };
    const tool = searchKnowledgeGraph(options);
    const told = async (agent: string): Promise<readonly string[]> =>
      textOf(await tool.run(tool.parameters.parse({ people: ["Mirela"] }), { ...contextOf(), agent }))
        .split("\n")
        .slice(1, -1);
    assert.deepEqual(await told("bruno"), ["IS of the user", "IS of Bruno"]);
    assert.deepEqual(await told("conclave"), ["IS of the user"]);
    assert.equal((await told("Ada")).length, 20);
    assert.equal((await told("Ada"))[0], "IS of Ada 0");
  });

  it("looks in the user's scopes", async () => {
    await run({ locations: ["Oslo"] }, ["", "w1"]);
    const { people, locations, scopes } = memory.askedGraph.at(-1)!;
    assert.deepEqual({ people, locations, scopes }, { people: [], locations: ["Oslo"], scopes: ["", "w1"] });
  });
});

describe("search", () => {
  it("gives one list of everything, with what it rests on", async () => {
    const memory = new FakeMemory();
    memory.all = [
      { type: "fact", id: "f1", text: "IS Anna likes tea (current, since 2026-05)", time: TIME, score: 0.8 },
      {
        type: "resource",
        id: "p1",
        text: "Tea (https://tea.example/): All of it",
        time: TIME,
        score: 0.5,
        uri: "https://tea.example/",
      },
    ];
    const tool = searchEverything({ memory, timeoutMs: () => 1_000, now: () => TIME, scopes: () => ["w1"] });
    const outcome = await tool.run(tool.parameters.parse({ query: "tea" }), contextOf());
    assert.deepEqual(textOf(outcome).split("\n").slice(1, -1), [
      "IS Anna likes tea (current, since 2026-05)",
      "[2026-05-08] [read] Tea (https://tea.example/): All of it",
    ]);
    assert.ok(outcome.ok);
    assert.deepEqual(
      outcome.details.sources?.map(({ uri }) => uri),
      ["memory:f1", "https://tea.example/"],
    );
    assert.deepEqual(memory.askedAll[0]?.scopes, ["w1"]);
    memory.all = [];
    assert.equal(
      textOf(await tool.run({ query: "tea", limit: 10 }, contextOf())),
      "No relevant memories found.",
    );
  });

  it("tells once what a turn and the fact that was learnt from it both say", async () => {
    const memory = new FakeMemory();
    const said = { time: TIME, score: 0.8, saidIn: "turn-1" };
    memory.all = [
      { type: "fact", id: "f1", text: "IS Anna likes green tea (current, since 2026-05)", ...said },
      {
        type: "episode",
        id: "e1",
        text: "[2026-05-08] [5e55104e] Noted (note): Anna likes green tea",
        ...said,
      },
      {
        type: "fact",
        id: "f2",
        text: "IS Anna likes 3 teas (current, since 2026-05)",
        ...said,
        saidIn: "turn-2",
      },
    ];
    const tool = searchEverything({ memory, timeoutMs: () => 1_000, now: () => TIME });
    const lines = async (limit: number): Promise<string[]> =>
      textOf(await tool.run({ query: "tea", limit }, contextOf()))
        .split("\n")
        .slice(1, -1);
    const [note, other] = [memory.all[1]!.text, memory.all[2]!.text];
    assert.deepEqual(await lines(10), [note, other]);
    assert.deepEqual(await lines(2), [note, other], "what is left out makes room");
  });
});
