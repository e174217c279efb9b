import type { VNode } from "preact";
import type { CallFigures, ToolLine, ToolState } from "../../trace/activity/records.ts";
import { age, count, duration } from "../format.ts";
import { Icon, IconButton } from "../icon.tsx";
import type { Store } from "../store.ts";
import { toolLook } from "../tool-icons.ts";
import { useActivity } from "./activity-hooks.ts";
import { ActivityList } from "./activity-list.tsx";
import { DayChart } from "./day-chart.tsx";
import { SettingsTab } from "./setting-fields.tsx";
import { TabbedPane } from "./tabs.tsx";

const STATES: { readonly [state in ToolState]: string } = {
  on: "on",
  off: "off",
  named: "by name",
  gone: "not there",
};

const STATE_WORDS: { readonly [state in ToolState]: string } = {
  on: "Agents can call it.",
  off: "It is off.",
  named: "A tool of the editor: agents whose file names it can call it.",
  gone: "Models called it, and there is no such tool now.",
};

/** All tools, or the one that is looked at. */
export function ToolsPane({ store }: { readonly store: Store }): VNode {
  const { tool } = store.views;
  return tool === null ? <AllTools store={store} /> : <OneTool key={tool} store={store} name={tool} />;
}

function AllTools({ store }: { readonly store: Store }): VNode {
  useActivity(store, "tools");
  const { tools, standing } = store.views.activity;
  return (
    <section class="view" aria-label="Tools">
      <div class="view-head">
        <h2>Tools</h2>
        <span class="dim">
          {store.readOnly ? "calls in this file, of its last 30 days" : "calls of the last 30 days"}
        </span>
      </div>
      <div class="tool-list">
        {tools === undefined ? <p class="hint">Reading …</p> : null}
        {tools?.length === 0 ? (
          <p class="hint">{store.readOnly ? "No turn of this file called a tool." : "There are no tools."}</p>
        ) : null}
        {tools === undefined || tools.length === 0 ? null : (
          <table>
            <thead>
              <tr>
                <th scope="col">Tool</th>
                {store.readOnly ? null : <th scope="col">Now</th>}
                <th scope="col" class="num">
                  Calls
                </th>
                <th scope="col" class="num">
                  Failed
                </th>
                <th scope="col" class="num">
                  Last
                </th>
              </tr>
            </thead>
            <tbody>
              {tools.map((tool) => (
                <ToolRow key={tool.name} store={store} tool={tool} />
              ))}
            </tbody>
          </table>
        )}
      </div>
      <p class="view-foot dim" role="status">
        {standing.reading ? "Reading the traces …" : standing.older ? "Older sessions are not counted." : ""}
      </p>
    </section>
  );
}

function ToolRow({ store, tool }: { readonly store: Store; readonly tool: ToolLine }): VNode {
  const { name, description, state, reason, calls, failures, last } = tool;
  const look = toolLook(name);
  return (
    <tr>
      <th scope="row">
        <button type="button" class="link" onClick={() => store.views.showTool(name)}>
          <Icon name={look.icon} tone={look.tone} /> {name}
        </button>
        {store.readOnly ? null : (
          <p class="dim">{reason ?? (description === "" ? STATE_WORDS[state] : description)}</p>
        )}
      </th>
      {store.readOnly ? null : (
        <td>
          <StateWord tool={tool} />
        </td>
      )}
      <td class="num">{count(calls)}</td>
      <td class={`num${failures > 0 ? " tone-error" : " dim"}`}>{count(failures)}</td>
      <td class="num dim">{last === undefined ? "–" : age(last, store.now())}</td>
    </tr>
  );
}

function StateWord({ tool }: { readonly tool: ToolLine }): VNode {
  const { state } = tool;
  return (
    <span class={`nowrap tool-state ${state}`} title={tool.reason ?? STATE_WORDS[state]}>
      <Icon name={state === "on" ? "check" : "circle-slash"} /> {STATES[state]}
    </span>
  );
}

function OneTool({ store, name }: { readonly store: Store; readonly name: string }): VNode {
  const { views } = store;
  return (
    <TabbedPane
      store={store}
      view="tools"
      title={name}
      before={<IconButton icon="arrow-left" label="All tools" onClick={() => views.showTool(null)} />}
    >
      {views.tab("tools") === "settings" ? (
        <SettingsTab key={name} store={store} group={`tool:${name}`} />
      ) : (
        <ToolActivity store={store} name={name} />
      )}
    </TabbedPane>
  );
}

function ToolActivity({ store, name }: { readonly store: Store; readonly name: string }): VNode {
  useActivity(store, `tool:${name}`);
  const { tool, figures } = store.views.activity;
  return (
    <>
      {tool === undefined || store.readOnly ? null : <About store={store} tool={tool} />}
      {figures?.kind === "calls" ? <Figures figures={figures} /> : null}
      <ActivityList
        store={store}
        words={{ label: "Calls", only: "Failed only", nothing: "It was not called yet." }}
      />
    </>
  );
}

function About({ store, tool }: { readonly store: Store; readonly tool: ToolLine }): VNode {
  const { state, reason, description } = tool;
  return (
    <div class="view-about">
      <StateWord tool={tool} />
      <span>
        {description} {reason ?? (state === "on" ? "" : STATE_WORDS[state])}
      </span>
      {state === "off" ? (
        <button type="button" class="quiet" onClick={() => store.views.showTab("tools", "settings")}>
          Settings
        </button>
      ) : null}
    </div>
  );
}

function Figures({ figures }: { readonly figures: CallFigures }): VNode {
  const { calls, failures, medianMs, days } = figures;
  const rate = calls === 0 ? 0 : Math.round((100 * failures) / calls);
  const most = Math.max(0, ...days.map((day) => day.calls));
  return (
    <div class="view-figures">
      <dl>
        <Figure name="calls" value={count(calls)} />
        <Figure name="failed" value={failures === 0 ? "0" : `${count(failures)} · ${rate} %`} />
        <Figure name="median" value={medianMs === null ? "–" : duration(medianMs)} />
      </dl>
      <DayChart
        title={`Calls a day, most ${count(most)}; failed ones hatched`}
        days={days.map((day) => ({
          from: day.from,
          value: day.calls,
          marked: day.failures,
          words: `${count(day.calls)} calls, ${count(day.failures)} failed`,
        }))}
        most={most}
        fill="fill-tool"
      />
    </div>
  );
}

/** A figure with its name below it. */
export function Figure({ name, value }: { readonly name: string; readonly value: string }): VNode {
  return (
    <div class="figure">
      <dd>{value}</dd>
      <dt class="dim">{name}</dt>
    </div>
  );
}
