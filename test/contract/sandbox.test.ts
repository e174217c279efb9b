import assert from "node:assert/strict";
import { createEngine } from "../../src/agent/engine.ts";
import type { TurnEvent } from "../../src/agent/events.ts";
import { systemIdentity } from "../../src/agent/ids.ts";
import { parseHost } from "../../src/agent/models/host.ts";
import { OllamaChatModel } from "../../src/agent/models/ollama.ts";
import type { SandboxOutcome } from "../../src/agent/sandbox/types.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/agent/settings.ts";
import { agent, of, toolSet } from "./product.ts";
import { contract, type Target } from "./targets.ts";

contract("a talk of two personas, each with its own model", (target) => {
  let outcome: SandboxOutcome;
  const events: TurnEvent[] = [];

  before(async () => {
    outcome = await talk(target, events);
  });

  it("goes to its end, or ends because it repeats itself, with nothing missing", () => {
    assert.equal(outcome.outcome, "answered", JSON.stringify(outcome.error));
    const speakers = outcome.messages.slice(1).map(({ speaker }) => speaker);
    assert.ok(speakers.length >= 3);
    assert.deepEqual(
      speakers,
      speakers.map((_, at) => (at % 2 === 0 ? "Ana" : "Bo")),
    );
    for (const { content } of outcome.messages) assert.notEqual(content.trim(), "");
  });

  it("asks the model that was named for each", () => {
    for (const { speaker, model } of outcome.messages.slice(1))
      assert.equal(model, speaker === "Ana" ? target.full : target.plain);
    for (const { data } of of(events, "model.end")) {
      assert.equal(data.error, undefined);
      assert.ok((data["gen_ai.usage.input_tokens"] ?? 0) > 20);
    }
  });

  it("lets the others hear no more words than the limit", () => {
    for (const { content } of outcome.messages.slice(1))
      assert.ok(content.split(/\s+/u).length <= 25, content);
  });
});

async function talk(target: Target, events: TurnEvent[]): Promise<SandboxOutcome> {
  const host = parseHost(target.host);
  if (!host.ok) throw new Error(host.failure.message);
  const agents = [agent("Ana", { kind: "persona" }), agent("Bo", { kind: "persona" })];
  const engine = createEngine({
    identity: systemIdentity,
    agents: () => ({ agents, rules: "", problems: [] }),
    settings: () => ({
      ...DEFAULT_ENGINE_SETTINGS,
      ...{ model: target.full, think: false, temperature: 0, contextLength: 2_048, maxOutputTokens: 40 },
    }),
    model: (model) => new OllamaChatModel({ host: host.value, model }),
    tools: () => toolSet(),
  });
  engine.onEvent((event) => events.push(event));
  const begun = engine.sandbox?.({
    personas: [
      { name: "Ana", model: target.full },
      { name: "Bo", model: target.plain },
    ],
    opening: "What would you keep of an old harbour?",
    settings: { rounds: 2, wordLimit: 20 },
    door: "test",
  });
  if (begun?.ok !== true) throw new Error(begun?.failure.message ?? "there is no sandbox");
  const outcome = await begun.value.done;
  await engine.dispose();
  return outcome;
}
