import type { SettingPlace } from "../../trace/panel-settings.ts";

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
}

const MAX_NAME = 200;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
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
  };
}
