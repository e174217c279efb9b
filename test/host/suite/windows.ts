/** What the tests of two windows share. */
import assert from "node:assert/strict";
import type { Episode } from "../../../src/agent/memory/port.ts";
import type { Services } from "../../../src/vscode/services.ts";
import type { ChatBody } from "../../support/ollama/types.ts";
import { askCommand } from "./world.ts";

/** What is asked in the one window and found in the other. */
export const SHARED = "When is the quay-lamp lit?";
/** What is told in the one window and forgotten in the other. */
export const SECRET = "cinnabar-sentinel";
/** Questions that each window asks while the other one does too. */
export const TURNS_EACH = 12;

const MOST_ROWS = 200;

/** What the scripted model says to the last message. */
export function answersOf(body: ChatBody): string {
  const asked = body.messages.at(-1)?.content ?? "";
  if (asked.includes(SHARED)) return "The quay-lamp is lit at dusk.";
  if (asked.includes("berth")) return "Berth nine it is.";
  return `I heard ${asked.length} characters.`;
}

/** All turns that memory holds. */
export async function episodesOf({ memory }: Services): Promise<readonly Episode[]> {
  const query = { table: "episodes", offset: 0, limit: MOST_ROWS } as const;
  const page = await memory.list(query, AbortSignal.timeout(60_000));
  assert.ok(page.ok, JSON.stringify(page));
  assert.equal(page.value.rows.length, page.value.total);
  return page.value.rows;
}

/** Asks one question after the other, each in a session of its own, and waits until all are remembered. */
export async function askBurst(services: Services, name: string): Promise<void> {
  let left = TURNS_EACH;
  const all = new Promise<void>((resolve, reject) => {
    const stop = services.engine.onEvent((event) => {
      if (event.type !== "memory.ingested") return;
      if (event.data.error !== undefined) reject(new Error(event.data.error.message));
      left -= 1;
      if (left > 0) return;
      stop();
      resolve();
    });
  });
  for (let at = 0; at < TURNS_EACH; at += 1) {
    const { outcome, error } = await askCommand(`Question ${at} of window ${name}?`);
    assert.equal(outcome, "answered", error?.message);
  }
  await all;
}

/** The memory process of this window. */
export async function memoryPid({ memory }: Services): Promise<number> {
  const { pid, message } = await memory.status(AbortSignal.timeout(60_000));
  assert.ok(pid, message);
  return pid;
}
