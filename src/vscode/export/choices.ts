import * as vscode from "vscode";
import { FORMAT_NAMES, FORMATS, type ExportFormat } from "../../trace/export/formats.ts";
import type { CleanOptions } from "../../trace/export/redact/options.ts";
import { moment } from "../../trace/export/story/words.ts";
import type { TurnSummary } from "../../trace/summary.ts";
import { cleaningOf, type LeaveOutName } from "./args.ts";
import type { ExportLog } from "./source.ts";
import { pickMany, pickOne } from "../pickers.ts";

/** What there is to pick from. */
type Listed = Pick<ExportLog, "sessions" | "rows">;

/** Sessions whose turns are offered, the newest. */
const MAX_SESSIONS = 50;
const MAX_TITLE = 80;

/** A session, or one turn of it. */
export interface ExportPlace {
  readonly sessionId: string;
  readonly turnId?: string;
}

function titleOf(text: string): string {
  return text === "" ? "(nothing asked)" : text.slice(0, MAX_TITLE);
}

/** Has the user pick a session; the one that is shown comes first. */
export async function pickSession(
  log: Listed,
  shown: string,
  title = "Conclave: export which session?",
): Promise<ExportPlace | undefined> {
  const page = await log.sessions({ offset: 0, limit: MAX_SESSIONS });
  const sessions = page.ok ? page.value.sessions.filter(({ turns }) => turns > 0) : [];
  const first = sessions.filter(({ sessionId }) => sessionId === shown);
  const rest = sessions.filter(({ sessionId }) => sessionId !== shown);
  const items = [...first, ...rest].map(({ sessionId, title, turns, updatedAt }) => ({
    label: titleOf(title),
    description: `${turns} ${turns === 1 ? "turn" : "turns"} · ${moment(updatedAt)}`,
    sessionId,
  }));
  if (items.length === 0) {
    sayNothing();
    return undefined;
  }
  const picked = await pickOne(items, { title, matchOnDescription: true });
  return picked && { sessionId: picked.sessionId };
}

/** Has the user pick a turn; those of the session that is shown come first, the newest of each session before older ones. */
export async function pickTurn(log: Listed, shown: string): Promise<ExportPlace | undefined> {
  const page = await log.sessions({ offset: 0, limit: MAX_SESSIONS });
  const ids = page.ok ? page.value.sessions.map(({ sessionId }) => sessionId) : [];
  const ordered = [...ids.filter((id) => id === shown), ...ids.filter((id) => id !== shown)];
  const rows = await Promise.all(ordered.map((sessionId) => log.rows(sessionId)));
  const items = rows.flatMap((read) => (read.ok ? read.value.toReversed().map(turnItem) : []));
  if (items.length === 0) {
    sayNothing();
    return undefined;
  }
  const picked = await pickOne(items, {
    title: "Conclave: export which turn?",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.place;
}

function turnItem(row: TurnSummary): vscode.QuickPickItem & { readonly place: ExportPlace } {
  const { sessionId, turnId, question, answer, status, time } = row;
  return {
    label: titleOf(question),
    description: `${status} · ${moment(time)}`,
    detail: answer,
    place: { sessionId, turnId },
  };
}

function sayNothing(): void {
  void vscode.window.showInformationMessage("Conclave: there is nothing to export yet.");
}

/** Has the user pick a format. */
export async function pickFormat(): Promise<ExportFormat | undefined> {
  const items = FORMAT_NAMES.map((format) => ({
    label: FORMATS[format].label,
    detail: FORMATS[format].detail,
    format,
  }));
  const picked = await pickOne(items, { title: "Conclave: export as what?" });
  return picked?.format;
}

interface LeaveOutItem extends vscode.QuickPickItem {
  readonly name: LeaveOutName | "secrets";
}

const LEAVE_OUT_ITEMS: readonly LeaveOutItem[] = [
  {
    name: "secrets",
    label: "Secrets",
    detail: "Keys, tokens, passwords, private keys, cookies, each by a marker in its place",
    picked: true,
  },
  {
    name: "files",
    label: "File contents",
    detail: "What was attached, and what tools read in the workspace",
  },
  { name: "home", label: "Home folder", detail: "Paths begin with ~ instead of with your name" },
  { name: "memory", label: "Memory", detail: "What was recalled and what was learnt" },
  { name: "thinking", label: "Thinking", detail: "What models thought" },
];

/** Has the user choose what is taken out; secrets are, unless the user says otherwise. */
export async function pickCleaning(): Promise<CleanOptions | undefined> {
  const picked = await pickMany(LEAVE_OUT_ITEMS, {
    title: "Conclave: what is taken out?",
  });
  if (picked === undefined) return undefined;
  const names = picked.map(({ name }) => name);
  const others = names.filter((name): name is LeaveOutName => name !== "secrets");
  return cleaningOf(names.includes("secrets"), others);
}
