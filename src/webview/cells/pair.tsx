import type { VNode } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { PairwiseOrder, RespondentInfo } from "../../agent/events-judged.ts";
import { whyUngraded } from "../../trace/judged-words.ts";
import { isTaken } from "../../trace/fold-after.ts";
import type { Grade, Pairwise, Shadow } from "../../trace/judgements.ts";
import { answerCell, type TurnModel } from "../../trace/model.ts";
import { cutKey } from "../../trace/posted.ts";
import { diffWords } from "../../trace/word-diff.ts";
import { WordRuns } from "../compare/word-runs.tsx";
import { count, duration, elapsed, tokenCount } from "../format.ts";
import { Icon } from "../icon.tsx";
import { GradeBadge } from "../judge/badge.tsx";
import { FamilyWarning, GradeDetails, howWords, RawWords } from "../judge/details.tsx";
import type { Store } from "../store.ts";
import { Markdown } from "./markdown.tsx";

/** A second answer and the verdict between both; either may be missing. */
export interface Pair {
  readonly pairwise: Pairwise | undefined;
  readonly shadow: Shadow | undefined;
  readonly other: TurnModel | undefined;
}

/** What a turn has of a second answer; undefined where it has nothing. */
export function pairOf({ pairwise, shadow, other }: TurnModel): Pair | undefined {
  return pairwise === undefined && shadow === undefined && other === undefined
    ? undefined
    : { pairwise, shadow, other };
}

/** When the latest of it was. */
export function pairTime({ pairwise, shadow, other }: Pair): number | undefined {
  return pairwise?.time ?? shadow?.time ?? other?.start;
}

function winnerWords({ winner, orderBound, error }: Pairwise): string {
  if (winner !== null) return `${winner} is better`;
  if (error !== undefined) return "not compared";
  return orderBound === true ? "a tie: it went by the order" : "a tie";
}

/** The verdict in its badge; where there is none yet, how the second answer stands. */
export function pairBadge({ pairwise, shadow, other }: Pair): VNode {
  const words =
    pairwise !== undefined
      ? winnerWords(pairwise)
      : shadow === undefined && other?.status === "running"
        ? "B answers …"
        : "not compared";
  return <span class={pairwise?.winner == null ? "grade none" : "grade high"}>{words}</span>;
}

/** What the head line says behind the badge. */
export function pairSummary({ pairwise, shadow }: Pair, open: boolean): readonly string[] {
  if (pairwise !== undefined) return [pairwise.model, ...(open ? [] : [pairwise.feedback])];
  return shadow === undefined ? [] : [`B: ${shadow.agent}`, shadow.model];
}

/** One of the two answers. */
interface Side {
  readonly letter: "A" | "B";
  readonly who: RespondentInfo | undefined;
  readonly text: string;
  /** What stands in the place of an answer. */
  readonly missing: string;
  readonly grade: Grade | undefined;
  readonly figures: readonly string[];
}

/** Both answers side by side, what each cost, the verdict and how it came about, and the way to take the second one. */
export function PairBody(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly pair: Pair;
  readonly stepsKey: string;
}): VNode {
  const { store, turn, pair, stepsKey } = props;
  const { pairwise, other } = pair;
  const wordsKey = `${turn.turnId}/pairwise/words`;
  const text = useOtherText(store, turn, pair.shadow);
  const [a, b] = [sideA(turn, pairwise), sideB(store, pair, text)];
  const both = a.text !== "" && b.text !== "";
  const words = both && store.isOpen(wordsKey, false);
  const runs = useMemo(() => (words ? diffWords(a.text, b.text) : []), [words, a.text, b.text]);
  return (
    <div class="pair">
      <div class="pair-sides">
        <SideBox store={store} side={a} winner={pairwise?.winner}>
          {words ? <WordRuns runs={runs} show="removed" /> : null}
        </SideBox>
        <SideBox store={store} side={b} winner={pairwise?.winner}>
          {words ? <WordRuns runs={runs} show="added" /> : null}
        </SideBox>
      </div>
      <div class="actions">
        {both ? (
          <label class="compare-same">
            <input type="checkbox" checked={words} onChange={() => store.fold(wordsKey, !words)} />
            word differences
          </label>
        ) : null}
        {other === undefined ? null : <StepsButton store={store} other={other} stepsKey={stepsKey} />}
        <TakeButton store={store} turn={turn} pair={pair} />
      </div>
      {pairwise === undefined ? null : <Verdict pairwise={pairwise} />}
    </div>
  );
}

/** B's answer, whole: what was cut from it is fetched without being asked for. */
function useOtherText(store: Store, turn: TurnModel, shadow: Shadow | undefined): string {
  const cut = shadow && store.shown.cuts.get(cutKey(shadow.eventId, "text"));
  const fetched = cut === undefined ? undefined : store.details.get(cut);
  useEffect(() => {
    if (cut !== undefined) store.details.fetch(turn, cut);
  }, [store, turn, cut, fetched?.text.length]);
  const text = shadow?.answer ?? "";
  return fetched !== undefined && fetched.text.length > text.length ? fetched.text : text;
}

function sideA(turn: TurnModel, pairwise: Pairwise | undefined): Side {
  const cell = answerCell(turn);
  return {
    letter: "A",
    who: pairwise?.a ?? { agent: turn.agent, model: turn.context?.model ?? "" },
    text: cell?.text ?? turn.answer,
    missing: "The turn gave no answer.",
    grade: turn.grade,
    figures: figuresOf(turn.durationMs, turn.inputTokens, turn.outputTokens),
  };
}

function sideB(store: Store, { pairwise, shadow, other }: Pair, text: string): Side {
  const streamed = other === undefined ? "" : (answerCell(other)?.text ?? "");
  const input = shadow?.inputTokens ?? other?.inputTokens ?? 0;
  const output = shadow?.outputTokens ?? other?.outputTokens ?? 0;
  return {
    letter: "B",
    who: shadow ?? pairwise?.b,
    text: text === "" ? streamed : text,
    missing: missingWords(store, shadow, other),
    grade: other?.grade,
    figures: figuresOf(shadow?.durationMs, input, output),
  };
}

function missingWords(store: Store, shadow: Shadow | undefined, other: TurnModel | undefined): string {
  if (shadow?.error !== undefined) return shadow.error.message;
  if (other?.status === "running") return `B is answering, ${elapsed(store.now() - other.start)}`;
  if (other?.status === "interrupted") return "B was interrupted before it had answered.";
  return "The second answer is not in this trace.";
}

function figuresOf(ms: number | undefined, input: number, output: number): readonly string[] {
  return [
    ...(ms === undefined ? [] : [duration(ms)]),
    ...(input + output === 0 ? [] : [`${tokenCount(input)} in, ${count(output)} out`]),
  ];
}

function SideBox(props: {
  readonly store: Store;
  readonly side: Side;
  readonly winner: "A" | "B" | null | undefined;
  /** Stands in the place of the answer. */
  readonly children: VNode | null;
}): VNode {
  const { store, side, winner } = props;
  const { letter, who, text, grade } = side;
  const temperature = who?.temperature;
  const by = [
    who?.agent ?? "",
    who?.model ?? "",
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
    ...side.figures,
  ].filter((word) => word !== "");
  return (
    <section class={winner === letter ? "side better" : "side"} aria-label={`Answer ${letter}`}>
      <div class="side-head">
        <span class="what">{letter}</span>
        {winner === letter ? (
          <span class="nowrap">
            <Icon name="check" /> found better
          </span>
        ) : null}
        {grade === undefined ? null : <GradeBadge score={grade.score} why={whyUngraded(grade)} />}
      </div>
      <p class="dim">{by.join(" · ")}</p>
      {props.children ??
        (text === "" ? <p class="dim">{side.missing}</p> : <Markdown text={text} complete />)}
      {letter === "B" && grade !== undefined ? (
        <details class="grade-why">
          <summary>
            Why<span class="sr-only"> the grade of answer B</span>
          </summary>
          <GradeDetails store={store} grade={grade} />
        </details>
      ) : null}
    </section>
  );
}

function StepsButton(props: {
  readonly store: Store;
  readonly other: TurnModel;
  readonly stepsKey: string;
}): VNode {
  const { store, other, stepsKey } = props;
  const open = store.isOpen(stepsKey, false);
  const { steps } = other;
  return (
    <button type="button" class="quiet" aria-expanded={open} onClick={() => store.fold(stepsKey, !open)}>
      {steps === 0 ? "Steps" : `${count(steps)} ${steps === 1 ? "step" : "steps"}`} of B{" "}
      <Icon name={open ? "chevron-up" : "chevron-down"} />
    </button>
  );
}

function TakeButton(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly pair: Pair;
}): VNode | null {
  const { store, turn, pair } = props;
  if (isTaken(turn))
    return (
      <span class="dim">
        <Icon name="check" /> you took answer B: memory recalls it
      </span>
    );
  if (store.readOnly || store.critic.state === undefined || pair.shadow?.outcome !== "answered") return null;
  if (turn.forgotten !== undefined) return null;
  if (store.critic.isTaken(turn.turnId))
    return (
      <span class="dim" role="status">
        <Icon name="check" /> memory was asked to recall answer B from now on
      </span>
    );
  return (
    <button
      type="button"
      class="quiet"
      title="Memory recalls B's answer from then on, as if the turn had given it"
      onClick={() => {
        store.critic.take({ sessionId: turn.sessionId, turnId: turn.turnId });
        store.redraw();
      }}
    >
      <Icon name="check" /> Use this answer<span class="sr-only">: B</span>
    </button>
  );
}

function Verdict({ pairwise }: { readonly pairwise: Pairwise }): VNode {
  const { feedback, orders = [], orderBound, sameFamily } = pairwise;
  const how = howWords(pairwise);
  return (
    <>
      {feedback === "" ? null : (
        <div class="said">
          <Markdown text={feedback} complete />
        </div>
      )}
      {orderBound === true ? (
        <p class="judge-warning">
          <Icon name="warning" tone="warning" /> The judge chose the same place in both orders: it went by the
          order, not by the answers, so that it is a tie.
        </p>
      ) : null}
      {orders.length === 0 ? null : <Orders orders={orders} />}
      <RawWords {...pairwise} />
      <FamilyWarning family={sameFamily} />
      <p class="dim judge-how">
        {how.join(" · ")}
        {how.length === 0 ? "" : ". "}A verdict is an opinion, not a proof.
      </p>
    </>
  );
}

/** What the judge said in each order of the answers. */
function Orders({ orders }: { readonly orders: readonly PairwiseOrder[] }): VNode {
  return (
    <details class="grade-why">
      <summary>Both orders, word for word</summary>
      {orders.map(({ first, winner, feedback, raw }, at) => (
        <div key={at} class="order">
          <p>
            {first} first:{" "}
            {winner === null
              ? raw === undefined
                ? "a tie"
                : "nothing could be read"
              : `${winner} is better`}
          </p>
          {feedback === "" ? null : <Markdown text={feedback} complete />}
          <RawWords {...(raw === undefined ? {} : { raw })} />
        </div>
      ))}
    </details>
  );
}
