import * as vscode from "vscode";
import { z } from "zod";
import { readArgs, TurnPlace } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { showFailure } from "../editor.ts";
import type { Services } from "../services.ts";
import { askForSynthesis } from "../synthesis.ts";
import { pickOne } from "../pickers.ts";

/** Sums up once more what the committee of a turn said; the trace panel shows it. Gives the new turn's place. */
export async function retrySynthesis(
  container: Container,
  args: readonly unknown[],
): Promise<TurnPlace | undefined> {
  const turn = readArgs(TurnPlace, args[0]);
  if (turn === undefined) return undefined;
  const started = await askForSynthesis(await container.services(), turn, "command");
  if (!started.ok) {
    void showFailure(started.failure);
    return undefined;
  }
  const { sessionId, turnId } = started.value;
  (await container.panel()).reveal({ sessionId, turnId });
  return { sessionId, turnId };
}

const SessionId = z.string().min(1).max(200);
/** Sessions that are offered at most. */
const MAX_SESSIONS = 30;

/**
 * Takes back the summary that stands in the place of a session's earlier turns: of the named session, or of the one that
 * the user picks. True when there was one.
 */
export async function restoreContext(container: Container, args: readonly unknown[]): Promise<boolean> {
  const services = await container.services();
  const sessionId = readArgs(SessionId, args[0]) ?? (await pickSession(services));
  if (sessionId === undefined) return false;
  const restored = await services.engine.restoreContext?.(sessionId);
  if (restored?.ok === false) {
    await showFailure(restored.failure);
    return false;
  }
  const done = restored?.value === true;
  void vscode.window.showInformationMessage(
    done
      ? "Conclave: the earlier turns of the session are sent as they are again."
      : "Conclave: no summary stands in the place of earlier turns of this session.",
  );
  return done;
}

async function pickSession({ log }: Services): Promise<string | undefined> {
  const page = await log.sessions({ offset: 0, limit: MAX_SESSIONS });
  if (!page.ok) {
    await showFailure(page.failure);
    return undefined;
  }
  const items = page.value.sessions
    .filter(({ turns }) => turns > 1)
    .map(({ sessionId, title, turns }) => ({ label: title, description: `${turns} turns`, sessionId }));
  const title = "Conclave: undo the summary of which session?";
  return (await pickOne(items, { title }))?.sessionId;
}
