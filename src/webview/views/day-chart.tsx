import type { VNode } from "preact";
import { date } from "../format.ts";

/** One day of a chart. */
export interface ChartDay {
  /** The day's first moment, milliseconds since the epoch; where it is no day, anything of its own. */
  readonly from: number;
  /** What it is called; left out: the day. */
  readonly name?: string;
  /** Something is missing from it: it has a mark at its foot. */
  readonly hollow?: boolean;
  /** How high its bar is; null: there is none. */
  readonly value: number | null;
  /** How much of it is marked, from the foot up: the part that failed. */
  readonly marked?: number;
  /** The day in words, such as `12 calls, 2 failed`. */
  readonly words: string;
}

/** The day of a chart in words. */
function dayName(day: ChartDay | undefined): string {
  if (day === undefined) return "";
  const name = date(day.from);
  return name === date(Date.now()) ? "today" : name;
}

/** Bars of the latest days; the same in words for those who don't see them. `most` is what a full bar means. */
export function DayChart(props: {
  readonly title: string;
  readonly days: readonly ChartDay[];
  readonly most: number;
  readonly fill: string;
  /** What stands under its ends; left out: the first day, and the last. */
  readonly ends?: readonly [string, string];
}): VNode {
  const { title, days, most, fill } = props;
  const nameOf = ({ name, from }: ChartDay) => name ?? date(from);
  const [first, last] = props.ends ?? [dayName(days[0]), dayName(days.at(-1))];
  const share = (value: number) => `${most === 0 ? 0 : Math.min(100, (100 * value) / most)}%`;
  const told = days.filter(({ value, hollow }) => hollow === true || (value !== null && value > 0));
  return (
    <figure class="day-chart">
      <figcaption class="dim">{title}</figcaption>
      <div class="day-bars" aria-hidden="true">
        {days.map((day) => {
          const { from, value, marked = 0, words, hollow = false } = day;
          return (
            <span key={from} class={hollow ? "day hollow" : "day"} title={`${nameOf(day)}: ${words}`}>
              {value === null || value === 0 ? null : (
                <i class={fill} style={{ height: share(value) }}>
                  {marked === 0 ? null : (
                    <b class="fill-failed" style={{ height: `${(100 * marked) / value}%` }} />
                  )}
                </i>
              )}
            </span>
          );
        })}
      </div>
      <div class="day-ends dim" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </div>
      <ul class="sr-only">
        {told.map((day) => (
          <li key={day.from}>
            {nameOf(day)}: {day.words}
          </li>
        ))}
        {told.length === 0 ? <li>Nothing on any of these days.</li> : null}
      </ul>
    </figure>
  );
}
