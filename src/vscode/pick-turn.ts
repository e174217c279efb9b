import type { TurnSummary } from "../trace/summary.ts";
import type { TurnPlace } from "./ask-args.ts";
import { showFailure } from "./editor.ts";
import type { Services } from "./services.ts";
import { pickOne } from "./pickers.ts";

/** Sessions whose turns are offered, and turns that are. */
const MAX_SESSIONS = 20;
const MAX_TURNS = 50;

/**
 * Lets the user pick one of the latest turns that `fits` and still holds its question. Undefined where they back out,
 * and where the sessions can't be read: then that is shown.
 */
export async function pickTurn(
  { log }: Pick<Services, "log">,
  title: string,
  fits: (turn: TurnSummary) => boolean,
): Promise<TurnPlace | undefined> {
  const page = await log.sessions({ offset: 0, limit: MAX_SESSIONS });
  if (!page.ok) {
    await showFailure(page.failure);
    return undefined;
  }
  const rows = await Promise.all(page.value.sessions.map(({ sessionId }) => log.rows(sessionId)));
  const items = rows
    .flatMap((read) => (read.ok ? read.value : []))
    .filter((turn) => turn.question !== "" && turn.forgotten === undefined && fits(turn))
    .sort((one, other) => other.time - one.time)
    .slice(0, MAX_TURNS)
    .map(({ sessionId, turnId, question, answer, model }) => ({
      ...{ sessionId, turnId },
      label: question,
      description: model,
      detail: answer,
    }));
  const pick = await pickOne(items, { title, matchOnDetail: true });
  return pick && { sessionId: pick.sessionId, turnId: pick.turnId };
}
