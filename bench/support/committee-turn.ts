import { BUILT_IN_AGENTS } from "../../src/agent/agents/built-in/index.ts";
import { ENGINEERING_TEAM, SELF, type CommitteeSettings } from "../../src/agent/committee/settings.ts";
import { createEngine } from "../../src/agent/engine.ts";
import type { Engine } from "../../src/agent/engine-port.ts";
import type { TurnEvent } from "../../src/agent/events.ts";
import { systemIdentity } from "../../src/agent/ids.ts";
import { parseHost } from "../../src/agent/models/host.ts";
import { OllamaChatModel } from "../../src/agent/models/ollama.ts";
import type { ChatMessage } from "../../src/agent/models/types.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/agent/settings.ts";
import type { ToolSet } from "../../src/agent/tool.ts";
import { randomFrom } from "./memory-data.ts";
import { plainText } from "./plain-words.ts";
import { countTokens } from "./prompts.ts";

/** Four personas and a synthesizer, two rounds; all else as the product has it. */
export const COMMITTEE: Partial<CommitteeSettings> = {
  personas: ENGINEERING_TEAM,
  synthesizer: SELF,
  rounds: 2,
};

/** What the committee is asked. */
export const QUESTION = "Shall we keep the cache as it is, or replace it?";

/** A conversation of about so many tokens, as turns of a question and an answer. */
export function conversation(tokens: number): readonly ChatMessage[] {
  const random = randomFrom(3);
  const messages: ChatMessage[] = [];
  for (let held = 0; held < tokens;) {
    const turn: readonly ChatMessage[] = [
      { role: "user", content: `${plainText(random, 12)}?` },
      { role: "assistant", content: `${plainText(random, 60)}.` },
    ];
    messages.push(...turn);
    held += turn.reduce((sum, { content }) => sum + countTokens(content), 0);
  }
  return messages;
}

/** Makes an engine with the product's own agents on a server. */
export function committeeEngine(
  host: string,
  model: string,
  tools: ToolSet,
  onEvent: (event: TurnEvent) => void = () => undefined,
): Engine {
  const address = parseHost(host);
  if (!address.ok) throw new Error(address.failure.message);
  const served = new OllamaChatModel({ host: address.value, model });
  const engine = createEngine({
    settings: () => ({ ...DEFAULT_ENGINE_SETTINGS, model, think: false }),
    agents: () => ({ agents: BUILT_IN_AGENTS, rules: "", problems: [] }),
    model: () => served,
    tools: () => tools,
    identity: systemIdentity,
  });
  engine.onEvent(onEvent);
  return engine;
}

/** Convenes the committee and waits for its end; throws when it gives no answer. */
export async function convene(engine: Engine, history: readonly ChatMessage[]): Promise<void> {
  const turn = await engine.ask({
    question: QUESTION,
    door: "test",
    history,
    options: { committee: COMMITTEE },
  });
  if (!turn.ok) throw new Error(turn.failure.message);
  const { outcome, error } = await turn.value.done;
  if (outcome !== "answered") throw new Error(error?.message ?? outcome);
}
