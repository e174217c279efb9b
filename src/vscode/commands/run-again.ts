import type { ForkOptions } from "../../agent/events-fork.ts";
import { makeFork } from "../../trace/fork/make-fork.ts";
import { readArgs, TurnPlace } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { showFailure } from "../editor.ts";
import { modelItems } from "../models/entry.ts";
import { listModels } from "../models/list-models.ts";
import { AS_BEFORE, pickTemperature } from "../models/pick-temperature.ts";
import { pickTurn } from "../pick-turn.ts";
import type { Services } from "../services.ts";
import { pickOne } from "../pickers.ts";

/**
 * Runs a turn again as a branch of it, with a model and a temperature that the user picks: the named turn, or one that
 * the user picks too. The trace panel shows it. Gives the new turn's place; undefined where the user backs out.
 */
export async function runTurnAgain(
  container: Container,
  args: readonly unknown[],
): Promise<TurnPlace | undefined> {
  const services = await container.services();
  const turn = readArgs(TurnPlace, args[0]) ?? (await pickEndedTurn(services));
  if (turn === undefined) return undefined;
  const model = await pickModel(services);
  if (model === undefined) return undefined;
  const temperature = await pickTemperature("Conclave: run it again with which temperature?");
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

function pickEndedTurn(services: Services): Promise<TurnPlace | undefined> {
  const hasEnded = ({ sessionId, turnId }: TurnPlace): boolean =>
    services.engine.running(sessionId)?.turnId !== turnId;
  return pickTurn(services, "Conclave: run which turn again?", hasEnded);
}

/** The model; an empty choice for the one of then. */
async function pickModel(services: Services): Promise<Pick<ForkOptions, "model"> | undefined> {
  const listed = await listModels(services);
  if (listed === undefined) return undefined;
  const { model } = services.settings().settings;
  const items = modelItems(listed, model).map((item) => ({ ...item, label: item.name }));
  const before = { label: AS_BEFORE, description: "the model of then", detail: "", name: undefined };
  const pick = await pickOne([before, ...items], {
    title: "Conclave: run it again with which model?",
    matchOnDescription: true,
  });
  if (pick === undefined) return undefined;
  return pick.name === undefined ? {} : { model: pick.name };
}
