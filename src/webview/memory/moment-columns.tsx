import { when, span } from "../format.ts";
import { pin, Pinned, type Column } from "./column.tsx";
import { scopeWords } from "./detail-fields.ts";

/** The columns of moments. */
export const MOMENT_COLUMNS: readonly Column<"moments">[] = [
  {
    key: "time",
    label: "When",
    track: "minmax(76px, 128px)",
    min: 0,
    sort: "time",
    cell: ({ from, to }, now) => <span class="dim">{span(from, to, now)}</span>,
    title: ({ from, to }, now) => (from === to ? when(from, now) : `${when(from, now)} to ${when(to, now)}`),
  },
  {
    key: "title",
    label: "Title",
    track: "minmax(0, 1.2fr)",
    min: 0,
    sort: "title",
    cell: ({ title, text }) => (title === "" ? text : title),
    title: ({ title }) => title,
  },
  {
    key: "text",
    label: "Text",
    track: "minmax(0, 1.4fr)",
    min: 460,
    cell: ({ text }) => <span class="dim">{text}</span>,
    title: ({ text }) => text,
  },
  {
    key: "agent",
    label: "Agent",
    track: "92px",
    min: 600,
    sort: "agent",
    cell: ({ agent }) => <span class="dim">{agent}</span>,
    title: ({ agent }) => agent,
  },
  {
    key: "session",
    label: "Session",
    track: "minmax(70px, 0.6fr)",
    min: 860,
    cell: ({ source }, _now, { session }) => <span class="dim">{session(source.sessionId)}</span>,
    title: ({ source }, _now, { session }) => session(source.sessionId),
  },
  {
    key: "scope",
    label: "Scope",
    track: "124px",
    min: 720,
    cell: (_row, _now, { line }) => <span class="dim">{scopeWords(line)}</span>,
    title: (_row, _now, { line }) => scopeWords(line),
  },
  { ...pin, cell: ({ pinned }) => <Pinned on={pinned === true} /> },
];
