import type { Json } from "../../agent/models/types.ts";
import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";
import type { SettingPlace, SettingView } from "../../trace/panel-settings.ts";

/** The settings that are shown, what is typed into them, and why it was not taken. */
export class SettingsState {
  /** Undefined before the first answer. */
  settings: readonly SettingView[] | undefined;
  /** A folder or workspace is open. */
  workspace = false;
  trusted = true;
  /** What is typed and not written, by setting. */
  readonly drafts = new Map<string, string>();
  /** Why something was not written, by setting. */
  readonly refused = new Map<string, string>();
  private group: string | undefined;
  private readonly send: (message: PanelMessage) => void;

  constructor(send: (message: PanelMessage) => void) {
    this.send = send;
  }

  /** Shows the settings of something else. */
  watch(group: string): void {
    this.group = group;
    this.settings = undefined;
    this.drafts.clear();
    this.refused.clear();
    this.send({ type: "settings", group });
  }

  /** They are shown no more; others that are shown by now stay. */
  leave(group: string): void {
    if (this.group !== group) return;
    this.group = undefined;
    this.send({ type: "settings", group: null });
  }

  write(id: string, scope: SettingPlace, value: Json): void {
    this.send({ type: "setting.write", id, scope, value });
  }

  reset(id: string, scope: SettingPlace): void {
    this.drafts.delete(id);
    this.refused.delete(id);
    this.send({ type: "setting.reset", id, scope });
  }

  /** Another place is looked at: what was typed for the one before does not count for it. */
  moved(): void {
    this.drafts.clear();
    this.refused.clear();
  }

  receive(message: HostMessage): void {
    switch (message.type) {
      case "settings":
        if (message.group !== this.group) return;
        this.settings = message.settings;
        this.workspace = message.workspace;
        this.trusted = message.trusted;
        return;
      case "setting.refused":
        this.refused.set(message.id, message.message);
        return;
      case "setting.written":
        this.drafts.delete(message.id);
        this.refused.delete(message.id);
        return;
      default:
        // The other parts' messages.
        return;
    }
  }
}
