import type { VNode } from "preact";
import type { CommitteeCell } from "../trace/cells.ts";
import { committeeOf, type TurnModel } from "../trace/model.ts";
import { count, duration, elapsed, when } from "./format.ts";
import { useClock } from "./hooks.ts";
import { Icon, IconButton } from "./icon.tsx";
import type { Store } from "./store.ts";

const ENDS = {
  answered: "answered in",
  failed: "failed after",
  cancelled: "cancelled after",
} as const;

/** How the turn stands, in one line. */
function standing(turn: TurnModel, now: number): string {
  const tokens =
    turn.inputTokens + turn.outputTokens > 0
      ? ` · ${count(turn.inputTokens)} in / ${count(turn.outputTokens)} out`
      : "";
  if (turn.status === "running") return `running, ${elapsed(now - turn.start)}${tokens}`;
  if (turn.status === "interrupted") return `interrupted${tokens}`;
  return `${ENDS[turn.status]} ${duration(turn.durationMs ?? 0)}${tokens}`;
}

/** What a committee was thought to cost before it began, and who sits in it. */
function costOf({ personas, estimatedTokens, rounds }: CommitteeCell): string {
  const names = personas.map(({ name, model }) => `${name} (${model})`).join(", ");
  const cost = estimatedTokens > 0 ? `, about ${count(estimatedTokens)} tokens at most` : "";
  return `${names}; ${count(rounds)} ${rounds === 1 ? "round" : "rounds"}${cost}`;
}

/** Who answers the turn, where that is a committee, and how it went. */
function Standing({ turn, now }: { readonly turn: TurnModel; readonly now: number }): VNode {
  const committee = committeeOf(turn);
  return (
    <>
      {committee === undefined ? null : (
        <span class="chip still" title={costOf(committee)}>
          committee · {count(committee.personas.length)} · {committee.strategy}
        </span>
      )}
      {turn.imported === undefined ? null : (
        <span
          class="chip still ellipsis"
          title={`Imported from ${turn.imported.from}, ${when(turn.imported.at, now)}: never remembered`}
        >
          <Icon name="desktop-download" /> from {turn.imported.from}
        </span>
      )}
      <span class="standing">{standing(turn, now)}</span>
    </>
  );
}

/** What is open, with which model, how it went; and the ways to elsewhere. */
export function Header({ store }: { readonly store: Store }): VNode {
  const { turn } = store;
  const now = useClock(store, store.running);
  const nothing = store.frame?.source?.name ?? (store.beginsPrivate ? "Private session" : "New session");
  const title = turn === undefined ? nothing : store.rows.titleOf(turn.sessionId) || turn.question;
  const model = store.frame?.model ?? "";
  return (
    <header>
      <IconButton
        icon="list-unordered"
        label="Turns"
        class="only-narrow"
        pressed={store.pane === "turns"}
        onClick={() => store.toggle("turns")}
      />
      {store.isPrivate ? (
        <span class="lock" title="A private session: nothing of it is kept, and it is gone with this window">
          <Icon name="lock" /> {turn === undefined ? null : "private"}
        </span>
      ) : (
        <span class="not-narrow">
          <Icon name="organization" />
        </span>
      )}
      <h1 title={title}>{title}</h1>
      {store.frame === undefined || store.readOnly ? null : (
        <button
          type="button"
          class="chip"
          title="Select the chat model"
          onClick={() => store.send({ type: "action", action: "select_model", sessionId: store.sessionId })}
        >
          <Icon name="server-process" /> {model === "" ? "no model" : model}
        </button>
      )}
      {turn === undefined ? null : <Standing turn={turn} now={now} />}
      {store.running ? (
        <button
          type="button"
          class="quiet stop"
          aria-label="Stop"
          title="Stop (Escape)"
          onClick={() => store.cancel()}
        >
          <Icon name="debug-stop" /> <span class="not-narrow">Stop</span>
        </button>
      ) : null}
      <span class="space" />
      <Ways store={store} />
    </header>
  );
}

/** Views that are of all turns; of a file they show what it holds. */
const VIEWS = [
  ["memory", "database", "Memory"],
  ["tools", "tools", "Tools"],
  ["critic", "law", "Critic"],
] as const;

/** The ways to the panel's other views. */
function Ways({ store }: { readonly store: Store }): VNode {
  const { turn } = store;
  return (
    <>
      {turn === undefined ? null : (
        <IconButton
          icon="comment-discussion"
          label="Conversation after this turn"
          pressed={store.pane === "conversation"}
          onClick={() => store.toggle("conversation")}
        />
      )}
      {turn === undefined && store.pane !== "compare" ? null : (
        <IconButton
          icon="arrow-swap"
          label="Compare with another turn"
          pressed={store.pane === "compare"}
          onClick={() => (store.pane === "compare" ? store.toggle("compare") : store.compare.start())}
        />
      )}
      {store.readOnly ? null : (
        <IconButton icon="add" label="New session" onClick={() => store.newSession()} />
      )}
      {VIEWS.map(([pane, icon, label]) => (
        <IconButton
          key={pane}
          icon={icon}
          label={store.readOnly ? `${label} in this file` : label}
          pressed={store.pane === pane}
          onClick={() => store.toggle(pane)}
        />
      ))}
      <IconButton
        icon="layout-sidebar-right"
        label="Facts about the turn"
        class="only-wide"
        pressed={store.showFacts}
        onClick={() => store.toggleFacts()}
      />
      <IconButton
        icon="pulse"
        label="Facts about the turn"
        class="not-wide"
        pressed={store.pane === "facts"}
        onClick={() => store.toggle("facts")}
      />
    </>
  );
}
