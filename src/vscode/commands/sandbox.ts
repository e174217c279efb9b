import * as vscode from "vscode";
import { z } from "zod";
import type { AgentDefinition } from "../../agent/agents/definition.ts";
import type { SandboxStop } from "../../agent/events-sandbox.ts";
import type { Failure } from "../../agent/failure.ts";
import { MAX_PERSONAS, MAX_SANDBOX_ROUNDS, sandboxRequestSchema } from "../../agent/sandbox/settings.ts";
import type { RunningSandbox, SandboxLine, SandboxRequest } from "../../agent/sandbox/types.ts";
import { readArgs } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { showFailure, withCancellableProgress } from "../editor.ts";
import type { Services } from "../services.ts";
import { sandboxSettings } from "../sandbox/settings.ts";
import { askLine, pickMany } from "../pickers.ts";

/** What `conclave.startSandbox` takes when code runs it. */
const SandboxArgs = sandboxRequestSchema.omit({ door: true }).extend({
  /** Whether the trace panel is opened on the talk; true unless said otherwise. */
  open: z.boolean().exactOptional(),
});

/** What `conclave.startSandbox` resolves with. */
export interface SandboxResult {
  readonly sessionId: string;
  readonly turnId: string;
  readonly outcome: "answered" | "failed" | "cancelled";
  readonly stopped: SandboxStop;
  readonly messages: readonly SandboxLine[];
  readonly error?: Failure;
}

/** A talk that could not begin. */
export interface SandboxRefusal {
  readonly outcome: "refused";
  readonly error: Failure;
}

/**
 * Lets personas talk to each other: those of the arguments, or those that the user picks. Shows the talk in the trace
 * panel and its progress in a notification with a Cancel button. Resolves with its end; undefined when it was not begun.
 */
export async function startSandbox(
  container: Container,
  args: readonly unknown[],
): Promise<SandboxResult | SandboxRefusal | undefined> {
  const services = await container.services();
  const given = readArgs(SandboxArgs, args[0]);
  const wanted = given ?? (await askForTalk(services));
  if (wanted === undefined) return undefined;
  const { open, settings, ...talk } = wanted;
  const isShown = open !== false;
  const request: SandboxRequest = {
    ...talk,
    door: "command",
    settings: { ...sandboxSettings(services.settings().settings), ...settings },
  };
  const begun = services.engine.sandbox?.(request);
  if (begun === undefined) return undefined;
  if (!begun.ok) {
    if (isShown) void showFailure(begun.failure);
    return { outcome: "refused", error: begun.failure };
  }
  const { sessionId, turnId } = begun.value;
  if (isShown) (await container.panel()).reveal({ sessionId, turnId });
  const { outcome, stopped, messages, error } = await follow(begun.value);
  if (outcome === "failed" && error !== undefined && isShown) void showFailure(error);
  return { sessionId, turnId, outcome, stopped, messages, ...(error && { error }) };
}

/** Shows who spoke last, and stops the talk when that is wanted. */
function follow(talk: RunningSandbox): RunningSandbox["done"] {
  return withCancellableProgress("Conclave: Sandbox", async (signal, progress) => {
    const stop = (): void => talk.cancel();
    signal.addEventListener("abort", stop, { once: true });
    for await (const event of talk.events) {
      if (event.type !== "agent.start") continue;
      progress.report({ message: `${event.agent} speaks (${event.data["gen_ai.request.model"]})` });
    }
    signal.removeEventListener("abort", stop);
    return talk.done;
  });
}

type Wanted = Omit<SandboxRequest, "door"> & { readonly open?: boolean };

async function askForTalk(services: Services): Promise<Wanted | undefined> {
  const { settings } = services.settings();
  const picked = await pickPersonas(services.agents().agents);
  if (picked === undefined) return undefined;
  const opening = await askLine({
    title: "Conclave: Sandbox - opening line",
    prompt: `It is said to ${picked[0]?.name ?? "the first persona"}.`,
    placeHolder: "What would you keep of this project, and why?",
  });
  if (opening === undefined || opening.trim() === "") return undefined;
  const scenario = await askLine({
    title: "Conclave: Sandbox - scene (optional)",
    prompt: "Where and why do they talk? Leave it empty for none.",
  });
  if (scenario === undefined) return undefined;
  const rounds = await askRounds(settings.sandboxRounds);
  if (rounds === undefined) return undefined;
  const personas = picked.map(({ name }) => {
    const model = settings.committeeModels[name];
    return { name, ...(model !== undefined && { model }) };
  });
  return {
    ...{ personas, opening, settings: { rounds } },
    ...(scenario.trim() !== "" && { scenario }),
  };
}

async function pickPersonas(
  agents: readonly AgentDefinition[],
): Promise<readonly AgentDefinition[] | undefined> {
  const personas = agents.filter(({ kind }) => kind === "persona");
  const items = personas.map((agent) => ({
    label: agent.name,
    ...(agent.model !== undefined && { description: agent.model }),
    detail: agent.description,
    agent,
  }));
  const picked = await pickMany(items, {
    title: "Conclave: Sandbox - who talks? They speak in the order of this list.",
    placeHolder: `Two to ${MAX_PERSONAS} personas`,
    matchOnDetail: true,
  });
  if (picked === undefined || picked.length === 0) return undefined;
  if (picked.length >= 2 && picked.length <= MAX_PERSONAS) return picked.map(({ agent }) => agent);
  const message = `A talk needs two to ${MAX_PERSONAS} personas; ${picked.length} picked.`;
  void vscode.window.showWarningMessage(`Conclave: ${message}`);
  return undefined;
}

async function askRounds(preset: number): Promise<number | undefined> {
  const isFine = (text: string): boolean => /^\d{1,3}$/u.test(text.trim()) && inRange(Number(text));
  const text = await askLine({
    title: "Conclave: Sandbox - rounds",
    value: String(preset),
    prompt: "In each round every persona speaks once.",
    validateInput: (typed) => (isFine(typed) ? undefined : `A number from 1 to ${MAX_SANDBOX_ROUNDS}.`),
  });
  return text === undefined ? undefined : Number(text);
}

function inRange(rounds: number): boolean {
  return rounds >= 1 && rounds <= MAX_SANDBOX_ROUNDS;
}

/** Turns recent sessions into moments now; gives how many there were. */
export async function dreamNow(container: Container): Promise<number | undefined> {
  const services = await container.services();
  const dreamt = await withCancellableProgress("Conclave: Dreaming", (signal) => services.dream(signal));
  if (!dreamt.ok) {
    void showFailure(dreamt.failure);
    return undefined;
  }
  const { turns, moments, sessionId, turnId } = dreamt.value;
  const told =
    turns === 0
      ? "Nothing new to dream of."
      : `Dreaming looked back over ${counted(turns, "turn")} and gave ${counted(moments, "moment")}.`;
  const buttons = sessionId === undefined ? [] : ["Show trace"];
  void vscode.window.showInformationMessage(`Conclave: ${told}`, ...buttons).then(async (pressed) => {
    if (pressed === undefined || sessionId === undefined || turnId === undefined) return;
    (await container.panel()).reveal({ sessionId, turnId });
  });
  return moments;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
