import type { SettingPlace } from "../../trace/panel-settings.ts";
import type { Narrowed } from "./activity-state.ts";

/** The tabs of a view. */
export type ViewTab = "activity" | "settings";

/** The views that have these tabs. */
export type TabbedView = "tools" | "critic" | "memory";

/** What of the views outlives the page. */
export interface SavedViews {
  /** The tool that is looked at; null: the list of all. */
  readonly tool: string | null;
  readonly tabs: { readonly [view in TabbedView]: ViewTab };
  /** Where settings are written. */
  readonly scope: SettingPlace;
  /** Memory's activity: turn by turn instead of its tables. */
  readonly byTurn: boolean;
  /** How the list of activity that was narrowed last was; null: none was. */
  readonly narrowed: Narrowed | null;
}

const MAX_NAME = 200;
const MAX_FILTER = 400;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function readNarrowed(value: unknown): Narrowed | null {
  if (!isRecord(value)) return null;
  const { of, filter, only, part } = value;
  if (typeof of !== "string" || typeof filter !== "string" || typeof part !== "string") return null;
  if (Math.max(of.length, filter.length, part.length) > MAX_FILTER) return null;
  return { of, filter, only: only === true, part };
}

/** Reads what an earlier page saved of the views; what is not understood is as on a first visit. */
export function readViews(value: unknown): SavedViews {
  const saved = isRecord(value) ? value : {};
  const tabs = isRecord(saved["tabs"]) ? saved["tabs"] : {};
  const tabOf = (view: TabbedView): ViewTab => (tabs[view] === "settings" ? "settings" : "activity");
  const { tool } = saved;
  return {
    tool: typeof tool === "string" && tool !== "" && tool.length <= MAX_NAME ? tool : null,
    tabs: { tools: tabOf("tools"), critic: tabOf("critic"), memory: tabOf("memory") },
    scope: saved["scope"] === "workspace" ? "workspace" : "user",
    byTurn: saved["byTurn"] === true,
    narrowed: readNarrowed(saved["narrowed"]),
  };
}
