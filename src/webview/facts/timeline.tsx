import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { TurnModel } from "../../trace/model.ts";
import { Section } from "../fact-lines.tsx";
import { count, duration } from "../format.ts";
import { useClock } from "../hooks.ts";
import type { Store } from "../store.ts";
import { afterLanes } from "../timeline-after.ts";
import { TONE_WORDS, type Bar, type Lane, type Part } from "../timeline-lane.ts";
import { lanesOf, laneWords, tonesOf } from "../timeline.ts";

/** Narrower than this share of the turn, a part is drawn as a line all the same; percent. */
const LEAST_WIDTH = 0.8;
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** What is left of the width for the turn where something was done after it, and where that begins; percent. */
const OWN_SHARE = 78;
const AFTER_FROM = 82;

interface Span {
  readonly start: number;
  readonly whole: number;
  /** Where it is drawn, percent of the width. */
  readonly left: number;
  readonly share: number;
}

const WHOLE = { left: 0, share: 100 };

function keyOf({ key, cellId }: Bar): string {
  return key ?? cellId;
}

function placeOf({ from, to }: Pick<Part, "from" | "to">, { start, whole, left: at, share }: Span) {
  const left = at + Math.min(0.99, Math.max(0, (from - start) / whole)) * share;
  const width = Math.min(at + share - left, Math.max(LEAST_WIDTH, ((to - from) / whole) * share));
  return { left: `${left}%`, width: `${width}%` };
}

/**
 * Who did what when, and behind a line what was done after the answer, on a scale of its own: that may be hours later.
 * Every bar is a way to its cell: the whole is one stop of the Tab key, in which the arrows go from bar to bar.
 */
export function Timeline({ store, turn }: { readonly store: Store; readonly turn: TurnModel }): VNode | null {
  const now = useClock(store, store.running);
  const [active, setActive] = useState("");
  const root = useRef<HTMLDivElement>(null);
  const own = lanesOf(turn, now);
  const after = afterLanes(turn);
  const lanes = [...own, ...after.lanes];
  if (lanes.length === 0) return null;
  const hasAfter = after.lanes.length > 0;
  const width = hasAfter ? { left: 0, share: OWN_SHARE } : WHOLE;
  const span = { start: turn.start, whole: Math.max(1, (turn.end ?? now) - turn.start), ...width };
  const later = {
    ...{ start: 0, whole: Math.max(1, after.whole) },
    ...{ left: AFTER_FROM, share: 100 - AFTER_FROM },
  };
  const ids = lanes.flatMap(({ bars }) => bars.map(keyOf));
  const stop = ids.includes(active) ? active : ids[0];
  return (
    <Section title="Timeline">
      <div
        ref={root}
        class={hasAfter ? "lanes with-after" : "lanes"}
        role="group"
        aria-label="Timeline: left and right go from one bar to the next, up and down from lane to lane, Enter shows the cell"
        onKeyDown={(event) => onBarKey(event, root.current)}
        onFocusCapture={({ target }) => {
          const id = target instanceof HTMLElement ? target.dataset["bar"] : undefined;
          if (id !== undefined) setActive(id);
        }}
      >
        {lanes.map((lane, index) => (
          <LaneLine
            key={`${index < own.length}${lane.name}`}
            {...{ store, lane, stop, index }}
            span={index < own.length ? span : later}
          />
        ))}
      </div>
      <Legend lanes={lanes} after={hasAfter ? after.took : undefined} />
    </Section>
  );
}

function LaneLine(props: {
  readonly store: Store;
  readonly lane: Lane;
  readonly span: Span;
  readonly stop: string | undefined;
  readonly index: number;
}): VNode {
  const { store, lane, span, stop, index } = props;
  return (
    <div class="lane" role="group" aria-label={`${lane.name}, ${laneWords(lane)}`}>
      <span class="ellipsis" title={lane.name}>
        {lane.name}
      </span>
      <span class="lane-bars">
        {lane.bars.map((bar) => (
          <BarButton key={keyOf(bar)} {...{ store, bar, span, index }} focusable={keyOf(bar) === stop} />
        ))}
      </span>
    </div>
  );
}

function BarButton(props: {
  readonly store: Store;
  readonly bar: Bar;
  readonly span: Span;
  readonly index: number;
  readonly focusable: boolean;
}): VNode {
  const { store, bar, span, focusable } = props;
  const { parts } = bar;
  const from = parts[0]?.from ?? 0;
  const to = parts.at(-1)?.to ?? from;
  const inner = { start: from, whole: Math.max(1, to - from), ...WHOLE };
  return (
    <button
      type="button"
      class={bar.failed === true ? "lane-bar failed" : "lane-bar"}
      style={placeOf({ from, to }, span)}
      title={bar.title}
      aria-label={bar.title}
      data-bar={keyOf(bar)}
      data-lane={props.index}
      tabIndex={focusable ? 0 : -1}
      onClick={() => store.goTo(bar.cellId)}
    >
      {parts.map((part, index) => (
        <i
          key={index}
          class={`fill-${part.tone}`}
          // What took no time at all is seen as a line all the same.
          style={parts.length === 1 ? { left: 0, right: 0 } : placeOf(part, inner)}
        />
      ))}
    </button>
  );
}

function onBarKey(event: KeyboardEvent, root: HTMLElement | null): void {
  const { target, key } = event;
  if (root === null || !(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey)
    return;
  const bars = [...root.querySelectorAll<HTMLElement>("[data-bar]")];
  const at = bars.indexOf(target);
  if (at < 0) return;
  const to = STEPS[key] === undefined ? otherLane(bars, target, key) : bars[at + (STEPS[key] ?? 0)];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  to.focus();
}

/** The first bar of the lane above or below; the ends of the timeline by Home and End. */
function otherLane(bars: readonly HTMLElement[], from: HTMLElement, key: string): HTMLElement | undefined {
  if (key === "Home") return bars[0];
  if (key === "End") return bars.at(-1);
  const lane = Number(from.dataset["lane"]);
  const of = (step: number) => bars.find((bar) => Number(bar.dataset["lane"]) === lane + step);
  return key === "ArrowDown" ? of(1) : key === "ArrowUp" ? of(-1) : undefined;
}

function Legend(props: {
  readonly lanes: readonly Lane[];
  /** How long what came after the answer took, in milliseconds; undefined: nothing did. */
  readonly after: number | undefined;
}): VNode {
  const { lanes, after } = props;
  return (
    <p class="lane-legend">
      {tonesOf(lanes).map((tone) => (
        <span key={tone}>
          <i class={`swatch fill-${tone}`} aria-hidden="true" />
          {TONE_WORDS[tone]}
        </span>
      ))}
      {lanes.some(({ bars }) => bars.some(({ failed }) => failed)) ? (
        <span>
          <b class="failed-mark" aria-hidden="true">
            ×
          </b>
          failed
        </span>
      ) : null}
      {lanes
        .filter(({ left }) => left > 0)
        .map(({ name, bars, left }) => (
          <span key={name}>
            {name}: the first {count(bars.length)} of {count(bars.length + left)} calls are drawn
          </span>
        ))}
      {after === undefined ? null : (
        <span>
          <i class="after-mark" aria-hidden="true" />
          after the answer{after > 0 ? `: ${duration(after)}, its own scale` : ""}
        </span>
      )}
    </p>
  );
}
