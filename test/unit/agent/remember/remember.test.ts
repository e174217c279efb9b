import assert from "node:assert/strict";
import { success } from "../../../../src/agent/failure.ts";
import type { Fact } from "../../../../src/agent/memory/types.ts";
import type { ToolOutcome } from "../../../../src/agent/tool.ts";
import { answers, ask, call, callTools, end, makeTool, only } from "../support.ts";
import { bed, settle } from "./bed.ts";

const RULES = { learning: "rules" } as const;

function page(uri: string, text: string, start = 0): ToolOutcome {
  return {
    ok: true,
    content: `<untrusted_content source="${uri}">\n${text}\n</untrusted_content>\n[more follows]`,
    details: { summary: "a page", sources: [{ uri, title: "Tides" }], data: { start } },
  };
}

describe("an episode", () => {
  it("holds scope, what stood beside the question, the sources of its tools, and what rules see in it", async () => {
    const fetch = makeTool<{ query: string }>({
      name: "web_fetch",
      run: () => Promise.resolve(page("https://tides.example/oban", "High tide is at 14:10.")),
    });
    const { engine, added } = bed({
      chat: [[callTools(call("web_fetch", { query: "x" })), end()], answers("At 14:10.")],
      tools: [fetch],
      memorySettings: { ...RULES, scope: "workspace-1" },
    });
    const references = [{ label: "plan.md", uri: "file:///plan.md", text: "Sail on Friday." }];
    await ask(engine, "When is high tide in Oban?", { references });
    await engine.dispose();
    const { scope, intent, entities, references: beside, sources } = added[0]!;
    assert.deepEqual([scope, intent, entities], ["workspace-1", "fact", ["Oban"]]);
    assert.deepEqual(beside, [{ label: "plan.md", uri: "file:///plan.md" }]);
    assert.deepEqual(sources, [{ uri: "https://tides.example/oban", title: "Tides" }]);
  });

  it("brings the pages and files of its turn with it; a later part alone does not replace a page", async () => {
    const parts: { readonly [query: string]: ToolOutcome } = {
      first: page("https://a.example/", "One."),
      second: page("https://a.example/", "Two.", 4),
      later: page("https://b.example/", "Of B.", 400),
    };
    const fetch = makeTool<{ query: string }>({
      name: "web_fetch",
      run: ({ query }) => Promise.resolve(parts[query]!),
    });
    const calls = Object.keys(parts).map((query) => call("web_fetch", { query }, query));
    const { engine, kept } = bed({
      chat: [[callTools(...calls), end()], answers("Read.")],
      tools: [fetch],
      memorySettings: { ...RULES, scope: "w" },
    });
    const references = [{ label: "plan.md", uri: "file:///plan.md", text: "Sail on Friday." }];
    await ask(engine, "Read them.", { references });
    await engine.dispose();
    assert.deepEqual(
      kept.map(({ uri, title, text, scope }) => [uri, title, text, scope]),
      [
        ["file:///plan.md", "plan.md", "Sail on Friday.", "w"],
        ["https://a.example/", "Tides", "One.\nTwo.", "w"],
      ],
    );
  });

  it("is not made of a private turn, nor is anything else: no note, no page, no event, no tool that saves", async () => {
    const save = makeTool({ name: "save_memory", readOnly: false });
    const search = makeTool({ name: "search_memory" });
    const { engine, chat, added, notes, learnt, kept, ingested, learned } = bed({
      chat: [[callTools(call("save_memory", { query: "x" })), end()], answers("Noted.")],
      tools: [save, search],
      memorySettings: RULES,
    });
    const references = [{ label: "plan.md", uri: "file:///plan.md", text: "Sail on Friday." }];
    const { events } = await ask(engine, "I like tea.", { private: true, references });
    await engine.dispose();
    assert.deepEqual([added, notes, learnt, kept, ingested, learned], [[], [], [], [], [], []]);
    assert.equal(only(events, "turn.start").data["conclave.private"], true);
    assert.deepEqual(
      chat.requests[0]!.tools!.map(({ name }) => name),
      ["search_memory"],
    );
    assert.equal(only(events, "tool.result").data.error?.code, "tool_unknown");
  });

  it("is not made when memory is switched off, and memory is not asked either", async () => {
    const refuse = (): never => assert.fail("memory was asked");
    const { engine, added, ingested } = bed({
      memorySettings: { enabled: false },
      memory: { search: refuse, card: refuse, annotate: refuse, keep: refuse },
    });
    await ask(engine, "I like tea.");
    await engine.dispose();
    assert.deepEqual([added, ingested], [[], []]);
  });
});

describe("what was recalled into a turn", () => {
  it("is told to memory when the turn is learnt from, and counted", async () => {
    const lines = [
      "[2026-01-01] [s1] Noted (fact): Likes tea.",
      "IS Ana the user's sister (current, since 2025-01)",
    ];
    const search = makeTool({
      name: "search_memory",
      run: () =>
        Promise.resolve({
          ok: true as const,
          content: lines.join("\n"),
          details: { summary: "2 given", data: { hits: [{ id: "a" }, { id: "b" }] } },
        }),
    });
    const { engine, learnt, ingested } = bed({
      chat: [[callTools(call("search_memory", { query: "tea" })), end()], answers("You like tea.")],
      tools: [search],
      memorySettings: RULES,
    });
    await ask(engine, "I like tea, you know.");
    await settle();
    assert.deepEqual(learnt[0]!.recalled, lines);
    assert.equal(ingested[0]!.data["conclave.retrieved"], 2);
    await engine.dispose();
  });

  it("includes what stood on the context card; the persona on it is passed on as such", async () => {
    const known = { text: "The user likes tea.", id: "f1", validFrom: 0, validTo: null } as Fact;
    const { engine, learnt, ingested } = bed({
      memorySettings: { ...RULES, card: "always" },
      settings: {
        persona: {
          name: "Vera",
          kind: "persona",
          job: "marine biologist",
          ...{ family: [], traits: [], interests: [], relationships: [] },
        },
      },
      memory: {
        card: () =>
          Promise.resolve(success({ relationships: [], facts: [known], pinned: [], interests: [] })),
      },
    });
    await ask(engine, "I like cake.");
    await settle();
    assert.equal(learnt[0]!.recalled.length, 1);
    assert.match(learnt[0]!.recalled[0]!, /The user likes tea/);
    assert.match(learnt[0]!.persona!, /marine biologist/);
    assert.equal(ingested[0]!.data["conclave.retrieved"], 1);
    await engine.dispose();
  });
});
