import type { ReadCall } from "../protocol.ts";
import { identified } from "./calls.ts";
import { CORRECTIONS } from "./corrections.ts";
import type { Catalogue } from "./recovery/catalogue.ts";
import { Holder, NOTHING_HELD, type Ending, type HeldEnd } from "./recovery/holder.ts";

/** What a step does besides what it says: its calls, or what is wrong with it. */
export interface StepDeeds {
  readonly calls: readonly ReadCall[];
  readonly recoveredFrom?: "text" | "thinking";
  readonly broken?: string;
}

/**
 * The thinking of a step as it arrives. What may be a call is held back, until it is known that the step says something
 * else: a call in thinking counts only when it is all that the model came to.
 */
export class HeldThinking {
  readonly #catalogue: Catalogue;
  #holder: Holder | undefined;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#holder = new Holder(catalogue);
  }

  /** Takes the next piece and gives what may be shown. */
  push(text: string): string {
    return this.#holder === undefined ? text : this.#holder.push(text);
  }

  /** Nothing in it so far is a call, nor in what follows: gives what was held back. */
  release(): string {
    return this.finish("text").shown;
  }

  /** Looks for calls again, in what comes from now on. */
  reopen(): void {
    this.#holder ??= new Holder(this.#catalogue);
  }

  /** Ends the thinking. Nothing is left to give once it was released. */
  finish(ending: Ending): HeldEnd {
    const end = this.#holder?.finish(ending) ?? NOTHING_HELD;
    this.#holder = undefined;
    return end;
  }
}

/** What thinking that ended so does; `undefined` when there is no call in it. */
export function deedsOf(end: HeldEnd, callId: () => string, lastStep: boolean): StepDeeds | undefined {
  if (end.isCut) return { calls: [], broken: lastStep ? CORRECTIONS.lastStep : CORRECTIONS.cut };
  if (end.calls.length === 0) return undefined;
  return { calls: identified(end.calls, callId), recoveredFrom: "thinking" };
}
