import type { VNode } from "preact";
import { isAnswering } from "../trace/fold-model.ts";
import type { Cell } from "../trace/cells.ts";
import { agentAbove, agentName, type TurnModel } from "../trace/model.ts";
import { Ask } from "./ask.tsx";
import { CompareView } from "./compare/view.tsx";
import { Empty } from "./empty.tsx";
import { Facts } from "./facts.tsx";
import { duration } from "./format.ts";
import { Help } from "./help.tsx";
import { Header } from "./header.tsx";
import { Conversation } from "./request/conversation.tsx";
import { BranchHead } from "./fork/notes.tsx";
import { useStore } from "./hooks.ts";
import { Icon } from "./icon.tsx";
import { onPanelKey } from "./keyboard.ts";
import type { Store } from "./store.ts";
import { SourceFoot } from "./source-foot.tsx";
import { TurnList } from "./turn-list.tsx";
import { TurnView } from "./turn-view.tsx";
import { EvalPane } from "./eval/view.tsx";
import { CriticPane } from "./views/critic.tsx";
import { MemoryPane } from "./views/memory-pane.tsx";
import { ToolsPane } from "./views/tools.tsx";

/** What is happening, in a word: for those who listen instead of look. Changes with the step, not with each token. */
function spoken(turn: TurnModel | undefined): string {
  if (turn === undefined) return "";
  if (turn.status === "answered") return `Answered in ${duration(turn.durationMs ?? 0)}`;
  if (turn.status !== "running") return `The turn was ${turn.status}`;
  const running = [...turn.cells.values()].findLast(
    (cell) => cell.status === "running" && !HOLDERS.has(cell.kind),
  );
  if (running === undefined) return "Waiting for the model";
  const what = spokenOf(running);
  const agent = agentAbove(turn, running);
  // Of a committee's members one hears who it is; who answers needs no name.
  return agent === undefined || isAnswering(agent) ? what : `${agentName(agent)}: ${what}`;
}

/** Cells that only hold others together. */
const HOLDERS: ReadonlySet<Cell["kind"]> = new Set(["agent", "step", "committee", "round"]);

function spokenOf(cell: Cell): string {
  if (cell.kind === "tool") return `Calling ${cell.name}`;
  if (cell.kind === "thinking") return "Thinking";
  if (cell.kind === "answer") return "Answering";
  return "Waiting for the model";
}

function Middle({ store }: { readonly store: Store }): VNode {
  if (store.pane === "compare") return <CompareView store={store} />;
  if (store.pane === "memory") return <MemoryPane store={store} />;
  if (store.pane === "tools") return <ToolsPane store={store} />;
  if (store.pane === "critic") return <CriticPane store={store} />;
  if (store.pane === "eval") return <EvalPane store={store} />;
  if (store.turn === undefined) return <Empty store={store} />;
  if (store.pane === "conversation") return <Conversation store={store} turn={store.turn} />;
  // Such as the turn that a memory comes from, whose session was deleted since.
  if (store.turn.status === "interrupted" && store.turn.cells.size === 0)
    return <p class="hint compare-hint">Nothing of this turn is in the log any more.</p>;
  return (
    <>
      {store.shown.problems.length === 0 ? null : (
        <details class="trace-problems">
          <summary>
            {store.shown.problems.length === 1 ? "1 line" : `${store.shown.problems.length} lines`} of the
            trace could not be read
          </summary>
          <ul>
            {store.shown.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </details>
      )}
      <BranchHead store={store} turn={store.turn} />
      <TurnView key={store.turn.turnId} store={store} turn={store.turn} />
      {store.running && !store.follow ? (
        <button type="button" class="secondary to-end" onClick={() => store.followAgain()}>
          <Icon name="arrow-down" /> Follow
        </button>
      ) : null}
    </>
  );
}

/** The whole panel: turns, the chosen turn, facts about it, and the question. */
export function App({ store }: { readonly store: Store }): VNode {
  useStore(store);
  const source = store.frame?.source;
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null) return;
    // No link is followed by the page itself; the host checks the address and opens it.
    event.preventDefault();
    event.stopPropagation();
    const href = link.getAttribute("href");
    if (href !== null) store.send({ type: "link", href });
  };
  return (
    <div
      class="panel"
      data-pane={store.pane}
      data-facts={store.showFacts ? "on" : "off"}
      onClick={onClick}
      onKeyDown={(event) => onPanelKey(event, store)}
    >
      <Header store={store} />
      <TurnList store={store} />
      <main>
        <Middle store={store} />
      </main>
      <Facts store={store} />
      {source === undefined ? <Ask store={store} /> : <SourceFoot store={store} source={source} />}
      {store.showsHelp ? <Help store={store} /> : null}
      <div class="sr-only" role="status" aria-live="polite">
        {spoken(store.turn)}
      </div>
    </div>
  );
}
