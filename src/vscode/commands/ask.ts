import type { RunningTurn } from "../../agent/engine-port.ts";
import type { Failure } from "../../agent/failure.ts";
import { AskArgs, readArgs } from "../ask-args.ts";
import { selectionReference } from "../chat/references.ts";
import type { Container } from "../container.ts";
import { showFailure } from "../editor.ts";
import type { Services } from "../services.ts";
import { askLine } from "../pickers.ts";

/** What `conclave.ask` resolves with when code runs it. */
export interface AskResult {
  readonly sessionId: string;
  readonly turnId: string;
  readonly answer: string;
  readonly outcome: "answered" | "failed" | "cancelled";
  readonly error?: Failure;
}

/** A question that was not taken. */
export interface AskRefusal {
  readonly outcome: "refused";
  readonly error: Failure;
}

/**
 * Asks a question: the one of the arguments, or one that the user types. The trace panel shows the turn unless `open`
 * is false. Resolves with the end of the turn; undefined when the user typed nothing.
 */
export async function ask(
  container: Container,
  args: readonly unknown[],
): Promise<AskResult | AskRefusal | undefined> {
  const services = await container.services();
  const given = readArgs(AskArgs, args[0]) ?? {};
  const byHand = given.question === undefined;
  const { settings } = services.settings();
  const selection = byHand ? await selectionReference(settings.contextLength) : undefined;
  const sessionId = given.sessionId ?? (byHand ? services.commandSession.id : undefined);
  const question = given.question ?? (await askForQuestion(services, sessionId, selection?.label));
  if (question === undefined) return undefined;
  const started = await services.engine.ask({
    question,
    door: "command",
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(selection === undefined ? {} : { references: [selection] }),
    ...((given.committee ?? settings.committeeEnabled) ? { options: { committee: {} } } : {}),
  });
  if (!started.ok) {
    if (given.open !== false)
      void showFailure(started.failure, { question, ...(sessionId === undefined ? {} : { sessionId }) });
    return { outcome: "refused", error: started.failure };
  }
  const turn = started.value;
  if (byHand) services.commandSession.id = turn.sessionId;
  if (given.open !== false)
    (await container.panel()).reveal({ sessionId: turn.sessionId, turnId: turn.turnId });
  return await ending(turn);
}

/** Asks the committee, as `ask` does. */
export function askCommittee(
  container: Container,
  args: readonly unknown[],
): Promise<AskResult | AskRefusal | undefined> {
  const given = readArgs(AskArgs, args[0]) ?? {};
  return ask(container, [{ ...given, committee: true }]);
}

async function ending(turn: RunningTurn): Promise<AskResult> {
  const { outcome, answer, error } = await turn.done;
  const { sessionId, turnId } = turn;
  return { sessionId, turnId, answer, outcome, ...(error === undefined ? {} : { error }) };
}

/** Asks for a question; the box says which session goes on and what is attached. */
async function askForQuestion(
  services: Services,
  sessionId: string | undefined,
  selection: string | undefined,
): Promise<string | undefined> {
  const rows = sessionId === undefined ? undefined : await services.log.rows(sessionId);
  const first = rows?.ok === true ? rows.value[0]?.question : undefined;
  const about = first === undefined ? "a new session" : `goes on with: ${first}`;
  const question = await askLine({
    title: `Conclave: Ask (${about})`,
    placeHolder: "What did we decide about the cache?",
    ...(selection === undefined ? {} : { prompt: `With the selection ${selection}.` }),
  });
  return question?.trim() === "" ? undefined : question?.trim();
}
