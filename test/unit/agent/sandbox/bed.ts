import type { Embed } from "../../../../src/agent/budget/relevant-tools.ts";
import type { Engine } from "../../../../src/agent/engine-port.ts";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { success } from "../../../../src/agent/failure.ts";
import type { ChatRequest } from "../../../../src/agent/models/types.ts";
import type { RunningSandbox, SandboxOutcome, SandboxRequest } from "../../../../src/agent/sandbox/types.ts";
import { committeeEngine, persona, type Bed, type Script } from "../committee/bed.ts";
import { answers, playModel, read, type PlayedModel } from "../support.ts";

/** Two personas who have no file of their own beyond a name. */
export const PAIR = [persona("Mira"), persona("Tom")];

/** Who a request is for: the instruction stands last and names its speaker. */
export function speakerOf(request: ChatRequest): string {
  return [...lastText(request).matchAll(/^You are (.*), talking with /gmu)].at(-1)?.[1] ?? "nobody";
}

/** The message that a speaker answers. */
export function lastText({ messages }: ChatRequest): string {
  return messages.findLast(({ role }) => role === "user")?.content ?? "";
}

/** A model in which each persona has its own script, the last line for ever; anybody else gets an empty object. */
export function talkModel(script: Script, name = "tiny"): PlayedModel {
  const count = new Map<string, number>();
  return playModel(
    [
      async function* (request, signal) {
        const speaker = speakerOf(request);
        const at = count.get(speaker) ?? 0;
        count.set(speaker, at + 1);
        const lines = script[speaker] ?? ["{}"];
        const line = lines[Math.min(at, lines.length - 1)] ?? "";
        if (typeof line === "function") yield* line(request, signal);
        else yield* typeof line === "string" ? answers(line) : line;
      },
    ],
    { name },
  );
}

/** An engine in which personas can talk. */
export function talkEngine(bed: Partial<Bed> & Pick<Bed, "models">): Engine {
  return committeeEngine({ personas: PAIR, ...bed });
}

/** Begins a talk that must not be refused. */
export function begin(
  engine: Engine,
  part: Partial<SandboxRequest> = {},
  signal?: AbortSignal,
): RunningSandbox {
  const request: SandboxRequest = {
    personas: [{ name: "Mira" }, { name: "Tom" }],
    opening: "What is worth keeping?",
    door: "test",
    ...part,
  };
  const begun = engine.sandbox?.(request, signal);
  if (begun?.ok !== true) throw new Error(`refused: ${begun?.failure.message ?? "no sandbox"}`);
  return begun.value;
}

/** A whole talk: its events in order, and how it ended. */
export async function talk(
  engine: Engine,
  part: Partial<SandboxRequest> = {},
): Promise<{ readonly events: readonly TurnEvent[]; readonly outcome: SandboxOutcome }> {
  const running = begin(engine, part);
  return { events: await read(running.events), outcome: await running.done };
}

/** Embeds texts by the vectors of a table; any other text is a vector of its own. */
export function embedBy(table: Readonly<Record<string, readonly number[]>>): Embed {
  const others = new Map<string, number>();
  return (texts) =>
    Promise.resolve(
      success(
        texts.map((text) => {
          const known = table[text];
          if (known !== undefined) return known;
          const at = others.get(text) ?? others.size;
          others.set(text, at);
          return Array.from({ length: 40 }, (_, place) => (place === at + 3 ? 1 : 0));
        }),
      ),
    );
}
