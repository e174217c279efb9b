import { z } from "zod";
import { DREAMING } from "../../../../src/agent/agents/built-in/dreaming.ts";
import type { DreamDeps, DreamState } from "../../../../src/agent/dreaming/dream.ts";
import type { DreamTurn } from "../../../../src/agent/dreaming/material.ts";
import type { Engine } from "../../../../src/agent/engine-port.ts";
import { failure, success } from "../../../../src/agent/failure.ts";
import { catalog } from "../agents.ts";
import { emptyMemory } from "../memory.ts";
import {
  answers,
  engineOver,
  gives,
  makeTool,
  playModel,
  toolSet,
  type PlayedModel,
  type Reply,
} from "../support.ts";

/** In milliseconds. */
export const HOUR = 60 * 60_000;
/** A signal that never fires. */
export const never = new AbortController().signal;

/** An answered turn that ended at a time. */
export function turn(at: number, question: string, sessionId = "one"): DreamTurn {
  return { sessionId, turnId: `turn-${at}`, time: at, question, answer: `About ${question}` };
}

/** How far was dreamt, kept in `kept`. */
export function stateOf(
  first?: number,
): DreamState & { readonly kept: { until?: number; endedAt?: number } } {
  const kept: { until?: number; endedAt?: number } = first === undefined ? {} : { until: first };
  return {
    kept,
    until: () => kept.until,
    setUntil: (time) => Promise.resolve(void (kept.until = time)),
    endedAt: () => kept.endedAt,
    setEndedAt: (time) => Promise.resolve(void (kept.endedAt = time)),
  };
}

/** What the model finds worth keeping, and its whole reply. */
export const MOMENT = { title: "Sails", text: "They chose sails." };
export const MOMENTS = answers(JSON.stringify({ moments: [MOMENT] }));

/** An engine that knows Dreaming; `saved` holds what the chained tool was called with. */
export function bed(replies: readonly Reply[] = [MOMENTS], failing = false) {
  const saved: unknown[] = [];
  const memory: unknown[] = [];
  const save = makeTool<{ moments: unknown[] }>({
    name: "save_moments",
    readOnly: false,
    parameters: z.object({ moments: z.array(z.object({ title: z.string(), text: z.string() })) }),
    run: ({ moments }) => {
      saved.push(...moments);
      return Promise.resolve(
        failing
          ? { ok: false as const, failure: failure("tool_failed", "The disk is full."), retryable: false }
          : gives("Saved."),
      );
    },
  });
  const model = playModel(replies);
  const engine = engineOver(model, {
    agents: () => catalog(DREAMING),
    tools: toolSet(save),
    memory: emptyMemory({
      add: (episodes) => {
        memory.push(...episodes);
        return Promise.resolve(success({ added: episodes.length }));
      },
    }),
  });
  return { saved, memory, model, engine };
}

/** What a dream over some turns works with; `asked` holds from when on turns were asked for. */
export function deps(
  engine: Engine,
  turns: readonly DreamTurn[],
  part: Partial<DreamDeps> = {},
): DreamDeps & { readonly asked: number[] } {
  const asked: number[] = [];
  return {
    engine,
    asked,
    recent: (after) => {
      asked.push(after);
      return Promise.resolve(success(turns.filter(({ time }) => time > after)));
    },
    state: stateOf(),
    contextLength: () => 8_192,
    now: () => 30 * 24 * HOUR,
    ...part,
  };
}

/** What the model was given to dream of. */
export function given({ requests }: PlayedModel, at = 0): string {
  return requests[at]?.messages.findLast(({ role }) => role === "user")?.content ?? "";
}
