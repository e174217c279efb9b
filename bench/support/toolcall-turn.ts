import { isDeepStrictEqual } from "node:util";
import { createEngine } from "../../src/agent/engine.ts";
import type { ToolProtocol } from "../../src/agent/events.ts";
import { systemIdentity } from "../../src/agent/ids.ts";
import { parseHost } from "../../src/agent/models/host.ts";
import { OllamaChatModel } from "../../src/agent/models/ollama.ts";
import type { ProtocolAdapter, StepReading } from "../../src/agent/protocol.ts";
import { protocolAdapter } from "../../src/agent/protocols/index.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/agent/settings.ts";
import {
  done,
  pieces,
  startScriptedOllama,
  text,
  type ChatRequestView,
} from "../../test/support/ollama/index.ts";
import { toolsOf, type ToolCallCase } from "./toolcall-cases.ts";

/** What a turn made of a text. */
export interface Outcome {
  /** Names and arguments are those that are expected. */
  readonly asExpected: boolean;
  /** A tool was run that was not called. */
  readonly falseCall: boolean;
  /** What came out, for people. */
  readonly shown: string;
}

/** A whole turn, in a protocol, with a model that says the text and then is done. */
export async function turnOf(
  one: ToolCallCase,
  all: readonly ToolCallCase[],
  protocol: ToolProtocol,
): Promise<Outcome> {
  const isFirst = ({ body }: ChatRequestView): boolean =>
    body.messages.every(({ role }) => role === "system" || role === "user");
  const server = await startScriptedOllama({
    script: (view) => [...pieces(isFirst(view) ? one.raw : "I am done.").map(text), done()],
  });
  try {
    const host = parseHost(server.host);
    if (!host.ok) throw new Error(host.failure.message);
    const model = new OllamaChatModel({ host: host.value, model: "scripted" });
    const ran: string[] = [];
    const readings: StepReading[] = [];
    const tools = toolsOf(one, all, (name) => ran.push(name));
    const engine = createEngine({
      settings: () => {
        return { ...DEFAULT_ENGINE_SETTINGS, model: "scripted", think: false, toolProtocol: protocol };
      },
      model: () => model,
      tools: () => tools,
      identity: systemIdentity,
      adapter: (name) => noting(protocolAdapter(name), readings),
    });
    const turn = await engine.ask({ question: "What is next?", door: "test" });
    if (!turn.ok) throw new Error(turn.failure.message);
    await turn.value.done;
    await engine.dispose();
    const [first] = readings;
    if (first === undefined) throw new Error(`${one.id}: the model was not asked`);
    return outcomeOf(one, first, ran);
  } finally {
    await server.close();
  }
}

/** A protocol that notes how each step was read. */
export function noting(adapter: ProtocolAdapter, readings: StepReading[]): ProtocolAdapter {
  return {
    ...adapter,
    reader: (...given) => {
      const reader = adapter.reader(...given);
      return {
        thinking: (piece) => reader.thinking(piece),
        content: (piece) => reader.content(piece),
        calls: (calls) => reader.calls(calls),
        ...(reader.retract && { retract: () => reader.retract?.() ?? [] }),
        finish: (reason) => {
          const end = reader.finish(reason);
          readings.push(end.reading);
          return end;
        },
      };
    },
  };
}

function outcomeOf({ expect }: ToolCallCase, reading: StepReading, ran: readonly string[]): Outcome {
  const wanted = expect ?? [];
  const calls = reading.calls.map(({ name, arguments: given }) => ({ name, arguments: given }));
  // Arguments without a tool's name are never run: the model is told what is wrong.
  const isUnnamed = wanted.some(({ name }) => name === null);
  const asExpected = isUnnamed
    ? calls.length === 0 && reading.broken !== undefined
    : isDeepStrictEqual(plain(calls), plain(wanted));
  const falseCall = ran.some((name) => !wanted.some((call) => call.name === name));
  return { asExpected, falseCall, shown: JSON.stringify(reading.broken ?? calls) };
}

/** A value without what JSON does not tell, such as a missing prototype. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
