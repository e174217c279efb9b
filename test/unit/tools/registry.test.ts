import assert from "node:assert/strict";
import { z } from "zod";
import { failure } from "../../../src/agent/failure.ts";
import type { Tool } from "../../../src/agent/tool.ts";
import { toldTool } from "../../../src/agent/told-schema.ts";
import { UNLISTED } from "../../../src/tools/json-schema.ts";
import { ToolRegistry, type RegistryChange } from "../../../src/tools/registry.ts";
import { contextOf } from "../../support/web/tools.ts";

function toolNamed(name: string, more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `The tool ${name}.`,
    parameters: z.object({
      query: z.string(),
      limit: z.int().min(1).default(5),
      names: z.array(z.string()).optional(),
    }),
    readOnly: true,
    timeoutMs: 1_000,
    run: () => Promise.resolve({ ok: true, content: name, details: { summary: name } }),
    ...more,
  };
}

describe("the tool registry", () => {
  it("offers tools in the order in which they came, byte for byte the same each time", () => {
    const registry = new ToolRegistry();
    for (const name of ["tide", "ferry", "map"]) registry.register(toolNamed(name));
    const first = JSON.stringify(registry.toolSet().schemas);
    assert.deepEqual(
      registry.toolSet().schemas.map(({ name }) => name),
      ["tide", "ferry", "map"],
    );
    registry.unregister("ferry");
    registry.register(toolNamed("ferry"));
    assert.deepEqual(registry.names(), ["tide", "map", "ferry"]);
    registry.unregister("ferry");
    registry.unregister("map");
    registry.register(toolNamed("ferry"));
    registry.register(toolNamed("map"));
    assert.equal(JSON.stringify(registry.toolSet().schemas), first);
  });

  it("tells of the same tools by the same list, turn after turn, and of others by another one", () => {
    const registry = new ToolRegistry();
    let isOff = false;
    registry.register(toolNamed("tide"));
    registry.register(toolNamed("ferry"), {
      disabled: () => (isOff ? failure("tool_disabled", "It is off.") : undefined),
    });
    const both = registry.toolSet().schemas;
    assert.equal(registry.toolSet().schemas, both);
    isOff = true;
    const one = registry.toolSet().schemas;
    assert.deepEqual(
      one.map(({ name }) => name),
      ["tide"],
    );
    assert.equal(one[0], both[0]);
    isOff = false;
    assert.equal(registry.toolSet().schemas, both);
  });

  it("tells of a tool anew once it is described in other words", () => {
    const registry = new ToolRegistry();
    const tide = { ...toolNamed("tide"), description: "When the tide turns." };
    registry.register(tide);
    const before = registry.toolSet().schemas;
    tide.description = "When the tide turned.";
    const after = registry.toolSet().schemas;
    assert.deepEqual(
      [before, after].map(([schema]) => schema?.description),
      ["When the tide turns.", "When the tide turned."],
    );
  });

  it("gives models a schema without what they can't act on, and without arguments that they need not know", () => {
    const registry = new ToolRegistry();
    const parameters = z.object({
      query: z.string().min(1).max(80).regex(/\w/).describe("What to look for"),
      limit: z.int().min(1).default(5),
      names: z.array(z.string().max(9)).max(3).optional(),
      start: z.int().default(0).meta(UNLISTED),
    });
    registry.register(toolNamed("tide", { parameters }));
    assert.deepEqual(toldTool(registry.toolSet().schemas[0]!).parameters, {
      type: "object",
      properties: {
        query: { type: "string", description: "What to look for" },
        limit: { type: "integer" },
        names: { type: "array", items: { type: "string" } },
      },
      required: ["query"],
    });
  });

  it("keeps an argument that happens to be called like a keyword", () => {
    const registry = new ToolRegistry();
    const parameters = z.object({ $schema: z.string(), additionalProperties: z.boolean() });
    registry.register(toolNamed("tide", { parameters }));
    const properties = registry.toolSet().schemas[0]?.parameters.properties;
    assert.deepEqual(Object.keys(properties ?? {}), ["$schema", "additionalProperties"]);
  });

  it("finds a tool by an alias that it never advertises", () => {
    const registry = new ToolRegistry();
    registry.register(toolNamed("search_memory", { aliases: ["search_memories"] }));
    const set = registry.toolSet();
    assert.equal(set.find("search_memories")?.name, "search_memory");
    assert.doesNotMatch(JSON.stringify(set.schemas), /search_memories/);
    assert.equal(set.find("searchTheWeb"), undefined);
  });

  it("refuses a second tool of the same name or alias", () => {
    const registry = new ToolRegistry();
    registry.register(toolNamed("tide", { aliases: ["tides"] }));
    assert.throws(() => registry.register(toolNamed("tide")), /already registered/);
    assert.throws(() => registry.register(toolNamed("tides")), /already registered/);
    assert.throws(() => registry.register(toolNamed("x", { aliases: ["tide"] })), /already registered/);
    assert.deepEqual(registry.names(), ["tide"]);
  });

  it("tells listeners of what comes and goes, until they stop listening, whatever one of them does", () => {
    const registry = new ToolRegistry();
    const changes: RegistryChange[] = [];
    registry.onChange(() => {
      throw new Error("a broken listener");
    });
    const stop = registry.onChange((change) => changes.push(change));
    const remove = registry.register(toolNamed("tide"));
    remove();
    remove();
    stop();
    registry.register(toolNamed("ferry"));
    assert.deepEqual(changes, [
      { type: "registered", name: "tide" },
      { type: "unregistered", name: "tide" },
    ]);
  });

  it("does not remove a tool's successor of the same name", () => {
    const registry = new ToolRegistry();
    const remove = registry.register(toolNamed("tide"));
    registry.unregister("tide");
    registry.register(toolNamed("tide"));
    remove();
    assert.deepEqual(registry.names(), ["tide"]);
  });

  it("gives only the named tools; none for an empty list", () => {
    const registry = new ToolRegistry();
    registry.register(toolNamed("tide", { aliases: ["tides"] }));
    registry.register(toolNamed("ferry"));
    const names = (wanted: readonly string[]) => registry.toolSet(wanted).schemas.map(({ name }) => name);
    assert.deepEqual(names(["ferry", "nothing"]), ["ferry"]);
    assert.deepEqual(names(["tides"]), ["tide"]);
    assert.deepEqual(names([]), []);
    assert.equal(registry.toolSet(["ferry"]).find("tide"), undefined);
  });

  it("does not offer a tool that is off, and answers a call to it with the reason", async () => {
    const registry = new ToolRegistry();
    let on = false;
    let ran = 0;
    const off = failure("tool_disabled", "Web search is off.", { action: "enable_web" });
    const run = () => {
      ran += 1;
      return Promise.resolve({ ok: true as const, content: "", details: { summary: "" } });
    };
    registry.register(toolNamed("web_search", { run }), { disabled: () => (on ? undefined : off) });
    const set = registry.toolSet();
    assert.deepEqual(set.schemas, []);
    assert.deepEqual(registry.disabled(), [{ name: "web_search", failure: off }]);
    const outcome = await set.find("web_search")?.run({ query: "x" }, contextOf());
    assert.deepEqual(outcome, { ok: false, failure: off, retryable: false });
    assert.equal(ran, 0);
    on = true;
    assert.equal(registry.toolSet().schemas.length, 1);
    assert.deepEqual(registry.disabled(), []);
  });

  it("leaves a turn's tools alone when tools come and go meanwhile", () => {
    const registry = new ToolRegistry();
    registry.register(toolNamed("tide"));
    const set = registry.toolSet();
    registry.unregister("tide");
    assert.equal(set.find("tide")?.name, "tide");
    assert.equal(set.schemas.length, 1);
  });
});
