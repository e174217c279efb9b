import type { VNode } from "preact";
import type { MemoryRows, MemoryTable } from "../../agent/memory/types.ts";
import { GradeBadge } from "../judge/badge.tsx";
import { date } from "../format.ts";
import { aged, pin, Pinned, type Column } from "./column.tsx";
import { MOMENT_COLUMNS } from "./moment-columns.tsx";

export type { Column };

type Columns = { readonly [T in MemoryTable]: readonly Column<T>[] };

/** A share as a short bar and a figure. */
export function Share({ value }: { readonly value: number }): VNode {
  return (
    <span class="share">
      <span class="share-bar" aria-hidden="true">
        <i class="fill-memory" style={{ width: `${Math.max(0, Math.min(1, value)) * 100}%` }} />
      </span>
      <span class="num">{value.toFixed(2)}</span>
    </span>
  );
}

/** A statement that no longer holds says so before its text. */
function Was({ over }: { readonly over: boolean }): VNode | null {
  return over ? <span class="was">WAS</span> : null;
}

const VERDICTS = { winner: "won", loser: "lost", tie: "tie" } as const;

/** What an episode says on one line: the question, in the user's own words where they changed it; else its text. */
export function episodeTitle({ question, answer, notes }: MemoryRows["episodes"]): string {
  const asked = notes.edit?.question ?? question;
  return asked === "" ? (notes.edit?.answer ?? answer) : asked;
}

export const COLUMNS: Columns = {
  episodes: [
    aged<"episodes">("time", (row) => row.time),
    {
      key: "question",
      label: "Query",
      track: "minmax(0, 1fr)",
      min: 0,
      sort: "question",
      cell: (row) => episodeTitle(row),
      title: episodeTitle,
    },
    {
      key: "respondent",
      label: "Respondent",
      track: "108px",
      min: 620,
      sort: "respondent",
      cell: (row) => (
        <span class="dim">{row.agent === "" ? row.respondent : `${row.agent} ${row.respondent}`}</span>
      ),
      title: (row) => `${row.agent}, respondent ${row.respondent}, ${row.model}`,
    },
    {
      key: "score",
      label: "Score",
      track: "66px",
      min: 360,
      sort: "score",
      cell: ({ notes }) => (notes.score === undefined ? null : <GradeBadge score={notes.score} short />),
    },
    {
      key: "sentiment",
      label: "Sentiment",
      track: "84px",
      min: 560,
      cell: ({ notes }) => <span class={`mood ${notes.sentiment ?? ""}`}>{notes.sentiment ?? ""}</span>,
    },
    {
      key: "winner",
      label: "Winner",
      track: "64px",
      min: 500,
      cell: ({ notes }) => (notes.verdict === undefined ? "" : VERDICTS[notes.verdict]),
    },
    { ...pin, cell: ({ notes }) => <Pinned on={notes.pinned === true} /> },
  ],
  facts: [
    aged<"facts">("updatedAt", (row) => row.updatedAt),
    {
      key: "text",
      label: "Fact",
      track: "minmax(0, 1fr)",
      min: 0,
      sort: "text",
      cell: (row) => (
        <>
          <Was over={row.validTo !== null} />
          {row.text}
        </>
      ),
      title: ({ text }) => text,
    },
    {
      key: "subject",
      label: "About",
      track: "110px",
      min: 480,
      sort: "subject",
      cell: ({ subject }) => subject,
      title: ({ subject }) => subject,
    },
    { key: "kind", label: "Kind", track: "86px", min: 580, sort: "kind", cell: ({ kind }) => kind },
    {
      key: "confidence",
      label: "Confidence",
      track: "100px",
      min: 400,
      sort: "confidence",
      num: true,
      cell: ({ confidence }) => <Share value={confidence} />,
    },
    { key: "owner", label: "Of", track: "84px", min: 720, sort: "owner", cell: ({ owner }) => owner },
    {
      key: "mentions",
      label: "Said",
      track: "56px",
      min: 800,
      sort: "mentions",
      num: true,
      cell: ({ mentions }) => `${mentions} ×`,
    },
    { ...pin, cell: ({ pinned }) => <Pinned on={pinned} /> },
  ],
  people: [
    aged<"people">("updatedAt", (row) => row.updatedAt),
    {
      key: "name",
      label: "Name",
      track: "minmax(0, 1fr)",
      min: 0,
      sort: "name",
      cell: ({ name }) => name,
      title: ({ name }) => name,
    },
    { key: "type", label: "Type", track: "86px", min: 300, sort: "type", cell: ({ type }) => type },
    {
      key: "aliases",
      label: "Also called",
      track: "minmax(0, 1fr)",
      min: 480,
      cell: ({ aliases }) => <span class="dim">{aliases.join(", ")}</span>,
      title: ({ aliases }) => aliases.join(", "),
    },
    {
      key: "mentions",
      label: "Said",
      track: "56px",
      min: 380,
      sort: "mentions",
      num: true,
      cell: ({ mentions }) => `${mentions} ×`,
    },
    { ...pin, cell: ({ pinned }) => <Pinned on={pinned} /> },
  ],
  relationships: [
    { ...aged<"relationships">("updatedAt", (row) => row.updatedAt), min: 380 },
    {
      key: "from",
      label: "Who",
      track: "minmax(0, 1fr)",
      min: 0,
      sort: "from",
      cell: (row) => (
        <>
          <Was over={row.validTo !== null} />
          {row.from}
        </>
      ),
      title: ({ from }) => from,
    },
    {
      key: "type",
      label: "Relation",
      track: "minmax(70px, 0.7fr)",
      min: 0,
      sort: "type",
      cell: ({ type }) => <span class="dim">{type.replaceAll("_", " ")}</span>,
      title: ({ type, text }) => `${type}: ${text}`,
    },
    {
      key: "to",
      label: "Whom",
      track: "minmax(0, 1fr)",
      min: 0,
      sort: "to",
      cell: ({ to }) => to,
      title: ({ to }) => to,
    },
    {
      key: "strength",
      label: "Strength",
      track: "100px",
      min: 460,
      sort: "strength",
      num: true,
      cell: ({ strength }) => <Share value={strength} />,
    },
    {
      key: "validFrom",
      label: "Since",
      track: "96px",
      min: 600,
      sort: "validFrom",
      cell: ({ validFrom }) => <span class="dim">{date(validFrom)}</span>,
    },
  ],
  resources: [
    aged<"resources">("indexedAt", (row) => row.indexedAt),
    {
      key: "title",
      label: "Title",
      track: "minmax(0, 1fr)",
      min: 0,
      sort: "title",
      cell: ({ title, uri }) => (title === "" ? uri : title),
      title: ({ title }) => title,
    },
    {
      key: "uri",
      label: "Address",
      track: "minmax(0, 1fr)",
      min: 420,
      sort: "uri",
      cell: ({ uri }) => <span class="dim">{uri}</span>,
      title: ({ uri }) => uri,
    },
  ],
  moments: MOMENT_COLUMNS,
};

/** The columns of a table that fit into a width. */
export function columnsOf(table: MemoryTable, width: number): readonly Column[] {
  return (COLUMNS[table] as readonly Column[]).filter(({ min }) => width === 0 || width >= min);
}

/** The column that tells what a row is; it opens the row. */
export const MAIN_COLUMN: { readonly [T in MemoryTable]: string } = {
  episodes: "question",
  facts: "text",
  people: "name",
  relationships: "from",
  resources: "title",
  moments: "title",
};
