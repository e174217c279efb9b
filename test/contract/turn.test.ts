import assert from "node:assert/strict";
import { z } from "zod";
import { createEngine } from "../../src/agent/engine.ts";
import type { TurnEvent } from "../../src/agent/events.ts";
import { systemIdentity } from "../../src/agent/ids.ts";
import { parseHost } from "../../src/agent/models/host.ts";
import { OllamaChatModel } from "../../src/agent/models/ollama.ts";
import type { JsonObject } from "../../src/agent/models/types.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../src/agent/settings.ts";
import type { Tool, ToolSet } from "../../src/agent/tool.ts";
import { contract } from "./targets.ts";

const Query = z.strictObject({ query: z.string().min(1).max(40) });
const SEARCH: Tool = {
  name: "search_memory",
  description: "Searches what was said before.",
  parameters: Query,
  readOnly: true,
  timeoutMs: 5_000,
  run: () => Promise.resolve({ ok: true, content: "Keep it for 24 hours.", details: { summary: "1 given" } }),
};
const TOOLS: ToolSet = {
  schemas: [
    {
      name: SEARCH.name,
      description: SEARCH.description,
      parameters: z.toJSONSchema(Query) as unknown as JsonObject,
    },
  ],
  find: (name) => (name === SEARCH.name ? SEARCH : undefined),
};

contract("a whole turn", (target) => {
  const ask = async (settings: Partial<EngineSettings>): Promise<readonly TurnEvent[]> => {
    const host = parseHost(target.host);
    assert.ok(host.ok);
    const engine = createEngine({
      settings: () => ({
        ...DEFAULT_ENGINE_SETTINGS,
        contextLength: 2_048,
        maxOutputTokens: 120,
        maxSteps: 1,
        temperature: 0,
        think: false,
        ...settings,
      }),
      model: (model) => new OllamaChatModel({ host: host.value, model }),
      tools: () => TOOLS,
      identity: systemIdentity,
    });
    const turn = await engine.ask({ question: "What did we decide about the cache?", door: "test" });
    assert.ok(turn.ok);
    const events: TurnEvent[] = [];
    for await (const event of turn.value.events) events.push(event);
    await engine.dispose();
    return events;
  };

  const ways = [
    ["native", () => target.full],
    ["constrained", () => target.plain],
  ] as const;
  for (const [protocol, model] of ways) {
    it(`keeps its form when tools are ${protocol}, whatever a small model makes of them`, async () => {
      const events = await ask({ model: model(), toolProtocol: protocol });
      const offered = events.find((event) => event.type === "tool.schema");
      assert.equal(offered?.data["conclave.protocol"], protocol);
      for (const event of events) {
        if (event.type === "tool.request") assert.ok(Query.safeParse(event.data.arguments).success);
        assert.ok(event.type !== "warning" || event.data.code !== "format_broken");
      }
      const end = events.at(-1);
      assert.equal(end?.type, "turn.end");
      // The smallest of models may have nothing to say, and then that is said; held to an answer it gives one.
      const ends = protocol === "constrained" ? ["answered"] : ["answered", "empty_answer"];
      assert.ok(ends.includes(end.data.error?.code ?? end.data.outcome), JSON.stringify(end.data.error));
    });
  }
});
