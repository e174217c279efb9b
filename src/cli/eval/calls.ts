import type { EventOf, TurnEvent } from "../../agent/events.ts";
import { isJsonObject } from "../../agent/json.ts";
import type { Json } from "../../agent/models/types.ts";
import { find, type Pattern } from "./case/pattern.ts";
import type { Expect, ExpectedCall } from "./case/schema.ts";
import { eventsOf } from "./measure.ts";

/** A tool's call as it was made. */
export interface MadeCall {
  readonly name: string;
  readonly arguments: Json;
  readonly result: string;
  readonly error?: EventOf<"tool.result">["data"]["error"];
}

/** How the calls that were made go with those that were expected. */
export interface CallMatch {
  readonly expected: number;
  readonly made: number;
  /** None of those expected where no others may be, or without a tool or arguments that fit. */
  readonly wrong: readonly MadeCall[];
  readonly missing: readonly ExpectedCall[];
}

/** The calls of a turn in their order, with what came of them. */
export function callsOf(events: readonly TurnEvent[]): readonly MadeCall[] {
  const results = new Map(eventsOf(events, "tool.result").map((event) => [event.id, event.data]));
  return eventsOf(events, "tool.request").map(({ id, data }) => {
    const result = results.get(id);
    return {
      name: data.name,
      arguments: data.arguments,
      result: result?.result ?? "",
      ...(result?.error && { error: result.error }),
    };
  });
}

/** Puts made calls beside expected ones: in the order given, others between, or in any. Each is taken once. */
export function matchCalls(made: readonly MadeCall[], expected: Expect["tools"]): CallMatch {
  const calls = expected?.calls ?? [];
  const taken = new Set<MadeCall>();
  const missing: ExpectedCall[] = [];
  let from = 0;
  for (const wanted of calls) {
    const rest = expected?.order === "any" ? made : made.slice(from);
    const found = rest.find((call) => !taken.has(call) && fits(call, wanted));
    if (found === undefined) missing.push(wanted);
    else {
      taken.add(found);
      from = made.indexOf(found) + 1;
    }
  }
  const mayBeOthers = expected === undefined || expected.others;
  const wrong = made.filter((call) => !taken.has(call) && (!mayBeOthers || isInvalid(call)));
  return { expected: calls.length, made: made.length, wrong, missing };
}

/** A call in words. */
export function describeCall({ name, arguments: given }: Pick<MadeCall, "name" | "arguments">): string {
  const json = JSON.stringify(given);
  return `${name} ${json.length > 200 ? `${json.slice(0, 197)}...` : json}`;
}

/** An expected call in words. */
export function describeExpected({ tool, arguments: given, result }: ExpectedCall): string {
  const parts = Object.entries(given ?? {}).map(([name, pattern]) => `${name}: ${pattern.source}`);
  const gives = (result ?? []).map(({ source }) => `giving ${source}`);
  return [tool, ...parts, ...gives].join(", ");
}

function fits(call: MadeCall, { tool, arguments: wanted = {}, result = [], fails }: ExpectedCall): boolean {
  if (call.name !== tool) return false;
  if (fails !== undefined && fails !== (call.error !== undefined)) return false;
  const given = isJsonObject(call.arguments) ? call.arguments : {};
  const all = Object.entries(wanted).every(([name, pattern]) => holds(pattern, textOf(given[name])));
  return all && result.every((pattern) => holds(pattern, call.result));
}

function holds(pattern: Pattern, text: string): boolean {
  return find(pattern, text) === true;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
}

function isInvalid({ error }: MadeCall): boolean {
  return (
    error?.code === "tool_unknown" ||
    error?.code === "tool_arguments" ||
    error?.code === "tool_call_unparsable"
  );
}
