import * as vscode from "vscode";
import type { ForkOptions } from "../../agent/events-fork.ts";
import { makeFork } from "../../trace/fork/make-fork.ts";
import { readArgs, TurnPlace } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { showFailure, withCancellableProgress } from "../editor.ts";
import { modelItems } from "../models/entry.ts";
import type { Services } from "../services.ts";

/** Sessions whose turns are offered, and turns that are. */
const MAX_SESSIONS = 20;
const MAX_TURNS = 50;

const AS_BEFORE = "As before";
const TEMPERATURES = ["0", "0.3", "0.7", "1", "1.5"];

/**
 * Runs a turn again as a branch of it, with a model and a temperature that the user picks: the named turn, or one that
 * the user picks too. The trace panel shows it. Gives the new turn's place; undefined where the user backs out.
 */
export async function runTurnAgain(
  container: Container,
  args: readonly unknown[],
): Promise<TurnPlace | undefined> {
  const services = await container.services();
  const turn = readArgs(TurnPlace, args[0]) ?? (await pickTurn(services));
  if (turn === undefined) return undefined;
  const model = await pickModel(services);
  if (model === undefined) return undefined;
  const temperature = await pickTemperature();
  if (temperature === undefined) return undefined;
  const options: ForkOptions = { ...model, ...temperature };
  const made = await makeFork(services.log, { ...turn, edits: [], options }, "command");
  const started = made.ok ? await services.engine.ask(made.value) : made;
  if (!started.ok) {
    void showFailure(started.failure);
    return undefined;
  }
  const { sessionId, turnId } = started.value;
  (await container.panel()).reveal({ sessionId, turnId });
  return { sessionId, turnId };
}

async function pickTurn({ log, engine }: Services): Promise<TurnPlace | undefined> {
  const page = await log.sessions({ offset: 0, limit: MAX_SESSIONS });
  if (!page.ok) {
    await showFailure(page.failure);
    return undefined;
  }
  const rows = await Promise.all(page.value.sessions.map(({ sessionId }) => log.rows(sessionId)));
  const items = rows
    .flatMap((read) => (read.ok ? read.value : []))
    .filter(({ question, forgotten }) => question !== "" && forgotten === undefined)
    .filter(({ sessionId, turnId }) => engine.running(sessionId)?.turnId !== turnId)
    .sort((one, other) => other.time - one.time)
    .slice(0, MAX_TURNS)
    .map(({ sessionId, turnId, question, answer, model }) => ({
      ...{ sessionId, turnId },
      label: question,
      description: model,
      detail: answer,
    }));
  const title = "Conclave: run which turn again?";
  const pick = await vscode.window.showQuickPick(items, { title, matchOnDetail: true });
  return pick && { sessionId: pick.sessionId, turnId: pick.turnId };
}

/** The model; an empty choice for the one of then. */
async function pickModel(services: Services): Promise<Pick<ForkOptions, "model"> | undefined> {
  const server = services.server();
  const listed = server.ok
    ? await withCancellableProgress("Conclave: asking Ollama for its models", (signal) =>
        server.value.list(signal),
      )
    : server;
  if (!listed.ok) {
    await showFailure(listed.failure);
    return undefined;
  }
  const { model } = services.settings().settings;
  const items = modelItems(listed.value, model).map((item) => ({ ...item, label: item.name }));
  const before = { label: AS_BEFORE, description: "the model of then", detail: "", name: undefined };
  const pick = await vscode.window.showQuickPick([before, ...items], {
    title: "Conclave: run it again with which model?",
    matchOnDescription: true,
  });
  if (pick === undefined) return undefined;
  return pick.name === undefined ? {} : { model: pick.name };
}

/** The temperature; an empty choice for the one of then. */
async function pickTemperature(): Promise<Pick<ForkOptions, "temperature"> | undefined> {
  const pick = await vscode.window.showQuickPick([AS_BEFORE, ...TEMPERATURES], {
    title: "Conclave: run it again with which temperature?",
    placeHolder: "0 gives the likeliest words, more gives others",
  });
  if (pick === undefined) return undefined;
  return pick === AS_BEFORE ? {} : { temperature: Number(pick) };
}
