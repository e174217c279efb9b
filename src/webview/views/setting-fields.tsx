import type { VNode } from "preact";
import type { SettingPlace, SettingView } from "../../trace/panel-settings.ts";
import { Icon, IconButton } from "../icon.tsx";
import type { Store } from "../store.ts";
import { useSettings } from "./activity-hooks.ts";
import { SettingControl } from "./setting-control.tsx";
import { shownValue, valueAt } from "./setting-values.ts";

const PLACES: { readonly [place in SettingView["from"]]: string } = {
  default: "default",
  user: "user settings",
  workspace: "workspace",
  folder: "folder",
};

/** The settings of a view as fields: what is changed here VS Code writes, at the place that the user picks. */
export function SettingsTab(props: {
  readonly store: Store;
  readonly group: string;
  /** Stands before the fields. */
  readonly before?: (settings: readonly SettingView[]) => VNode | null;
}): VNode {
  const { store, group } = props;
  useSettings(store, group);
  const { settings } = store.views.settings;
  return (
    <div class="settings" aria-busy={settings === undefined}>
      <ScopePicker store={store} />
      {props.before === undefined || settings === undefined ? null : props.before(settings)}
      {settings === undefined ? <p class="hint">Reading …</p> : null}
      {settings?.length === 0 ? <p class="hint">There is nothing to set.</p> : null}
      {settings?.map((setting) => (
        <Setting key={setting.id} store={store} setting={setting} />
      ))}
    </div>
  );
}

/** Where changes are written. */
function ScopePicker({ store }: { readonly store: Store }): VNode {
  const { views } = store;
  const { workspace, trusted } = views.settings;
  const choices: readonly (readonly [SettingPlace, string])[] = [
    ["user", "User"],
    ["workspace", "Workspace"],
  ];
  return (
    <fieldset class="scope-picker">
      <legend>Write to</legend>
      {choices.map(([place, label]) => (
        <label key={place} class={views.scope === place ? "chip" : "chip off"}>
          <input
            type="radio"
            name="scope"
            checked={views.scope === place}
            disabled={place === "workspace" && !workspace}
            onChange={() => views.writeTo(place)}
          />
          {label}
        </label>
      ))}
      <span class="dim">
        {!workspace
          ? "No folder is open."
          : trusted
            ? "Changes count at once."
            : "This folder is not trusted: some of its own settings don't count."}
      </span>
    </fieldset>
  );
}

function Setting({ store, setting }: { readonly store: Store; readonly setting: SettingView }): VNode {
  const { views } = store;
  const { id, description, scopes } = setting;
  const place = views.scope;
  const canWrite = scopes.includes(place);
  const name = `setting-${id}`;
  const said = views.settings.refused.get(id) ?? setting.problem;
  const isWritten = setting.written[place] !== undefined;
  return (
    <section class="setting" data-setting={id} aria-labelledby={`${name}-label`}>
      <div class="setting-head">
        <h3 id={`${name}-label`}>
          <label for={name}>
            {setting.category === "" ? null : <span class="dim">{setting.category}: </span>}
            {setting.label}
          </label>
        </h3>
        <span class="dim ellipsis">{fromWords(setting, place)}</span>
        <span class="space" />
        {isWritten && canWrite ? (
          <button type="button" class="quiet" onClick={() => views.settings.reset(id, place)}>
            <Icon name="discard" /> Reset<span class="sr-only"> {setting.label}</span>
          </button>
        ) : null}
        <IconButton
          icon="settings-gear"
          label={`Open ${setting.label} in VS Code's settings`}
          onClick={() => store.send({ type: "setting.open", id, scope: place })}
        />
      </div>
      <p class="dim" id={`${name}-about`}>
        {description}
      </p>
      {setting.tooLong === true ? (
        <p>It is too long to be changed here.</p>
      ) : (
        <SettingControl store={store} setting={setting} place={place} canWrite={canWrite} />
      )}
      {said === undefined ? null : (
        <p class="tone-error" id={`${name}-problem`} role="alert">
          <Icon name="error" /> {said}
        </p>
      )}
      {canWrite || setting.userOnly === undefined ? null : <p class="dim">{setting.userOnly}</p>}
      {setting.buttons.map((label, index) => (
        <button
          key={label}
          type="button"
          class="secondary"
          onClick={() => store.send({ type: "setting.command", id, index })}
        >
          {label}
        </button>
      ))}
    </section>
  );
}

/** Where the value in force comes from, and what it is where that is not what the field shows. */
function fromWords(setting: SettingView, place: SettingPlace): string {
  const { from, value } = setting;
  const isSame = JSON.stringify(value) === JSON.stringify(valueAt(setting, place));
  const inForce = isSame || setting.tooLong === true ? "" : `in force: ${shownValue(value)} · `;
  return `${inForce}${PLACES[from]}`;
}
