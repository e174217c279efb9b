import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Cell } from "../../trace/cells.ts";
import { saysTheSame, textsOf, type ComparedStep } from "../../trace/compare/align.ts";
import { cutKey } from "../../trace/posted.ts";
import { count, duration } from "../format.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";
import { toolLook } from "../tool-icons.ts";
import type { ComparedSide } from "./state.ts";
import { Texts, type Piece } from "./texts.tsx";

/** Steps that are drawn at most; a comparison of more is read turn by turn. */
const MAX_STEPS = 400;

/** The two turns, whose steps are compared. */
interface Sides {
  readonly left: ComparedSide;
  readonly right: ComparedSide;
}

/** Step by step where two turns differ; on demand also what is the same in both. */
export function Steps(props: {
  readonly store: Store;
  readonly sides: Sides;
  readonly steps: readonly ComparedStep[];
}): VNode {
  const { store, sides, steps } = props;
  const { compare } = store;
  const differing = steps.filter((step) => !isSame(sides, step));
  const shown = compare.showSame ? steps : differing;
  const same = steps.length - differing.length;
  return (
    <div class="compare-part">
      <h3>
        Step by step
        <span class="dim">
          {` · ${count(differing.length)} of ${count(steps.length)} differ`}
          {shown.length > MAX_STEPS ? `, the first ${count(MAX_STEPS)} are shown` : ""}
        </span>
        {same === 0 ? null : (
          <label class="compare-same">
            <input
              type="checkbox"
              checked={compare.showSame}
              onChange={() => {
                compare.showSame = !compare.showSame;
                store.redraw();
              }}
            />
            show what is the same
          </label>
        )}
      </h3>
      {shown.length === 0 && steps.length > 0 ? (
        <p class="dim">Every step says the same on both sides.</p>
      ) : null}
      {shown.slice(0, MAX_STEPS).map((step, index) => (
        <Step key={step.left?.id ?? step.right?.id ?? index} store={store} sides={sides} step={step} />
      ))}
    </div>
  );
}

/** Whether a step says the same on both sides. Of long texts the beginning is known, and how long the whole is. */
function isSame(sides: Sides, { left, right }: ComparedStep): boolean {
  if (left === undefined || right === undefined || !saysTheSame(left, right)) return false;
  return textsOf(left).every(([name]) => {
    const [one, other] = [
      sides.left.cuts.get(cutKey(left.id, name)),
      sides.right.cuts.get(cutKey(right.id, name)),
    ];
    return one?.length === other?.length;
  });
}

/** One step of both turns; what only one of them has is said in words. */
function Step(props: {
  readonly store: Store;
  readonly sides: Sides;
  readonly step: ComparedStep;
}): VNode | null {
  const { left, right, who } = props.step;
  const cell = left ?? right;
  const isLone = left === undefined || right === undefined;
  const word = isLone
    ? `only ${left === undefined ? "right" : "left"}`
    : isSame(props.sides, props.step)
      ? "same"
      : "";
  // What differs is open until the user says otherwise: which steps do is only known once both turns have come.
  const [chosen, choose] = useState<boolean | undefined>(undefined);
  const open = chosen ?? word === "";
  if (cell === undefined) return null;
  return (
    <details
      class={`compare-step ${word.replace(" ", "-")}`}
      open={open}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== open) choose(currentTarget.open);
      }}
    >
      <summary>
        <Icon name={iconOf(cell)} />
        <span class="what">{nameOf(cell)}</span>
        {who === "" ? null : <span class="ellipsis">{who}</span>}
        {word === "" ? null : <span class="dim nowrap">{word}</span>}
        <span class="compare-times">
          <span>{timeOf(left)}</span>
          <span>{timeOf(right)}</span>
        </span>
      </summary>
      {open ? <StepTexts {...props} /> : null}
    </details>
  );
}

function StepTexts(props: {
  readonly store: Store;
  readonly sides: Sides;
  readonly step: ComparedStep;
}): VNode {
  const { store, sides, step } = props;
  const { left, right } = step;
  const lefts = piecesOf(sides.left, left);
  const rights = piecesOf(sides.right, right);
  const names = [...new Set([...lefts.keys(), ...rights.keys()])];
  const none = (side: ComparedSide): Piece => ({ turn: side.name, text: "" });
  return (
    <>
      {names.map((name) => (
        <Texts
          key={name}
          store={store}
          title={name}
          left={lefts.get(name) ?? none(sides.left)}
          right={rights.get(name) ?? none(sides.right)}
          {...(left === undefined ? { only: "right" } : right === undefined ? { only: "left" } : {})}
        />
      ))}
    </>
  );
}

/** What a cell says, by name. */
function piecesOf({ name: turn, cuts }: ComparedSide, cell: Cell | undefined): ReadonlyMap<string, Piece> {
  const texts = cell === undefined ? [] : textsOf(cell);
  return new Map(
    texts.map(([name, text]) => [name, { turn, text, cut: cuts.get(cutKey(cell?.id ?? "", name)) }]),
  );
}

function iconOf(cell: Cell): string {
  if (cell.kind === "tool") return toolLook(cell.name).icon;
  const icons: { readonly [kind in Cell["kind"]]?: string } = {
    thinking: "lightbulb",
    model: "server-process",
    remark: "comment",
    answer: "sparkle",
    warning: "warning",
    error: "error",
  };
  return icons[cell.kind] ?? "json";
}

function nameOf(cell: Cell): string {
  if (cell.kind === "tool") return cell.name;
  if (cell.kind === "model") return cell.step > 0 ? `Step ${cell.step}` : "Model";
  return cell.kind.charAt(0).toUpperCase() + cell.kind.slice(1);
}

function timeOf(cell: Cell | undefined): string {
  return cell?.end === undefined ? "" : duration(cell.end - cell.start);
}
