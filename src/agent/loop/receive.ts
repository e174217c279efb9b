import { CANCELLED, describeError, failure, type Failure } from "../failure.ts";
import type {
  ChatChunk,
  ChatRequest,
  FinishReason,
  JsonObject,
  ModelUsage,
  PlacedLogprob,
} from "../models/types.ts";
import type { Runaway, ShownText, StepReader } from "../protocol.ts";
import { RunawayWatch } from "../protocols/runaway.ts";
import type { Run } from "./types.ts";

/** Text (UTF-16 units) that is taken of one call: far more than any limit of tokens allows, for servers that heed none. */
const MAX_OUTPUT = 2 * 1024 * 1024;

/** How the stream of a model's reply ended; its texts have gone to the reader. */
export interface Received {
  finish: FinishReason | "broken";
  model: string;
  usage: ModelUsage;
  failure: Failure | undefined;
  envelope: JsonObject | undefined;
  /** We ended it: it would have come to nothing more. */
  runaway: Runaway | undefined;
  /** Where the request wants them and the server tells them. */
  readonly logprobs: PlacedLogprob[];
}

/** Reads the stream of one reply: its texts go to the reader, and from there to `show`. Never throws. */
export async function receive(
  run: Run,
  request: ChatRequest,
  reader: StepReader,
  show: (shown: readonly ShownText[]) => void,
  takeBack: () => void,
): Promise<Received> {
  const { signal } = run.deps;
  const received: Received = {
    ...{ finish: "broken", model: "", usage: {} },
    ...{ failure: undefined, envelope: undefined, runaway: undefined, logprobs: [] },
  };
  const watch = new RunawayWatch();
  let ended = false;
  let size = 0;
  try {
    for await (const chunk of run.input.model.chat(request, signal)) {
      size += sizeOf(chunk);
      if (size > MAX_OUTPUT) {
        ended = true;
        received.finish = "length";
      } else if (chunk.type === "content" || chunk.type === "thinking") {
        show(reader[chunk.type](chunk.text));
        received.runaway = reader.runaway ?? watch.text(chunk.text);
      } else if (chunk.type === "tool_calls") {
        show(reader.calls(chunk.calls));
        received.runaway = watch.calls(chunk.calls);
      } else if (chunk.type === "logprobs") received.logprobs.push(...chunk.places);
      else if (chunk.type === "retract") takeBack();
      else {
        ended = true;
        finish(received, chunk);
      }
      if (received.runaway !== undefined) {
        ended = true;
        // Text that repeats itself was cut in its middle; calls were whole.
        received.finish = received.runaway === "repeats" ? "length" : "stop";
      }
      if (ended) break;
    }
  } catch (error) {
    received.failure = failure("internal", "The model's client broke down.", { cause: describeError(error) });
    ended = true;
  }
  if (!ended) received.failure = failure("stream_broken", "The model's answer broke off before its end.");
  if (signal.aborted && received.failure !== undefined) received.failure = CANCELLED;
  return received;
}

function sizeOf(chunk: ChatChunk): number {
  if (chunk.type === "tool_calls") return JSON.stringify(chunk.calls).length;
  return "text" in chunk ? chunk.text.length : 0;
}

function finish(received: Received, chunk: Extract<ChatChunk, { type: "end" | "failure" }>): void {
  received.usage = chunk.usage;
  received.envelope = chunk.envelope;
  if (chunk.type === "failure") {
    received.failure = chunk.failure;
  } else {
    received.finish = chunk.finishReason;
    received.model = chunk.model;
  }
}
