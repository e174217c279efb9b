import assert from "node:assert/strict";
import { createEngine } from "../../../../src/agent/engine.ts";
import type { Engine } from "../../../../src/agent/engine-port.ts";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { parseHost } from "../../../../src/agent/models/host.ts";
import { OllamaChatModel } from "../../../../src/agent/models/ollama.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../../../src/agent/settings.ts";
import * as ollama from "../../../support/ollama/index.ts";
import type { ScriptedOllama } from "../../../support/ollama/index.ts";
import { persona } from "../../agent/committee/bed.ts";
import { all, ask, makeTool, seededIdentity, toolSet } from "../../agent/support.ts";
import { look, rawOf } from "../support/look.ts";
import { PanelBed } from "../support/panel-bed.ts";

describe("a request, raw", () => {
  let server: ScriptedOllama;
  let bed: PanelBed;

  beforeEach(async () => {
    [server, bed] = await Promise.all([ollama.startScriptedOllama(), PanelBed.create()]);
    await bed.ready();
  });

  afterEach(async () => {
    await Promise.all([server.close(), bed.close()]);
  });

  function engineOn(settings: Partial<EngineSettings> = {}): Engine {
    const engine = createEngine({
      identity: seededIdentity(),
      agents: () => ({ agents: [persona("Ana"), persona("Bo")], rules: "Be kind. 🚀", problems: [] }),
      settings: () => ({ ...DEFAULT_ENGINE_SETTINGS, model: "scripted:latest", ...settings }),
      model: (model) => {
        const host = parseHost(server.host);
        return host.ok ? new OllamaChatModel({ host: host.value, model }) : host.failure;
      },
      tools: () => toolSet(makeTool({ name: "web_search" }), makeTool({ name: "look_up" })),
    });
    engine.onEvent((event) => bed.log.append(event));
    return engine;
  }

  /** Every request of a turn as the panel gives it, and as the server was sent it. */
  async function both(events: readonly TurnEvent[]): Promise<readonly (readonly [string, string])[]> {
    const starts = all(events, "model.start");
    const raws: string[] = [];
    for (const { sessionId, turnId, id } of starts) raws.push(await rawOf(bed, { sessionId, turnId }, id));
    const sent = server.requests.filter(({ path }) => path === "/api/chat").map(({ text }) => text);
    assert.equal(sent.length, raws.length);
    return raws.map((raw, at) => [raw, sent[at] ?? ""] as const);
  }

  const same = async (events: readonly TurnEvent[]): Promise<void> => {
    for (const [raw, sent] of await both(events)) assert.equal(raw, sent);
  };

  it("is byte for byte what the server was sent: native tools, thinking, a result with half a sign", async () => {
    server.enqueue(
      [...ollama.thinkingWords("I should look."), ollama.toolCall("web_search", { query: "tide \ud83d" })],
      [...ollama.words("High tide 14:10.")],
    );
    const { events } = await ask(
      engineOn({ temperature: 0.3, systemPrompt: 'Quote "this" \u2028 line.' }),
      "When? 🌊",
    );
    await same(events);
  });

  it("is so for the last step, which is sent without tools, and for those that the server refused", async () => {
    server.enqueue(
      [ollama.httpError(400, "registry.ollama.ai/library/scripted:latest does not support tools")],
      [ollama.text('{"thought":"look","tool":"look_up","arguments":{"query":"tide"}}')],
      [ollama.text('{"thought":"easy","answer":"Forty-two."}')],
    );
    const { events } = await ask(engineOn({ think: false, maxSteps: 1 }), "How much?");
    await same(events);
  });

  it("is so for each member of a committee, and for the judge whose answer is held to a form", async () => {
    server.enqueue(
      [...ollama.words("Position: early")],
      [...ollama.words("Position: at dawn")],
      [ollama.text('{"agree":true,"positions":["early"]}')],
      [...ollama.words("Early.")],
    );
    const committee = { personas: ["Ana", "Bo"], rounds: 3, agreement: "model" as const };
    const { events } = await ask(engineOn({ think: false }), "When?", { options: { committee } });
    assert.ok(all(events, "model.start").some(({ data }) => data["conclave.format"] !== undefined));
    await same(events);
  });

  it("goes to the clipboard whole, and says that it is exact", async () => {
    server.enqueue([...ollama.words("Yes.")]);
    const { events } = await ask(engineOn(), "Really?");
    const [start] = all(events, "model.start");
    assert.ok(start !== undefined);
    const { sessionId, turnId, id: eventId } = start;
    await bed.host.receive({ type: "request.copy", sessionId, turnId, eventId });
    assert.equal(bed.copied.at(-1), server.requests.at(-1)?.text);
    const { view } = await look(bed, { sessionId, turnId }, eventId);
    assert.deepEqual([view.raw.exact, view.raw.length], [true, bed.copied.at(-1)?.length]);
  });

  it("holds nothing of where the pieces came from", async () => {
    server.enqueue([...ollama.words("Yes.")]);
    await ask(engineOn(), "Really?");
    assert.doesNotMatch(server.requests.at(-1)?.text ?? "", /parts|project_rules|"source"/);
  });
});
