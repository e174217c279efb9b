import type { ProtocolAdapter, ShownText, StepReader } from "../protocol.ts";
import { PlainReader } from "../protocols/plain-reader.ts";
import type { OutputState } from "./output-types.ts";

/**
 * A protocol for an agent whose answer is an object. While it may use tools it works as ever; then it is given none,
 * and its output is constrained. What it writes on the way is shown as thinking: the answer is only the whole object.
 */
export function outputProtocol(base: ProtocolAdapter, output: OutputState): ProtocolAdapter {
  return {
    name: base.name,
    prepare: (messages, tools, lastStep, form) => {
      if (!isFinal(output, base.name)) return base.prepare(messages, tools, lastStep, form);
      // What it was told of tools stays where it was, so that the server's cached prompt holds.
      const sent = base.prepare(messages, tools, false);
      return {
        messages: sent.messages,
        ...(output.spec.atOnce && sent.tools && { tools: sent.tools }),
        ...(output.format && { format: output.format }),
      };
    },
    reader: (tools, callId, lastStep) =>
      quiet(isFinal(output, base.name) ? new PlainReader() : base.reader(tools, callId, lastStep)),
    results: (results) => base.results(results),
    correction: (broken) => base.correction(broken),
  };
}

/** Whether only the object is still to come. */
export function isFinal(output: OutputState, protocol: ProtocolAdapter["name"]): boolean {
  return output.final || protocol === "none";
}

function quiet(reader: StepReader): StepReader {
  return {
    get runaway() {
      return reader.runaway;
    },
    thinking: (text) => reader.thinking(text),
    content: (text) => reader.content(text).map(asThinking),
    calls: (calls) => reader.calls(calls).map(asThinking),
    ...(reader.retract && { retract: () => reader.retract?.() ?? [] }),
    finish: (reason) => {
      const { shown, reading } = reader.finish(reason);
      return { shown: shown.map(asThinking), reading };
    },
  };
}

function asThinking({ text }: ShownText): ShownText {
  return { channel: "thinking", text };
}
