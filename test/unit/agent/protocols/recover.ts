import type { JsonObject } from "../../../../src/agent/models/types.ts";
import { catalogueOf } from "../../../../src/agent/protocols/recovery/catalogue.ts";
import { Holder } from "../../../../src/agent/protocols/recovery/holder.ts";
import type { RawCall } from "../../../../src/agent/protocols/recovery/shapes.ts";
import { unnamedArguments } from "../../../../src/agent/protocols/recovery/whole.ts";
import type { ToolSet } from "../../../../src/agent/tool.ts";

/** What a whole message came to. */
export interface Recovered {
  /** Calls in the order they were written. */
  readonly calls: readonly RawCall[];
  /** The message without its calls. */
  readonly rest: string;
  /** Arguments without a tool's name: the message is nothing else. Never to be run. */
  readonly unnamed?: JsonObject;
  /** A call was begun and never ended. Never to be run. */
  readonly isCut: boolean;
}

/** How a message ended. */
export interface RecoverOptions {
  /** The message was cut off by a limit or a failure: nothing in it is a call. */
  readonly cut?: boolean;
}

/** Finds the calls that a model wrote as text in a whole message. */
export function recoverCalls(raw: string, tools: ToolSet, options: RecoverOptions = {}): Recovered {
  const catalogue = catalogueOf(tools);
  const holder = new Holder(catalogue);
  const first = holder.push(raw);
  const end = holder.finish(options.cut === true ? "cut" : "whole");
  const unnamed =
    end.calls.length === 0 && !end.isCut && options.cut !== true
      ? unnamedArguments(raw, catalogue)
      : undefined;
  return {
    calls: end.calls,
    rest: first + end.shown,
    isCut: end.isCut,
    ...(unnamed === undefined ? {} : { unnamed }),
  };
}
