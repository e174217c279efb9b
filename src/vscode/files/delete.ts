import * as vscode from "vscode";
import { z } from "zod";
import type { SessionSummary } from "../../trace/session-list.ts";
import { oneLine } from "../../trace/text.ts";
import { readArgs } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { showFailure, withCancellableProgress } from "../editor.ts";
import type { Services } from "../services.ts";
import { deleteSessions, type DeleteWhat } from "./delete-session.ts";
import { pickMany } from "../pickers.ts";

/** Sessions that one list to delete from shows at most: the newest. */
const MAX_LISTED = 500;
const PAGE = 100;
const MAX_TITLE = 80;

const SessionId = z.string().min(1).max(200);
/** A session by its id alone, or as the menu of a turn in the list names it. */
const Named = z.union([
  SessionId,
  z.object({ sessionId: SessionId }).transform(({ sessionId }) => sessionId),
]);

/** Deletes the named session, or those that the user picks, once they have agreed. Gives how many traces were deleted. */
export async function deleteSession(container: Container, args: readonly unknown[]): Promise<number> {
  const services = await container.services();
  const named = readArgs(Named, args[0]);
  const sessions = named === undefined ? await pick(services) : await find(services, named);
  return sessions.length === 0 ? 0 : await askAndDelete(services, sessions);
}

/** Deletes all sessions, once the user has agreed. Gives how many traces were deleted. */
export async function deleteAllSessions(container: Container): Promise<number> {
  const services = await container.services();
  const sessions = await list(services, Number.MAX_SAFE_INTEGER);
  if (sessions.length === 0) {
    void vscode.window.showInformationMessage("Conclave: there is no session to delete.");
    return 0;
  }
  return await askAndDelete(services, sessions);
}

async function askAndDelete(services: Services, sessions: readonly SessionSummary[]): Promise<number> {
  const what = await ask(services, sessions);
  if (what === undefined) return 0;
  const ids = sessions.map(({ sessionId }) => sessionId);
  const done = await withCancellableProgress("Conclave: deleting", (signal) =>
    deleteSessions(services, ids, what, signal),
  );
  // A question of the Command Palette would go on with a session that is no more.
  if (ids.includes(services.commandSession.id ?? "")) services.commandSession.id = undefined;
  if (done.ok) return done.value;
  void showFailure(done.failure);
  return 0;
}

async function ask(services: Services, sessions: readonly SessionSummary[]): Promise<DeleteWhat | undefined> {
  const [first] = sessions;
  const [message, its] =
    sessions.length === 1
      ? [`Delete the session "${titleOf(first)}" for good?`, "Its trace is"]
      : [`Delete ${sessions.length} sessions for good?`, "Their traces are"];
  const running = sessions.filter(({ sessionId }) => services.engine.running(sessionId) !== undefined);
  const stops = running.length === 0 ? "" : " What still runs in it is stopped first.";
  const memory = services.settings().settings.memoryEnabled;
  const stays = memory ? "What was remembered stays in memory, unless you delete it too." : "";
  const detail = `${its} removed from the disk and can't be brought back.${stops} ${stays}`.trim();
  const alone = memory ? "Delete Trace Only" : "Delete";
  const both = "Delete Trace and Memories";
  const buttons = memory ? [alone, both] : [alone];
  const pressed = await vscode.window.showWarningMessage(message, { modal: true, detail }, ...buttons);
  if (pressed === undefined) return undefined;
  return pressed === both ? "memories" : "traces";
}

function titleOf(session: SessionSummary | undefined): string {
  const title = oneLine(session?.title ?? "", MAX_TITLE);
  return title === "" ? (session?.sessionId ?? "").slice(0, 8) : title;
}

async function list({ log }: Services, most: number): Promise<readonly SessionSummary[]> {
  await log.flush();
  const found: SessionSummary[] = [];
  while (found.length < most) {
    const page = await log.sessions({ offset: found.length, limit: PAGE });
    if (!page.ok) {
      void showFailure(page.failure);
      return [];
    }
    found.push(...page.value.sessions);
    if (page.value.sessions.length === 0 || found.length >= page.value.total) break;
  }
  return found;
}

async function find(services: Services, sessionId: string): Promise<readonly SessionSummary[]> {
  const rows = await services.log.rows(sessionId);
  if (!rows.ok) {
    void showFailure(rows.failure);
    return [];
  }
  const title = rows.value.find(({ question }) => question !== "")?.question ?? "";
  return [{ sessionId, createdAt: 0, updatedAt: 0, title, turns: rows.value.length }];
}

async function pick(services: Services): Promise<readonly SessionSummary[]> {
  const sessions = await list(services, MAX_LISTED);
  const items = sessions.map((session) => ({
    label: titleOf(session),
    description: session.turns === 1 ? "1 turn" : `${session.turns} turns`,
    detail: new Date(session.updatedAt).toLocaleString(),
    session,
  }));
  const options = { title: "Conclave: delete which sessions?" };
  const picked = await pickMany(items, options);
  return picked?.map(({ session }) => session) ?? [];
}
