import type { EventOf } from "../../agent/events.ts";
import { wireBody, wireJson } from "../../agent/models/wire.ts";
import type { Json, JsonObject, ToolSchema } from "../../agent/models/types.ts";

/** A request as it went out. */
export interface RawRequest {
  /** The body: JSON on one line, as it was sent. */
  readonly json: string;
  /** False: the log does not hold all of what was sent beside the messages, as older ones don't. */
  readonly exact: boolean;
}

/** The tools that went with a request in the server's own form; `offered` are those of its agent. */
export function sentTools(
  { data }: EventOf<"model.start">,
  offered: readonly ToolSchema[],
): readonly ToolSchema[] {
  return offered.slice(0, data["conclave.tools_sent"] ?? 0);
}

/** What a request was sent with beside messages, tools and format, where the log holds it. */
export function envelopeOf(
  { data }: EventOf<"model.start">,
  end: EventOf<"model.end"> | undefined,
): JsonObject | undefined {
  return end?.data["conclave.envelope"] ?? data["conclave.envelope"];
}

/** The body of a request as it was sent; `offered` are the tools of its agent, `end` what came of it. */
export function rawRequest(
  event: EventOf<"model.start">,
  offered: readonly ToolSchema[],
  end?: EventOf<"model.end">,
): RawRequest {
  const { data } = event;
  const tools = sentTools(event, offered);
  const format = data["conclave.format"];
  const envelope = envelopeOf(event, end);
  const model = data["gen_ai.request.model"];
  const body = wireBody(
    { messages: data["conclave.messages"], tools, ...(format && { format }) },
    envelope === undefined ? { ...optionsOf(data), model } : { ...envelope, model },
  );
  const missing = (data["conclave.tools_sent"] ?? 0) - tools.length;
  return { json: wireJson(body), exact: envelope !== undefined && missing === 0 };
}

/** What older logs tell of the options. */
function optionsOf(data: EventOf<"model.start">["data"]): { readonly options: Json } {
  const temperature = data["gen_ai.request.temperature"];
  const seed = data["gen_ai.request.seed"];
  return {
    options: {
      num_ctx: data["conclave.context_length"],
      num_predict: data["gen_ai.request.max_tokens"],
      ...(temperature !== undefined && { temperature }),
      ...(seed !== undefined && { seed }),
    },
  };
}
