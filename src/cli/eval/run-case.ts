import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentCatalog } from "../../agent/agents/definition.ts";
import type { CriticSettings } from "../../agent/critic/settings.ts";
import { describeError } from "../../agent/failure.ts";
import { systemIdentity } from "../../agent/ids.ts";
import type { EvalRun } from "../../trace/eval/report.ts";
import { createServices, type CliServices } from "../services.ts";
import type { Settings } from "../settings/schema.ts";
import type { EvalDeps } from "./deps.ts";
import type { RunJob } from "./job.ts";
import { playDialogue, type PlayedDialogue } from "./dialogue.ts";
import { boundedRun } from "./bounded.ts";
import type { EvalCase } from "./case/types.ts";
import { budgetChecks, episodeChecks } from "./final-checks.ts";
import { usageOf, type Usage } from "./measure.ts";
import type { StartedServer } from "./model-server.ts";
import { startPages, withPages, type Pages } from "./pages.ts";
import { keepTraces } from "./keep-traces.ts";
import { seedMemory } from "./seed-memory.ts";
import { runCritic, runSettings } from "./set-up.ts";
import { EventWatch } from "./watch.ts";

const NO_USAGE: Usage = {
  steps: 0,
  inputTokens: 0,
  outputTokens: 0,
  prefillMs: 0,
  totalMs: 0,
  retries: 0,
  repairs: 0,
};

/**
 * Runs a case with a store, a log, pages and a server of its own, all of which are gone afterwards. Whatever goes wrong
 * is part of what it gives; stops within a moment of the signal.
 */
export async function runCase(job: RunJob, deps: EvalDeps, signal: AbortSignal): Promise<EvalRun> {
  const undo: (() => Promise<unknown>)[] = [];
  const later = (step: () => Promise<unknown>): void => void undo.push(step);
  const tooLong = new AbortController();
  const cancel = deps.timer(deps.runMs, () => tooLong.abort());
  const stop = AbortSignal.any([signal, tooLong.signal]);
  try {
    const run = await play(job, deps, later, stop);
    if (signal.aborted || !tooLong.signal.aborted) return run;
    return {
      ...run,
      outcome: "error",
      // Who hangs gives no answer, and a feature that makes one hang does harm.
      answerRight: false,
      error: `It took longer than ${deps.runMs / 1_000} s and was stopped.`,
    };
  } catch (error) {
    return broken(job, describeError(error), signal);
  } finally {
    cancel();
    for (const step of undo.reverse()) await step().catch(() => undefined);
  }
}

type Later = (step: () => Promise<unknown>) => void;

async function play(job: RunJob, deps: EvalDeps, later: Later, signal: AbortSignal): Promise<EvalRun> {
  const folder = await mkdtemp(join(tmpdir(), "conclave-eval-"));
  later(() => rm(folder, { recursive: true, force: true }));
  const pages = await pagesOf(job.case, later);
  if (typeof pages === "string") return broken(job, pages, signal);
  const one = pages === undefined ? job.case : withPages(job.case, pages.url);
  const started = await deps.server.start({ case: one, seed: job.seed }, signal);
  if (!started.ok) return broken(job, started.failure.message, signal);
  later(() => started.value.close());
  const settings = runSettings(deps, { ...job, case: one, started: started.value, pages });
  const critic = runCritic(one, job.configuration, settings);
  const here = { ...job, case: one, settings, critic };
  const services = open(here, { pages, folder }, deps);
  later(() => services.dispose());
  const watch = new EventWatch(services.engine, deps.timer);
  later(() => {
    watch.dispose();
    return Promise.resolve();
  });
  if (one.memory !== undefined && settings.memoryEnabled) {
    const seeded = await seedMemory(one.memory, {
      memory: services.memory,
      identity: systemIdentity,
      signal,
    });
    if (!seeded.ok) return broken(job, `Memory could not be filled: ${seeded.failure.message}`, signal);
  }
  const stage = { ...here, services, watch, deps };
  const played = await playDialogue(stage, signal);
  const usage = usageOf(watch.events);
  const checks = [
    ...played.checks,
    ...budgetChecks(one, usage),
    ...(signal.aborted ? [] : await episodeChecks(one, services.memory, signal)),
    ...unansweredChecks(started.value),
  ];
  deps.onEvents?.(job, watch.events);
  await services.log.flush();
  const from = { folder, sessions: played.sessions };
  const traces = deps.traces === undefined ? [] : await keepTraces(job, from, deps.traces);
  return finished(job, { ...played, checks }, usage, traces, signal);
}

async function pagesOf(one: EvalCase, later: Later): Promise<Pages | undefined | string> {
  if (one.pages.size === 0 && one.search === undefined) return undefined;
  const pages = await startPages({ pages: one.pages, search: one.search ?? [] });
  if (!pages.ok) return `${pages.failure.message} ${pages.failure.cause ?? ""}`;
  later(() => pages.value.close());
  return pages.value;
}

/** A run whose settings are known. */
interface ReadyRun extends RunJob {
  readonly settings: Settings;
  readonly critic: CriticSettings;
}

function open(
  { case: one, settings, critic }: ReadyRun,
  { pages, folder }: { readonly pages: Pages | undefined; readonly folder: string },
  deps: EvalDeps,
): CliServices {
  const catalog = agentsOf(one, deps.agents);
  return createServices({
    ...{ settings, critic, folder },
    memory: deps.memory(folder, settings),
    reader: deps.reader(),
    agents: () => catalog,
    searchAccess: () => (settings.webSearchUrl === "" ? {} : { baseUrl: settings.webSearchUrl }),
    rubrics: deps.rubrics,
    ...(pages && { allowedHosts: [pages.host] }),
  });
}

/** The case's own agents before all others of their names. */
function agentsOf({ agents }: EvalCase, others: AgentCatalog): AgentCatalog {
  if (agents.length === 0) return others;
  const names = new Set(agents.map(({ name }) => name.toLowerCase()));
  const rest = others.agents.filter(({ name }) => !names.has(name.toLowerCase()));
  return { ...others, agents: [...agents, ...rest] };
}

function unansweredChecks({ unanswered }: StartedServer) {
  return (unanswered?.() ?? []).map((reason) => ({ name: "script", passed: false, reason }));
}

function finished(
  job: RunJob,
  { turns, checks, calls, unserved }: PlayedDialogue,
  usage: Usage,
  traces: readonly string[],
  signal: AbortSignal,
): EvalRun {
  const grades = turns.flatMap(({ grade }) => (typeof grade === "number" ? [grade] : []));
  const passed = checks.every((one) => one.passed);
  const ended = unserved !== undefined ? "error" : passed ? "passed" : "failed";
  return boundedRun({
    ...placeOf(job),
    outcome: signal.aborted ? "cancelled" : ended,
    ...(unserved === undefined ? answerRight(checks) : { error: unserved }),
    checks,
    turns,
    toolCalls: calls,
    ...usage,
    ...(grades.length > 0 && { grade: grades.reduce((a, b) => a + b, 0) / grades.length }),
    traces,
  });
}

/** Whether what the user got was right, as far as the case says what that is. */
function answerRight(checks: PlayedDialogue["checks"]): Pick<EvalRun, "answerRight"> {
  const about = checks.filter(({ name }) => name.startsWith("answer ") || name === "outcome");
  const saysSomething = about.some(({ name }) => name !== "outcome");
  return saysSomething ? { answerRight: about.every(({ passed }) => passed) } : {};
}

function broken(job: RunJob, error: string, signal: AbortSignal): EvalRun {
  const toolCalls = { expected: 0, made: 0, wrong: 0, missing: 0 };
  const outcome = signal.aborted ? "cancelled" : "error";
  const nothing = { checks: [], turns: [], toolCalls, ...NO_USAGE, traces: [] };
  return boundedRun({ ...placeOf(job), outcome, error, ...nothing });
}

function placeOf({ case: { name, file, tags }, configuration, repeat, seed }: RunJob) {
  return { case: name, file, tags, configuration: configuration.name, repeat, seed };
}
