import assert from "node:assert/strict";
import { z } from "zod";
import { createEngine } from "../../../src/agent/engine.ts";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { parseHost } from "../../../src/agent/models/host.ts";
import { OllamaChatModel } from "../../../src/agent/models/ollama.ts";
import type { JsonObject } from "../../../src/agent/models/types.ts";
import { systemIdentity } from "../../../src/agent/ids.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../../src/agent/settings.ts";
import type { Tool, ToolSet } from "../../../src/agent/tool.ts";
import { startDemo, type ScriptedOllama } from "../../support/ollama/index.ts";

const parameters = z.object({ query: z.string() });
const SEARCH: Tool = {
  name: "search_memory",
  description: "Searches what was said before.",
  parameters,
  readOnly: true,
  timeoutMs: 5_000,
  run: () =>
    Promise.resolve({
      ok: true,
      content: "Keep the cache for 24 hours.",
      details: { summary: "1 of 1 given" },
    }),
};
const TOOLS: ToolSet = {
  schemas: [
    {
      name: SEARCH.name,
      description: SEARCH.description,
      parameters: z.toJSONSchema(parameters) as unknown as JsonObject,
    },
  ],
  find: (name) => (name === SEARCH.name ? SEARCH : undefined),
};

describe("a turn with the demo model", () => {
  let server: ScriptedOllama;
  before(async () => {
    server = await startDemo({ tokenMs: 0 });
  });
  after(() => server.close());

  const ask = async (question: string, settings: Partial<EngineSettings>): Promise<readonly TurnEvent[]> => {
    const host = parseHost(server.host);
    assert.ok(host.ok);
    const engine = createEngine({
      settings: () => ({ ...DEFAULT_ENGINE_SETTINGS, model: "conclave-demo:latest", ...settings }),
      model: (model) => new OllamaChatModel({ host: host.value, model }),
      tools: () => TOOLS,
      identity: systemIdentity,
    });
    const turn = await engine.ask({ question, door: "test" });
    assert.ok(turn.ok);
    const events: TurnEvent[] = [];
    for await (const event of turn.value.events) events.push(event);
    await engine.dispose();
    return events;
  };

  const ways: readonly (readonly [string, Partial<EngineSettings>])[] = [
    ["native", {}],
    ["constrained", { model: "conclave-demo-plain:latest" }],
    ["react", { model: "conclave-demo-plain:latest", toolProtocol: "react" }],
  ];
  for (const [protocol, settings] of ways) {
    it(`searches memory and answers with what it found (${protocol})`, async () => {
      const events = await ask("what did we decide about the cache?", settings);
      const seen = events.flatMap((event) => {
        if (event.type === "tool.schema") return [event.data["conclave.protocol"]];
        if (event.type === "tool.request")
          return [`${event.data.name} ${JSON.stringify(event.data.arguments)}`];
        return event.type === "turn.end" ? [event.data.outcome] : [];
      });
      assert.deepEqual(seen, [protocol, 'search_memory {"query":"cache"}', "answered"]);
      const dialog = events.find((event) => event.type === "answer.dialog");
      assert.match(dialog?.data.answer ?? "", /> Keep the cache for 24 hours\./);
    });
  }

  it("streams its thinking and its answer", async () => {
    const events = await ask("Hello there", {});
    const channels = events.flatMap((event) => (event.type === "model.delta" ? [event.data.channel] : []));
    assert.deepEqual(new Set(channels), new Set(["thinking", "answer"]));
  });
});
