import type { EventOf, TurnEventType } from "../../../agent/events.ts";
import type { TraceDraft } from "./draft.ts";

/** Puts one event into the spans of its turn. */
export type Project<Type extends TurnEventType> = (trace: TraceDraft, event: EventOf<Type>) => void;

/** By type. */
export type Projections = { readonly [Type in TurnEventType]?: Project<Type> };
