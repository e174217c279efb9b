import type { TurnName } from "./compare/state.ts";
import { readEdit, type SavedEdit } from "./fork/saved.ts";
import { readMemory, type SavedMemory } from "./memory/saved.ts";
import { readTyped } from "./typed.ts";
import { readViews, type SavedViews } from "./views/saved.ts";

const VERSION = 1;
const MAX_FOLDS = 300;
const MAX_DRAFT = 20_000;
/** UTF-16 units of what is searched for, and of the name of a report. */
const MAX_NAME = 400;

/**
 * What fills the middle: the turn, its conversation, memory, tools, the critic, an evaluation, or two turns compared; on narrow panels
 * also the columns that have no room beside it.
 */
export type Pane =
  "turn" | "conversation" | "memory" | "tools" | "critic" | "eval" | "compare" | "facts" | "turns";

/** A place in a turn that holds when heights change. */
export interface Anchor {
  readonly cell: string;
  readonly offset: number;
}

/** What outlives the page: small, and enough to be where one was. */
export interface SavedState {
  readonly selected: { readonly sessionId: string; readonly turnId: string } | null;
  readonly sessionId: string | null;
  readonly pane: Pane;
  readonly showFacts: boolean;
  /** Cells that the user opened (true) or closed (false) by hand, newest last. */
  readonly folds: readonly (readonly [string, boolean])[];
  /** All cells of the turn were unfolded (true) or folded (false) at once; null: neither. */
  readonly unfolded: boolean | null;
  /** The cell at the top of what is in sight, and how much of it is out of sight, in pixels. */
  readonly anchor: Anchor | null;
  readonly follow: boolean;
  readonly draft: string;
  /** What is being typed in small forms. */
  readonly typed: readonly (readonly [string, string])[];
  /** What the list of turns is searched for. */
  readonly search: string;
  /** The report of an evaluation that is shown; null: none is. */
  readonly report: string | null;
  /** The two turns that are compared. */
  readonly compared: readonly [TurnName, TurnName] | null;
  readonly memory: SavedMemory;
  /** What is being changed before a turn runs on. */
  readonly edit: SavedEdit | null;
  readonly views: SavedViews;
}

const NOTHING: SavedState = {
  selected: null,
  sessionId: null,
  pane: "turn",
  showFacts: true,
  folds: [],
  unfolded: null,
  anchor: null,
  follow: true,
  draft: "",
  typed: [],
  search: "",
  report: null,
  compared: null,
  memory: readMemory(undefined),
  edit: null,
  views: readViews(undefined),
};

const PANES: readonly unknown[] = [
  "turn",
  "conversation",
  "memory",
  "tools",
  "critic",
  "eval",
  "compare",
  "facts",
  "turns",
];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isFold(value: unknown): value is [string, boolean] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "boolean";
}

function readSelected(value: unknown): SavedState["selected"] {
  if (!isRecord(value)) return null;
  const { sessionId, turnId } = value;
  return typeof sessionId === "string" && typeof turnId === "string" ? { sessionId, turnId } : null;
}

function readCompared(value: unknown): SavedState["compared"] {
  if (!Array.isArray(value)) return null;
  const [left, right] = [readSelected(value[0]), readSelected(value[1])];
  return left === null || right === null ? null : [left, right];
}

function readAnchor(value: unknown): Anchor | null {
  if (!isRecord(value)) return null;
  const { cell, offset } = value;
  return typeof cell === "string" && typeof offset === "number" && Number.isFinite(offset)
    ? { cell, offset }
    : null;
}

/** Reads what an earlier page saved; anything else gives the state of a first visit. */
export function readState(value: unknown): SavedState {
  if (!isRecord(value) || value["version"] !== VERSION) return NOTHING;
  const { folds, unfolded, pane, draft, search, report, follow, sessionId, showFacts } = value;
  return {
    selected: readSelected(value["selected"]),
    sessionId: typeof sessionId === "string" ? sessionId : null,
    pane: PANES.includes(pane) ? (pane as Pane) : "turn",
    showFacts: showFacts !== false,
    folds: Array.isArray(folds) ? folds.filter(isFold).slice(-MAX_FOLDS) : [],
    unfolded: typeof unfolded === "boolean" ? unfolded : null,
    anchor: readAnchor(value["anchor"]),
    follow: follow !== false,
    draft: typeof draft === "string" ? draft.slice(0, MAX_DRAFT) : "",
    typed: readTyped(value["typed"]),
    search: typeof search === "string" ? search.slice(0, MAX_NAME) : "",
    report: typeof report === "string" && report.length <= MAX_NAME ? report : null,
    compared: readCompared(value["compared"]),
    memory: readMemory(value["memory"]),
    edit: readEdit(value["edit"]),
    views: readViews(value["views"]),
  };
}

/** The state as it is saved; never more than some tens of kilobytes. */
export function writeState(state: SavedState): unknown {
  return {
    ...state,
    version: VERSION,
    folds: state.folds.slice(-MAX_FOLDS),
    draft: state.draft.slice(0, MAX_DRAFT),
  };
}
