import type { VNode } from "preact";
import type { Json } from "../../agent/models/types.ts";
import type { SettingKind, SettingPlace, SettingView } from "../../trace/panel-settings.ts";
import type { Store } from "../store.ts";
import { fieldText, shownValue, typedValue, valueAt } from "./setting-values.ts";

interface ControlProps {
  readonly store: Store;
  readonly setting: SettingView;
  readonly place: SettingPlace;
  readonly canWrite: boolean;
}

/** The field of a setting, by what it takes. */
export function SettingControl(props: ControlProps): VNode {
  const { kind } = props.setting;
  switch (kind.type) {
    case "boolean":
      return <Flag {...props} />;
    case "choice":
      return <Choice {...props} options={kind.options} />;
    case "list":
      return kind.options === undefined ? <Typed {...props} /> : <Some {...props} options={kind.options} />;
    default:
      return <Typed {...props} />;
  }
}

/** What every field says of itself to those who listen. */
function named({ store, setting }: ControlProps) {
  const name = `setting-${setting.id}`;
  const isWrong = store.views.settings.refused.has(setting.id) || setting.problem !== undefined;
  return {
    id: name,
    "aria-describedby": isWrong ? `${name}-about ${name}-problem` : `${name}-about`,
    ...(isWrong && { "aria-invalid": true }),
  };
}

function write({ store, setting, place }: ControlProps, value: Json): void {
  store.views.settings.write(setting.id, place, value);
}

function Flag(props: ControlProps): VNode {
  const { setting, place, canWrite } = props;
  const value = valueAt(setting, place);
  return (
    <div class="setting-flag">
      <input
        type="checkbox"
        {...named(props)}
        checked={value === true}
        disabled={!canWrite}
        onChange={({ currentTarget: { checked } }) => write(props, checked)}
      />
      <span aria-hidden="true">{value === true ? "on" : "off"}</span>
    </div>
  );
}

function Choice(
  props: ControlProps & { readonly options: Extract<SettingKind, { type: "choice" }>["options"] },
): VNode {
  const { setting, place, canWrite, options } = props;
  const value = valueAt(setting, place);
  const chosen = options.find((option) => option.value === value);
  return (
    <>
      <select
        {...named(props)}
        value={chosen?.value ?? ""}
        disabled={!canWrite}
        onChange={({ currentTarget }) => write(props, currentTarget.value)}
      >
        {chosen === undefined ? <option value="">{shownValue(value)}</option> : null}
        {options.map((option) => (
          <option key={option.value} value={option.value} title={option.description}>
            {option.value}
          </option>
        ))}
      </select>
      {chosen === undefined || chosen.description === "" ? null : (
        <span class="setting-chosen dim">{chosen.description}</span>
      )}
    </>
  );
}

/** Some of a few values. */
function Some(props: ControlProps & { readonly options: readonly string[] }): VNode {
  const { setting, place, canWrite, options } = props;
  const value = valueAt(setting, place);
  const chosen = Array.isArray(value) ? value : [];
  return (
    <div
      id={`setting-${setting.id}`}
      class="setting-some"
      role="group"
      aria-labelledby={`setting-${setting.id}-label`}
    >
      {options.map((option) => (
        <label key={option} class="setting-flag">
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            disabled={!canWrite}
            onChange={({ currentTarget: { checked } }) =>
              write(
                props,
                options.filter((one) => (one === option ? checked : chosen.includes(one))),
              )
            }
          />
          <span>{option}</span>
        </label>
      ))}
    </div>
  );
}

/** A field that is typed into; Enter, or leaving it, writes. */
function Typed(props: ControlProps): VNode {
  const { store, setting, place, canWrite } = props;
  const { settings } = store.views;
  const { id, kind } = setting;
  const shown = fieldText(setting, valueAt(setting, place));
  const text = settings.drafts.get(id) ?? shown;
  const type = (typed: string) => {
    settings.drafts.set(id, typed);
    store.redraw();
  };
  const commit = () => {
    const draft = settings.drafts.get(id);
    if (draft === undefined) return;
    if (draft === shown) {
      settings.drafts.delete(id);
      settings.refused.delete(id);
      store.redraw();
      return;
    }
    const value = typedValue(setting, draft);
    if (value === undefined) {
      settings.refused.set(id, `${id} must be written as JSON.`);
      store.redraw();
    } else write(props, value);
  };
  const shared = {
    ...named(props),
    value: text,
    disabled: !canWrite,
    spellcheck: false,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      type(currentTarget.value),
    onBlur: commit,
  };
  if (kind.type === "json" || kind.type === "list" || (kind.type === "text" && kind.multiline))
    return (
      <textarea
        {...shared}
        class={kind.type === "json" ? "mono" : ""}
        rows={Math.max(2, Math.min(8, text.split("\n").length))}
        placeholder={kind.type === "list" ? "One a line" : ""}
      />
    );
  return (
    <input
      {...shared}
      type="text"
      class={kind.type === "number" ? "short" : ""}
      inputMode={kind.type === "number" ? "decimal" : "text"}
      placeholder={kind.type === "number" && kind.nullable ? "none" : ""}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
        if (event.key !== "Escape") return;
        settings.drafts.delete(id);
        settings.refused.delete(id);
        store.redraw();
      }}
    />
  );
}
