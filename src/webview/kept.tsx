import type { VNode } from "preact";
import type { TurnModel } from "../trace/model.ts";
import { Fact, Section } from "./fact-lines.tsx";
import { count } from "./format.ts";
import { Icon } from "./icon.tsx";

/** Lines of each kind that are shown; the counts say how many there were. */
const MAX_LINES = 20;

/** How many memories a turn was given and gave; undefined for what is not known. */
interface Counts {
  readonly retrieved: number | undefined;
  readonly extracted: number | undefined;
  readonly updated: number | undefined;
  readonly rejected: number | undefined;
}

function countsOf({ remembered, learned, card }: TurnModel): Counts {
  return {
    retrieved: remembered?.retrieved ?? card?.parts.filter(({ kind }) => kind !== "persona").length,
    extracted: learned?.["conclave.extracted"],
    updated: learned?.["conclave.updated"],
    rejected: learned?.["conclave.learned"]?.rejected.length,
  };
}

/** What memory gave to a turn and took from it (`learnt`: only the latter), on one line; empty when nothing is known of it. */
export function memoryLine(turn: TurnModel, what: "all" | "learnt" = "all"): string {
  const { retrieved, extracted, updated, rejected } = countsOf(turn);
  const parts: readonly (readonly [number | undefined, string])[] = [
    [what === "all" ? retrieved : undefined, "recalled"],
    [extracted, "learnt"],
    [updated, "updated"],
    [rejected, "rejected"],
  ];
  return parts
    .filter(([number]) => number !== undefined && number > 0)
    .map(([number, word]) => `${count(number ?? 0)} ${word}`)
    .join(" · ");
}

/** What memory gave to the turn and what was kept of it, in figures; why nothing was, where nothing was. */
export function Kept({ turn }: { readonly turn: TurnModel }): VNode | null {
  const { remembered, learned } = turn;
  if (remembered === undefined && learned === undefined && turn.card === undefined) return null;
  const { retrieved, extracted, updated, rejected } = countsOf(turn);
  const said = (value: number | undefined) => (value === undefined ? undefined : count(value));
  const skipped = learned?.error?.message ?? learned?.["conclave.skipped"];
  return (
    <>
      <Section title="Memory">
        <Fact name="recalled into it" value={said(retrieved)} />
        {remembered?.error === undefined ? (
          <Fact name="episodes kept" value={said(remembered?.episodeIds.length)} />
        ) : (
          <p class="hint">Not remembered: {remembered.error.message}</p>
        )}
        <Fact name="facts extracted" value={said(extracted)} />
        <Fact name="facts updated" value={said(updated)} />
        <Fact name="rejected" value={said(rejected)} />
        <Fact name="read by" value={readBy(learned)} />
        {skipped === undefined ? null : <p class="hint">{skipped}</p>}
      </Section>
      {learntLines(turn).length > 0 ? (
        <Section title="Learnt from this turn">
          <LearntLines turn={turn} />
        </Section>
      ) : null}
    </>
  );
}

/** Who read the turn: the model by its name, unless rules did because nothing came of the model. */
function readBy(learned: TurnModel["learned"]): string | undefined {
  const by = learned?.["conclave.by"];
  return by === undefined || by === "model" ? (learned?.["gen_ai.request.model"] ?? by) : by;
}

interface Line {
  readonly icon: string;
  readonly text: string;
  readonly note: string;
}

function learntLines({ learned }: TurnModel): readonly Line[] {
  const learnt = learned?.["conclave.learned"];
  if (learnt === undefined) return [];
  return [
    ...learnt.added.slice(0, MAX_LINES).map(({ text }) => ({ icon: "add", text, note: "new" })),
    ...learnt.repeated.slice(0, MAX_LINES).map(({ text }) => ({ icon: "check", text, note: "surer" })),
    ...learnt.closed
      .slice(0, MAX_LINES)
      .map(({ text }) => ({ icon: "history", text: `WAS: ${text}`, note: "closed" })),
    ...learnt.rejected
      .slice(0, MAX_LINES)
      .map(({ text, reason }) => ({ icon: "circle-slash", text, note: `rejected: ${reason}` })),
  ];
}

/** What memory learnt from a turn, line by line. */
export function LearntLines({ turn }: { readonly turn: TurnModel }): VNode {
  const lines = learntLines(turn);
  if (lines.length === 0) return <p class="dim">Nothing of it was kept as a fact.</p>;
  return (
    <ul class="learnt">
      {lines.map(({ icon, text, note }, index) => (
        <li key={index} class={icon === "circle-slash" ? "rejected" : ""}>
          <Icon name={icon} />
          <span title={text}>{text}</span>
          <span class="note">{note}</span>
        </li>
      ))}
    </ul>
  );
}
