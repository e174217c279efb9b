import { describeError } from "../../agent/failure.ts";
import type { PanelMessage } from "../../trace/panel-protocol.ts";
import type { SettingHostMessage, SettingPlace } from "../../trace/panel-settings.ts";
import { settingId, type SettingName } from "../contributions.ts";
import { settingProblem } from "../settings-schema.ts";
import type { HostPart } from "./part.ts";
import { settingsOf } from "./setting-groups.ts";
import { settingButtons, settingNamed, settingScopes, settingView } from "./setting-view.ts";
import type { SettingsPort } from "./settings-port.ts";

/**
 * Shows settings in the panel and writes what is changed there by VS Code's own way. What does not fit is refused in
 * words and not written; what is changed elsewhere shows at once.
 */
export class SettingsPart implements HostPart {
  private readonly port: SettingsPort | undefined;
  private readonly post: (message: SettingHostMessage) => void;
  private readonly stop: () => void;
  /** Which settings are shown. */
  private group: string | undefined;

  /** @param port left out: there is nothing to set, as in a panel on a file */
  constructor(port: SettingsPort | undefined, post: (message: SettingHostMessage) => void) {
    this.port = port;
    this.post = post;
    this.stop = port?.onChange(() => this.show()) ?? (() => undefined);
  }

  async receive(message: PanelMessage): Promise<void> {
    if (message.type === "settings") {
      this.group = message.group ?? undefined;
      this.show();
      return;
    }
    const { port } = this;
    if (port === undefined || !("id" in message)) return;
    const name = settingNamed(message.id);
    if (name === undefined) return;
    switch (message.type) {
      case "setting.write": {
        await this.write(port, name, message.value, message.scope);
        return;
      }
      case "setting.reset": {
        await this.write(port, name, undefined, message.scope);
        return;
      }
      case "setting.open": {
        await port.open(message.id, message.scope);
        return;
      }
      case "setting.command": {
        const button = settingButtons(port, name)[message.index];
        if (button !== undefined) await port.run(button.command);
        return;
      }
      default:
        // The other parts' messages.
        return;
    }
  }

  sleep(): void {
    this.group = undefined;
  }

  dispose(): void {
    this.stop();
  }

  private async write(
    port: SettingsPort,
    name: SettingName,
    value: unknown,
    place: SettingPlace,
  ): Promise<void> {
    const id = settingId(name);
    const { scopes, userOnly = "" } = settingScopes(port, name);
    const problem = !scopes.includes(place)
      ? userOnly
      : value === undefined
        ? undefined
        : settingProblem(name, value);
    if (problem !== undefined) {
      this.post({ type: "setting.refused", id, message: problem });
      return;
    }
    try {
      await port.write(name, value, place);
      this.post({ type: "setting.written", id });
    } catch (error) {
      this.post({ type: "setting.refused", id, message: describeError(error) });
    }
    // The field shows what is written, whatever was typed.
    this.show();
  }

  private show(): void {
    const { port, group } = this;
    if (port === undefined || group === undefined) return;
    const settings = settingsOf(group).map((name) => settingView(port, name));
    this.post({ type: "settings", group, settings, ...port.place() });
  }
}
