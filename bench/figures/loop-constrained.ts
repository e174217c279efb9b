import { z } from "zod";
import { checkCall } from "../../src/agent/calls/arguments.ts";
import { createEngine } from "../../src/agent/engine.ts";
import { systemIdentity } from "../../src/agent/ids.ts";
import { parseHost } from "../../src/agent/models/host.ts";
import { OllamaChatModel } from "../../src/agent/models/ollama.ts";
import type { StepReading } from "../../src/agent/protocol.ts";
import { protocolAdapter } from "../../src/agent/protocols/index.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/agent/settings.ts";
import type { Tool, ToolSet } from "../../src/agent/tool.ts";
import { argumentsSchema } from "../../src/tools/json-schema.ts";
import type { Figure, Measured } from "../frame.ts";
import { startRealServer } from "../support/real-server.ts";
import { noting } from "../support/toolcall-turn.ts";

/** Questions that want a tool, one turn each. */
const QUESTIONS = [
  "What is the weather in Oslo?",
  "Search the web for the newest release of Ollama.",
  "What is the weather in Bergen, in fahrenheit?",
  "Look up on the web how tides work.",
];
const LIMITS = { contextLength: 2_048, maxOutputTokens: 96, maxSteps: 1 };

const TOOLS: readonly Tool[] = [
  tool("get_weather", "Tells the weather in a city.", {
    city: z.string().max(30),
    units: z.enum(["celsius", "fahrenheit"]).optional(),
  }),
  tool("web_search", "Searches the web.", { query: z.string().max(60) }),
];

function tool(name: string, description: string, parameters: z.ZodRawShape): Tool {
  return {
    ...{ name, description, parameters: z.strictObject(parameters), readOnly: true, timeoutMs: 1_000 },
    run: () => Promise.resolve({ ok: true, content: "Nothing was found.", details: { summary: "nothing" } }),
  };
}

const OFFERED: ToolSet = {
  schemas: TOOLS.map((each) => {
    return { name: each.name, description: each.description, parameters: argumentsSchema(each) };
  }),
  find: (name) => TOOLS.find((each) => each.name === name),
};

/** How the steps of all turns were read that were not cut at the limit of output. */
async function stepsOn(host: string, name: string): Promise<readonly StepReading[]> {
  const address = parseHost(host);
  if (!address.ok) throw new Error(address.failure.message);
  const model = new OllamaChatModel({ host: address.value, model: name });
  const readings: StepReading[] = [];
  const engine = createEngine({
    settings: () => {
      return {
        ...DEFAULT_ENGINE_SETTINGS,
        ...LIMITS,
        model: name,
        think: false,
        toolProtocol: "constrained",
      };
    },
    model: () => model,
    tools: () => OFFERED,
    identity: systemIdentity,
    adapter: (protocol) => noting(protocolAdapter(protocol), readings),
  });
  for (const [seed, question] of QUESTIONS.entries()) {
    const turn = await engine.ask({ question, door: "test", options: { seed, temperature: 0.7 } });
    if (!turn.ok) throw new Error(turn.failure.message);
    await turn.value.done;
  }
  await engine.dispose();
  return readings;
}

async function measure(): Promise<Measured> {
  const { host, full, plain, close } = await startRealServer();
  try {
    const readings = [...(await stepsOn(host, full)), ...(await stepsOn(host, plain))];
    const calls = readings.flatMap((reading) => reading.calls);
    const good = calls.filter((call) => checkCall(call, OFFERED).ok).length;
    const broken = readings.filter((reading) => reading.broken !== undefined).length;
    const value = (100 * good) / Math.max(1, calls.length + broken);
    return {
      value,
      reference: { name: "steps that could not be read", value: broken, unit: "" },
      rounds: readings.length,
      spread: [value, value],
      note: `${readings.length} steps of two models, ${calls.length} of them calls, ${good} of these valid`,
    };
  } finally {
    await close();
  }
}

/** Whether calls of a small model parse whose output is constrained. */
export const loopConstrained: Figure = {
  name: "loop.recovery.constrained",
  unit: "%",
  goal: 100,
  atLeast: true,
  about: "calls of a real small model that are valid as they come, its output constrained",
  measure,
};
