import type { VNode } from "preact";
import { committeeOf, type TurnModel } from "../../trace/model.ts";
import { Fact, Section } from "../fact-lines.tsx";
import { count, duration, tokenCount, when } from "../format.ts";
import type { Store } from "../store.ts";

/** From where a question came, in words; doors of newer versions by their names. */
const DOORS: { readonly [door: string]: string } = {
  chat: "the chat",
  panel: "this panel",
  command: "a command",
  notebook: "a notebook",
  http: "the HTTP server",
  cli: "the command line",
};

const ENDS: Readonly<Record<Exclude<TurnModel["status"], "running">, string>> = {
  answered: "answered in",
  failed: "failed after",
  cancelled: "cancelled after",
  interrupted: "interrupted",
};

/** Models that are named; a committee has few. */
const MAX_MODELS = 4;

/** The models that worked on the turn, in order of their first work. */
function modelsOf(turn: TurnModel): string {
  const names = new Set<string>();
  for (const cell of turn.cells.values()) if (cell.kind === "model") names.add(cell.model);
  const shown = [...names].slice(0, MAX_MODELS);
  return [...shown, ...(names.size > MAX_MODELS ? [`${count(names.size - MAX_MODELS)} more`] : [])].join(
    ", ",
  );
}

/** When the turn was asked and from where, who answered with which model, and how it ended. */
export function Asked({ store, turn }: { readonly store: Store; readonly turn: TurnModel }): VNode {
  const { status, door, durationMs } = turn;
  const committee = committeeOf(turn);
  const models = modelsOf(turn);
  return (
    <Section title="This turn">
      <Fact name="asked" value={when(turn.start, store.now())} />
      <Fact name="from" value={door === "" ? undefined : Object.hasOwn(DOORS, door) ? DOORS[door] : door} />
      <Fact
        name="by"
        value={committee === undefined ? turn.agent : `a committee of ${committee.personas.length}`}
      />
      <Fact name="at most" value={committee && tokenCount(committee.estimatedTokens)} />
      <Fact name={models.includes(",") ? "models" : "model"} value={models === "" ? undefined : models} />
      {status === "running" ? null : (
        <Fact name={ENDS[status]} value={durationMs === undefined ? "" : duration(durationMs)} />
      )}
    </Section>
  );
}
