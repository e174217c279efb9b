import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";
import type { SettingPlace } from "../../trace/panel-settings.ts";
import { ActivityState } from "./activity-state.ts";
import type { SavedViews, TabbedView, ViewTab } from "./saved.ts";
import { SettingsState } from "./settings-state.ts";

/** The views of tools, critic and memory: which is open at what, its activity and its settings. */
export class ViewsState {
  readonly activity: ActivityState;
  readonly settings: SettingsState;
  private kept: SavedViews;
  private readonly changed: () => void;

  /** @param changed called after each change of what outlives the page */
  constructor(saved: SavedViews, send: (message: PanelMessage) => void, changed: () => void) {
    this.kept = saved;
    this.changed = changed;
    this.activity = new ActivityState(saved.narrowed, send, changed);
    this.settings = new SettingsState(send);
  }

  /** The tool that is looked at; null: the list of all. */
  get tool(): string | null {
    return this.kept.tool;
  }

  /** Where settings are written: where the user said, as long as that is there. */
  get scope(): SettingPlace {
    return this.settings.workspace ? this.kept.scope : "user";
  }

  /** Memory's activity is shown turn by turn. */
  get byTurn(): boolean {
    return this.kept.byTurn;
  }

  tab(view: TabbedView): ViewTab {
    return this.kept.tabs[view];
  }

  showTab(view: TabbedView, tab: ViewTab): void {
    this.keep({ tabs: { ...this.kept.tabs, [view]: tab } });
  }

  /** Opens a tool, or the list of all. */
  showTool(tool: string | null, tab: ViewTab = "activity"): void {
    this.keep({ tool, tabs: { ...this.kept.tabs, tools: tab } });
  }

  turnBy(byTurn: boolean): void {
    this.keep({ byTurn });
  }

  writeTo(scope: SettingPlace): void {
    this.settings.moved();
    this.keep({ scope });
  }

  /** What of it outlives the page. */
  saved(): SavedViews {
    return { ...this.kept, narrowed: this.activity.narrowed };
  }

  receive(message: HostMessage): void {
    this.activity.receive(message);
    this.settings.receive(message);
  }

  private keep(change: Partial<SavedViews>): void {
    this.kept = { ...this.kept, ...change };
    this.changed();
  }
}
