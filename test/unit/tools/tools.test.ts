import assert from "node:assert/strict";
import { failed, success } from "../../../src/agent/failure.ts";
import type { Episode, MemoryPort, MemoryQuery, MemorySearch } from "../../../src/agent/memory-port.ts";
import { createTools, DEFAULT_TOOL_SETTINGS, type ToolSettings } from "../../../src/tools/index.ts";
import { inlineReader } from "../../../src/tools/web/read-document.ts";
import { contextOf, textOf } from "../../support/web/tools.ts";

const EPISODE: Episode = {
  id: "0a1b2c3d-0000-4000-8000-000000000001",
  sessionId: "5e55104e-0000-4000-8000-000000000001",
  turnId: "turn-0",
  question: "What did we decide\nabout the cache?",
  answer: "It is written through, with a limit of 64 MB.",
  agent: "conclave",
  respondent: "A",
  model: "m:7b",
  time: Date.UTC(2026, 10, 3, 12),
  kind: "turn",
};

/** A memory that holds what it is given and notes what it is asked. */
class FakeMemory implements MemoryPort {
  readonly asked: MemoryQuery[] = [];
  readonly added: Episode[] = [];
  answer: MemorySearch = {
    hits: [{ episode: EPISODE, score: 0.8, parts: { text: 0.9, vector: 0.7 } }],
    searched: 41,
  };
  down = false;

  search(query: MemoryQuery) {
    this.asked.push(query);
    return Promise.resolve(
      this.down ? failed("memory_unavailable", "Memory is not running.") : success(this.answer),
    );
  }
  add(episodes: readonly Episode[]) {
    this.added.push(...episodes);
    return Promise.resolve(
      this.down ? failed("memory_unavailable", "Memory is not running.") : success({ added: 1 }),
    );
  }
  list() {
    return Promise.resolve(success({ rows: [], total: 0 }));
  }
  forget() {
    return Promise.resolve(success({ removed: 0 }));
  }
  status() {
    return Promise.resolve({ state: "ready" as const });
  }
}

describe("the product's tools", () => {
  let memory: FakeMemory;
  let settings: ToolSettings;

  function tools() {
    return createTools({
      memory,
      settings: () => settings,
      searchAccess: () => ({}),
      reader: inlineReader,
      now: () => Date.UTC(2026, 10, 27),
      uuid: () => "00000000-0000-4000-8000-000000000009",
    });
  }

  async function run(name: string, args: unknown) {
    const tool = tools().toolSet().find(name);
    assert.ok(tool);
    return tool.run(tool.parameters.parse(args), contextOf());
  }

  beforeEach(() => {
    memory = new FakeMemory();
    settings = DEFAULT_TOOL_SETTINGS;
  });

  it("are the two of memory until the user turns the web on, and say why the others are off", () => {
    const registry = tools();
    const names = () => registry.toolSet().schemas.map(({ name }) => name);
    assert.deepEqual(names(), ["search_memory", "save_memory"]);
    assert.deepEqual(
      registry.disabled().map(({ name, failure }) => [name, failure.code, failure.action]),
      [
        ["web_search", "tool_disabled", "enable_web"],
        ["web_fetch", "tool_disabled", "enable_web"],
      ],
    );
    settings = { ...settings, fetchEnabled: true, searchEnabled: true };
    assert.deepEqual(names(), ["search_memory", "save_memory", "web_fetch"], "a search needs an engine");
    assert.match(registry.disabled()[0]?.failure.message ?? "", /Choose a search engine/);
    settings = { ...settings, searchProvider: "mock" };
    assert.deepEqual(names(), ["search_memory", "save_memory", "web_search", "web_fetch"]);
    settings = { ...settings, memoryEnabled: false };
    assert.deepEqual(names(), ["web_search", "web_fetch"]);
  });

  it("have the time that the settings give them, as they are now", () => {
    settings = { ...settings, fetchEnabled: true };
    const set = tools().toolSet();
    assert.equal(set.find("web_fetch")?.timeoutMs, 15_000);
    settings = { ...settings, webTimeoutMs: 30_000, toolTimeoutMs: 5_000 };
    assert.equal(set.find("web_fetch")?.timeoutMs, 30_000);
    assert.equal(set.find("search_memory")?.timeoutMs, 5_000);
  });

  it("search_memory tells the model date, session and text, and people the scores", async () => {
    const outcome = await run("search_memory", { query: "cache" });
    assert.ok(outcome.ok);
    assert.equal(
      outcome.content,
      "[2026-11-03] [5e55104e] Asked: What did we decide about the cache? Answered: It is written through, with a limit of 64 MB.",
    );
    assert.equal(outcome.details.summary, "1 of 41 memories given");
    assert.deepEqual(outcome.details.sources, [
      { uri: `memory:${EPISODE.id}`, title: "What did we decide about the cache?" },
    ]);
    assert.deepEqual(outcome.details.data, {
      query: "cache",
      searched: 41,
      hits: [
        {
          id: EPISODE.id,
          sessionId: EPISODE.sessionId,
          question: EPISODE.question,
          answer: EPISODE.answer,
          time: EPISODE.time,
          kind: "turn",
          score: 0.8,
          parts: { text: 0.9, vector: 0.7 },
        },
      ],
    });
    assert.deepEqual(memory.asked, [{ query: "cache", limit: 5, excludeTurnIds: ["turn-1"] }]);
  });

  it("search_memory leaves out what the conversation already holds, however long that is", async () => {
    const tool = tools().toolSet().find("search_memory");
    const heldTurnIds = Array.from({ length: 20_000 }, (_, index) => `turn-${index + 2}`);
    await tool?.run({ query: "cache", limit: 5 }, { ...contextOf(), heldTurnIds });
    const excluded = memory.asked[0]?.excludeTurnIds ?? [];
    assert.deepEqual([excluded[0], excluded.at(-1)], ["turn-1", "turn-20001"]);
    assert.ok(excluded.length < 10_000, "memory takes no more");
  });

  it("search_memory answers to the names that models make up for it", () => {
    const set = tools().toolSet();
    for (const name of ["search_memories", "memory_search"])
      assert.equal(set.find(name)?.name, "search_memory");
  });

  it("search_memory says so when nothing is relevant, and passes on what was off", async () => {
    memory.answer = { hits: [], searched: 3, note: "full-text search only: no embedding model" };
    const outcome = await run("search_memory", { query: "cache", limit: 2 });
    assert.equal(textOf(outcome), "No relevant memories found.\n(full-text search only: no embedding model)");
    assert.equal(memory.asked[0]?.limit, 2);
  });

  it("search_memory keeps a long memory short for the model and whole for people", async () => {
    const answer = "word ".repeat(10_000);
    memory.answer = { hits: [{ episode: { ...EPISODE, answer }, score: 1, parts: {} }], searched: 1 };
    const outcome = await run("search_memory", { query: "cache" });
    assert.ok(outcome.ok);
    assert.ok(outcome.content.length < 1_200);
    assert.match(JSON.stringify(outcome.details.data), new RegExp(answer.trim().slice(0, 2_000)));
  });

  it("save_memory adds an episode of the kind that it names", async () => {
    const outcome = await run("save_memory", { text: " Prefers tabs. ", kind: "preference" });
    assert.equal(textOf(outcome), "Saved as a preference.");
    assert.deepEqual(memory.added, [
      {
        id: "00000000-0000-4000-8000-000000000009",
        sessionId: "session-1",
        turnId: "turn-1",
        question: "",
        answer: "Prefers tabs.",
        agent: "conclave",
        respondent: "A",
        model: "",
        time: Date.UTC(2026, 10, 27),
        kind: "preference",
      },
    ]);
    await run("save_memory", { text: "The pier reopens in May." });
    assert.equal(memory.added[1]?.kind, "note");
  });

  it("save_memory is the only one that changes something", () => {
    settings = { ...settings, fetchEnabled: true, searchEnabled: true, searchProvider: "mock" };
    const set = tools().toolSet();
    const writing = set.schemas.filter(({ name }) => set.find(name)?.readOnly === false);
    assert.deepEqual(
      writing.map(({ name }) => name),
      ["save_memory"],
    );
  });

  it("of memory pass its absence on as a failure with its sentence", async () => {
    memory.down = true;
    for (const [name, args] of [
      ["search_memory", { query: "x" }],
      ["save_memory", { text: "x" }],
    ] as const) {
      const outcome = await run(name, args);
      assert.equal(!outcome.ok && outcome.failure.code, "memory_unavailable");
      assert.equal(textOf(outcome), "Memory is not running.");
    }
  });

  it("refuse arguments that make no sense", () => {
    settings = { ...settings, fetchEnabled: true, searchEnabled: true, searchProvider: "mock" };
    const set = tools().toolSet();
    const wrong: [string, unknown][] = [
      ["search_memory", { query: " " }],
      ["search_memory", { query: "x", limit: 0 }],
      ["save_memory", { text: "x", kind: "gossip" }],
      ["web_search", {}],
      ["web_fetch", { url: "https://example.com", start: -1 }],
    ];
    for (const [name, args] of wrong)
      assert.equal(set.find(name)?.parameters.safeParse(args).success, false, name);
  });

  it("search the made-up engine without a network", async () => {
    settings = { ...settings, searchEnabled: true, searchProvider: "mock" };
    assert.match(
      textOf(await run("web_search", { query: "ferry" })),
      /Today is 2026-11-27\.[\s\S]*5\. A comparison: ferry/,
    );
  });
});
