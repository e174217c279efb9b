import { z } from "zod";
import { createEngine } from "../../src/agent/engine.ts";
import type { Engine } from "../../src/agent/engine-port.ts";
import { createHostGates, type HostGates } from "../../src/agent/host-gates.ts";
import { systemIdentity } from "../../src/agent/ids.ts";
import { parseHost } from "../../src/agent/models/host.ts";
import { OllamaChatModel } from "../../src/agent/models/ollama.ts";
import type { ChatModel } from "../../src/agent/models/types.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/agent/settings.ts";
import type { Tool } from "../../src/agent/tool.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";
import { TraceLog } from "../../src/trace/log.ts";

/** The product's engine with its log, on a server. */
export interface BenchEngine {
  readonly engine: Engine;
  readonly log: TraceLog;
  readonly model: ChatModel;
  readonly gates: HostGates;
}

const PARAMETERS = z.object({ number: z.number(), note: z.string().optional() });

/** The tool that the loop calls: next to no work, so that all the time is the loop's. */
function addNumber(): Tool<z.infer<typeof PARAMETERS>> {
  let sum = 0;
  return {
    name: "add_number",
    description: "Adds a number to the sum and says what the sum is.",
    parameters: PARAMETERS,
    readOnly: true,
    timeoutMs: 10_000,
    run: ({ number }) => {
      sum += number;
      return Promise.resolve({ ok: true, content: `The sum is ${sum}.`, details: { summary: `sum ${sum}` } });
    },
  };
}

/** Makes an engine as the extension makes it, with a log that is written to a folder. */
export function makeEngine(host: string, folder: string, maxSteps: number): BenchEngine {
  const gates = createHostGates();
  const address = parseHost(host);
  if (!address.ok) throw new Error(address.failure.message);
  const model = new OllamaChatModel({ host: address.value, model: "scripted" });
  const registry = new ToolRegistry();
  registry.register(addNumber());
  const log = new TraceLog({ folder });
  const engine = createEngine({
    settings: () => ({ ...DEFAULT_ENGINE_SETTINGS, model: "scripted", maxSteps }),
    model: () => model,
    tools: () => registry.toolSet(),
    history: log,
    identity: systemIdentity,
    gates,
  });
  engine.onEvent((event) => log.append(event));
  return { engine, log, model, gates };
}
