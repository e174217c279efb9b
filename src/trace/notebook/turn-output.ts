import { isJsonObject } from "../../agent/json.ts";
import { foldEvent, markInterrupted } from "../fold.ts";
import { emptyTurn, type TurnModel } from "../model.ts";
import { foldPosted, type Cuts, type PostedEvent } from "../posted.ts";

/** The kind of output that our renderer draws. */
export const TURN_MIME = "application/vnd.conclave.turn+json";
/** What the renderer of this version reads; a newer output is shown by its markdown. */
export const TURN_OUTPUT_VERSION = 1;

/** A turn as an output of a cell: its events, light enough to be drawn. Keys stand in this order. */
export interface TurnOutput {
  readonly version: number;
  readonly sessionId: string;
  readonly turnId: string;
  /** Nobody works on it, and its log has no end. */
  readonly interrupted: boolean;
  /** The question it was asked with, where its cell says another one. */
  readonly asked?: string;
  /** Events that there was no room for. */
  readonly omitted: number;
  readonly events: readonly PostedEvent[];
}

/** A turn's output as it is drawn. */
export interface DrawnTurn {
  readonly output: Omit<TurnOutput, "events">;
  readonly turn: TurnModel;
  /** What was cut from it. */
  readonly cuts: Cuts;
  readonly events: readonly PostedEvent["event"][];
}

/**
 * Reads an output, and folds it into the turn that it shows. Any notebook may hold outputs of this kind: what is
 * malformed is passed over. Undefined when it is none, or of another version.
 */
export function readOutput(value: unknown): DrawnTurn | undefined {
  if (!isJsonObject(value) || value["version"] !== TURN_OUTPUT_VERSION) return undefined;
  const { sessionId, turnId, interrupted, asked, omitted, events } = value;
  if (typeof sessionId !== "string" || typeof turnId !== "string" || !Array.isArray(events)) return undefined;
  const posted = events.filter(isPosted);
  const turn = emptyTurn(sessionId, turnId, posted[0]?.event.time ?? 0);
  const cuts: Cuts = new Map();
  for (const one of posted) foldSafely(turn, cuts, one);
  if (interrupted === true) markInterrupted(turn);
  const output = {
    ...{ version: TURN_OUTPUT_VERSION, sessionId, turnId, interrupted: interrupted === true },
    ...(typeof asked === "string" ? { asked } : {}),
    omitted: typeof omitted === "number" ? omitted : 0,
  };
  return { output, turn, cuts, events: posted.map(({ event }) => event) };
}

function isPosted(value: unknown): value is PostedEvent {
  if (!isJsonObject(value) || !isJsonObject(value["event"]) || !Array.isArray(value["cuts"])) return false;
  const { id, type, time, data } = value["event"];
  const named = typeof id === "string" && typeof type === "string";
  return named && typeof time === "number" && isJsonObject(data);
}

/** An event whose data are not what its type says costs itself only. */
function foldSafely(turn: TurnModel, cuts: Cuts, posted: PostedEvent): void {
  try {
    if (posted.cuts.length > 0) foldPosted(turn, cuts, posted);
    else foldEvent(turn, posted.event);
  } catch {
    turn.revision += 1;
  }
}
