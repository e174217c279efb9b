import * as vscode from "vscode";
import { z } from "zod";
import type { TurnEvent } from "../../agent/events.ts";
import { MAX_REFERENCE } from "../../trace/panel-limits.ts";
import { readArgs, TurnPlace } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { showFailure, withCancellableProgress } from "../editor.ts";
import { modelItems } from "../models/entry.ts";
import { listModels } from "../models/list-models.ts";
import { pickTemperature } from "../models/pick-temperature.ts";
import { pickTurn } from "../pick-turn.ts";
import type { Services } from "../services.ts";
import { writeSetting } from "../settings.ts";
import { takeAnswer as take } from "./take-answer.ts";
import { pickOne } from "../pickers.ts";

/** A turn, and what its answer is to be graded by; what is left out is as usual. */
const GradeArgs = TurnPlace.extend({
  agentId: z.string().min(1).max(200).exactOptional(),
  rubric: z.string().min(1).max(300).exactOptional(),
  reference: z.string().trim().min(1).max(MAX_REFERENCE).exactOptional(),
});

/** A turn, and what its second answer is to be like; what is there is not asked for. */
const CompareArgs = TurnPlace.extend({
  model: z.string().min(1).max(300).optional(),
  agent: z.string().min(1).max(300).optional(),
  temperature: z.number().min(0).max(2).optional(),
});

/** Has the critic grade the answer of a turn: the named one, or one that the user picks. True when it will be. */
export async function gradeAnswer(container: Container, args: readonly unknown[]): Promise<boolean> {
  const services = await container.services();
  const turn =
    readArgs(GradeArgs, args[0]) ?? (await pickAnswered(services, "grade the answer to which question?"));
  if (turn === undefined) return false;
  return await asked(services.judging.critic.grade(turn), "The answer is graded when nothing runs.");
}

/**
 * Has a second respondent answer the question of a turn too, and both answers compared. True when they will be.
 */
export async function compareAnswer(container: Container, args: readonly unknown[]): Promise<boolean> {
  const services = await container.services();
  const named = readArgs(CompareArgs, args[0]);
  const turn = named ?? (await pickAnswered(services, "compare the answer to which question?"));
  if (turn === undefined) return false;
  const { sessionId, turnId } = turn;
  const { model, agent, temperature } = named ?? {};
  const chosen =
    model === undefined && agent === undefined && temperature === undefined
      ? await pickRespondent(services)
      : {
          ...(model !== undefined && { model }),
          ...(agent !== undefined && { agent }),
          ...(temperature !== undefined && { temperature }),
        };
  if (chosen === undefined) return false;
  return await asked(
    services.judging.critic.compare({ sessionId, turnId, ...chosen }),
    "A second answer is given and compared when nothing runs.",
  );
}

/** Takes the second answer to the question of a turn. True when it is taken. */
export async function takeAnswer(container: Container, args: readonly unknown[]): Promise<boolean> {
  const services = await container.services();
  const turn =
    readArgs(TurnPlace, args[0]) ??
    (await pickAnswered(services, "use the second answer to which question?"));
  if (turn === undefined) return false;
  const { judging, memory, identity, engine } = services;
  const publish = (event: TurnEvent): void => engine.publish(event);
  const taken = await withCancellableProgress("Conclave: taking the answer", (signal) =>
    take(turn, { critic: judging.critic, memory, identity, publish }, signal),
  );
  if (!taken.ok) {
    if (taken.failure.code !== "cancelled") void showFailure(taken.failure);
    return false;
  }
  await vscode.env.clipboard.writeText(taken.value);
  void vscode.window.showInformationMessage(
    "Conclave: the answer is on the clipboard, and memory recalls it from now on.",
  );
  return true;
}

/** Turns the critic off, or on for all answers. Gives whether it is on. */
export async function toggleCritic(container: Container): Promise<boolean> {
  const services = await container.services();
  const isOn = services.settings().settings.criticMode !== "off";
  await writeSetting("criticMode", isOn ? "off" : "all");
  void vscode.window.showInformationMessage(
    isOn ? "Conclave: the critic is off." : "Conclave: the critic grades every answer when nothing runs.",
  );
  return !isOn;
}

async function asked(
  work: ReturnType<Services["judging"]["critic"]["grade"]>,
  words: string,
): Promise<boolean> {
  const done = await work;
  if (!done.ok) {
    void showFailure(done.failure);
    return false;
  }
  void vscode.window.setStatusBarMessage(`Conclave: ${words}`, 5_000);
  return true;
}

function pickAnswered(services: Services, title: string): Promise<TurnPlace | undefined> {
  return pickTurn(services, `Conclave: ${title}`, ({ answer }) => answer !== "");
}

interface Respondent {
  readonly model?: string;
  readonly agent?: string;
  readonly temperature?: number;
}

/** What the second respondent is to be like: one thing that differs. */
async function pickRespondent(services: Services): Promise<Respondent | undefined> {
  const ways = [
    { label: "As the settings say", way: "settings" as const },
    { label: "Another model", way: "model" as const },
    { label: "Another agent", way: "agent" as const },
    { label: "Another temperature", way: "temperature" as const },
  ];
  const pick = await pickOne(ways, { title: "Conclave: who is to answer too?" });
  switch (pick?.way) {
    case undefined:
      return undefined;
    case "settings":
      return {};
    case "model":
      return await pickModel(services);
    case "agent":
      return await pickAgent(services);
    case "temperature":
      return await pickTemperature("Conclave: with which temperature is it to be answered too?");
  }
}

async function pickModel(services: Services): Promise<Respondent | undefined> {
  const listed = await listModels(services);
  if (listed === undefined) return undefined;
  const items = modelItems(listed, services.settings().settings.model).map((item) => ({
    ...item,
    label: item.name,
  }));
  const pick = await pickOne(items, {
    title: "Conclave: which model is to answer too?",
    matchOnDescription: true,
  });
  return pick && { model: pick.name };
}

async function pickAgent(services: Services): Promise<Respondent | undefined> {
  const items = services
    .agents()
    .agents.filter(({ kind }) => kind !== "synthesizer")
    .map(({ name, description }) => ({ label: name, detail: description }));
  const pick = await pickOne(items, {
    title: "Conclave: which agent is to answer too?",
    matchOnDetail: true,
  });
  return pick && { agent: pick.label };
}
