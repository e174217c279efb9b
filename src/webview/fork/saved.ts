import type { ForkPart } from "../../agent/events-fork.ts";
import type { Editing } from "./state.ts";
import { PART_WORDS, type Place, type Target } from "./targets.ts";

/** The longest text that outlives the page, in UTF-16 units: the editor keeps it on the disk. */
export const MAX_SAVED = 20_000;
const MAX_TARGETS = 8;

/** A change on its way, as it outlives the page. */
export interface SavedEdit extends Pick<
  Editing,
  "turn" | "place" | "target" | "model" | "temperature" | "think" | "who"
> {
  readonly typed: string;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isPart(value: unknown): value is ForkPart {
  return typeof value === "string" && Object.hasOwn(PART_WORDS, value);
}

function readTarget(value: unknown): Target | undefined {
  if (!isRecord(value)) return undefined;
  const { part, label, eventId } = value;
  if (!isPart(part) || typeof label !== "string") return undefined;
  return { part, label, ...(typeof eventId === "string" && { eventId }) };
}

function readPlace(value: unknown): Place | undefined {
  if (!isRecord(value)) return undefined;
  const { id, name, eventId, targets } = value;
  if (typeof id !== "string" || typeof name !== "string" || !Array.isArray(targets)) return undefined;
  const known = targets.slice(0, MAX_TARGETS).flatMap((target) => readTarget(target) ?? []);
  return { id, name, targets: known, ...(typeof eventId === "string" && { eventId }) };
}

/** Reads a change that an earlier page saved; null for anything else. */
export function readEdit(value: unknown): SavedEdit | null {
  if (!isRecord(value) || !isRecord(value["turn"])) return null;
  const { sessionId, turnId } = value["turn"];
  const { model, temperature, think, who, typed } = value;
  const place = readPlace(value["place"]);
  const target = readTarget(value["target"]);
  if (typeof sessionId !== "string" || typeof turnId !== "string" || place === undefined) return null;
  if (typeof typed !== "string" || typed.length > MAX_SAVED) return null;
  return {
    turn: { sessionId, turnId },
    place,
    ...(target && { target }),
    model: typeof model === "string" ? model : "",
    temperature: typeof temperature === "string" ? temperature : "",
    think: think === "on" || think === "off" ? think : "",
    who: who === "agent" || who === "committee" ? who : "",
    typed,
  };
}
