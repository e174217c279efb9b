import assert from "node:assert/strict";
import { createTools, DEFAULT_TOOL_SETTINGS, type ToolSettings } from "../../../src/tools/index.ts";
import { inlineReader } from "../../../src/tools/web/read-document.ts";
import { contextOf, textOf } from "../../support/web/tools.ts";
import { FakeMemory } from "./fake-memory.ts";

const MEMORY_TOOLS = [
  ...["search_memory", "search_knowledge_graph", "search", "get_moments"],
  ...["save_memory", "save_moments", "update_user_metadata", "forget_memory"],
];

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

  it("are those of memory until the user turns the web on, and say why the others are off", () => {
    const registry = tools();
    const names = () => registry.toolSet().schemas.map(({ name }) => name);
    assert.deepEqual(names(), [...MEMORY_TOOLS, "ask_agent"]);
    assert.deepEqual(
      registry.disabled().map(({ name, failure }) => [name, failure.code, failure.action]),
      [
        ["web_search", "tool_disabled", "enable_web"],
        ["web_fetch", "tool_disabled", "enable_web"],
      ],
    );
    settings = { ...settings, fetchEnabled: true, searchEnabled: true };
    assert.deepEqual(names(), [...MEMORY_TOOLS, "web_fetch", "ask_agent"], "a search needs an engine");
    assert.match(registry.disabled()[0]?.failure.message ?? "", /Choose a search engine/);
    settings = { ...settings, searchProvider: "mock" };
    assert.deepEqual(names(), [...MEMORY_TOOLS, "web_search", "web_fetch", "ask_agent"]);
    settings = { ...settings, memoryEnabled: false };
    assert.deepEqual(names(), ["web_search", "web_fetch", "ask_agent"]);
  });

  it("have the time that the settings give them, as they are now", () => {
    settings = { ...settings, fetchEnabled: true };
    const set = tools().toolSet();
    assert.equal(set.find("web_fetch")?.timeoutMs, 15_000);
    settings = { ...settings, webTimeoutMs: 30_000, toolTimeoutMs: 5_000 };
    assert.equal(set.find("web_fetch")?.timeoutMs, 30_000);
    assert.equal(set.find("search_memory")?.timeoutMs, 5_000);
  });

  it("that save or forget are the only ones that change something, and ask_agent, whose agent may call them", () => {
    settings = { ...settings, fetchEnabled: true, searchEnabled: true, searchProvider: "mock" };
    const set = tools().toolSet();
    const writing = set.schemas.filter(({ name }) => set.find(name)?.readOnly === false);
    assert.deepEqual(
      writing.map(({ name }) => name),
      ["save_memory", "save_moments", "update_user_metadata", "forget_memory", "ask_agent"],
    );
  });

  it("of memory pass its absence on as a failure with its sentence", async () => {
    memory.down = true;
    for (const [name, args] of [
      ["search_memory", { query: "x" }],
      ["search_knowledge_graph", { people: ["x"] }],
      ["search", { query: "x" }],
      ["save_memory", { text: "x" }],
      ["forget_memory", { query: "x" }],
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
      ["search_knowledge_graph", { people: "x".repeat(300) }],
      ["search", { query: "" }],
      ["save_memory", { text: "x", kind: "gossip" }],
      ["forget_memory", {}],
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
