import assert from "node:assert/strict";
import root from "@opentelemetry/otlp-transformer/build/src/generated/root.js";
import { isJsonList, isJsonObject } from "../../../../src/agent/json.ts";
import type { Json } from "../../../../src/agent/models/types.ts";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { otlpJson } from "../../../../src/trace/export/otlp/build.ts";
import { cacheTurn } from "../support/cache-turn.ts";
import { committeeTurn } from "../support/committee-turn.ts";
import { SteadyIdentity } from "../support/steady-identity.ts";
import { councilTurn, judgedTurn, sayingEverywhere } from "./support/turns.ts";

/** What OpenTelemetry's own code makes of the protocol's definition of a message. */
interface MessageType {
  verify(message: object): string | null;
  fromObject(object: object): object;
  toObject(message: object, options: object): unknown;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
}

const { ExportTraceServiceRequest: REQUEST } = (
  root as unknown as {
    opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: MessageType } } } } };
  }
).opentelemetry.proto.collector.trace.v1;

const IDS: ReadonlySet<string> = new Set(["traceId", "spanId", "parentSpanId"]);

/**
 * OTLP's JSON form differs from that of all other protocols in one thing: ids are hex, not base64. Empty lists are left
 * out, since on the wire they are nothing.
 */
function asProtocol(value: Json): Json {
  if (isJsonList(value)) return value.map(asProtocol);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, part]) => !isJsonList(part) || part.length > 0);
  return Object.fromEntries(
    entries.map(([key, part]) => [
      key,
      IDS.has(key) && typeof part === "string"
        ? Buffer.from(part, "hex").toString("base64")
        : asProtocol(part),
    ]),
  );
}

/** All kinds of turns that the exports are tested with. */
function turns(): Readonly<Record<string, readonly TurnEvent[]>> {
  const gather = (tell: (sink: (event: TurnEvent) => void) => unknown): readonly TurnEvent[] => {
    const events: TurnEvent[] = [];
    tell((event) => events.push(event));
    return events;
  };
  const identity = new SteadyIdentity(Date.UTC(2026, 2, 20));
  return {
    "of one agent with tools and memory": gather((sink) => cacheTurn(sink, { identity })),
    "of a committee": gather((sink) => committeeTurn(sink, { identity })),
    "of a council": councilTurn(),
    "that was judged": judgedTurn(),
    "that says every kind of event": sayingEverywhere("a text"),
  };
}

describe("OTLP JSON, by OpenTelemetry's own definition of the protocol", () => {
  for (const [what, events] of Object.entries(turns()))
    it(`is sound for a turn ${what}: every field is one of the protocol's and keeps its value`, () => {
      const told = asProtocol(JSON.parse(otlpJson(events)) as Json);
      assert.ok(isJsonObject(told));
      const message = REQUEST.fromObject(told);
      assert.equal(REQUEST.verify(message), null);
      const read = REQUEST.decode(REQUEST.encode(message).finish());
      const back = REQUEST.toObject(read, { longs: String, bytes: String, enums: Number }) as Json;
      // What the protocol does not know is not in it any more, and what it understands otherwise has changed.
      assert.deepEqual(JSON.parse(JSON.stringify(back)), told);
    });
});
