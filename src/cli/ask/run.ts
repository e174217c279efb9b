import { access, copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DEFAULT_CRITIC } from "../../agent/critic/settings.ts";
import { describeError } from "../../agent/failure.ts";
import type { AskOptions } from "../../agent/engine-port.ts";
import { logPath } from "../../trace/log-writer.ts";
import { agentFiles, modelsFolder, type CliParts } from "../places.ts";
import { createServices, type CliServices } from "../services.ts";
import type { Settings } from "../settings/schema.ts";
import { EXIT, harmless, type Terminal } from "../terminal.ts";
import { AnswerPrinter } from "./printer.ts";
import { turnAsJson } from "./turn-json.ts";

/** A question and how it is to be answered. */
export interface Wish {
  readonly question: string;
  readonly settings: Settings;
  readonly options: AskOptions;
  readonly sessionId?: string;
  /** Where sessions, memory and models are kept. */
  readonly folder: string;
  readonly isPrivate: boolean;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Absolute path that the session's trace is copied to. */
  readonly log?: string;
}

/** Asks a question and prints the answer. Gives the exit code. Leaves nothing running. */
export async function runAsk(
  wish: Wish,
  terminal: Terminal,
  parts: CliParts,
  signal: AbortSignal,
): Promise<number> {
  const { settings, isPrivate } = wish;
  // An id with a slip in it would begin a session that knows nothing of what was said before.
  if (wish.sessionId !== undefined && !(await isKept(wish.folder, wish.sessionId))) {
    terminal.err(`There is no session ${wish.sessionId} in ${wish.folder}.\n`);
    return EXIT.badInput;
  }
  const folder = isPrivate ? await mkdtemp(join(tmpdir(), "conclave-ask-")) : wish.folder;
  const agents = agentFiles(terminal.cwd);
  const services = createServices({
    ...{ settings, folder },
    memory: parts.memory(wish.folder, settings, modelsFolder(wish.folder)),
    reader: parts.reader(),
    agents: () => agents.catalog(),
    rubrics: () => parts.rubrics(terminal.cwd),
    critic: { ...DEFAULT_CRITIC, mode: "off" },
    searchAccess: () => ({ ...(settings.webSearchUrl !== "" && { baseUrl: settings.webSearchUrl }) }),
    onProblem: (problem) => terminal.err(`${harmless(problem)}\n`),
  });
  try {
    const { code, sessionId } = await answered(wish, services, terminal, signal);
    if (wish.log === undefined || sessionId === undefined) return code;
    await services.log.flush();
    const problem = await keepLog(folder, sessionId, wish.log);
    if (problem === undefined) return code;
    terminal.err(`The trace could not be written: ${problem}\n`);
    return code === EXIT.ok ? EXIT.failed : code;
  } finally {
    await services.dispose();
    if (isPrivate) await rm(folder, { recursive: true, force: true });
  }
}

async function answered(
  wish: Wish,
  { engine }: CliServices,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<{ readonly code: number; readonly sessionId?: string }> {
  const { question, options, sessionId, isPrivate, isJson, isQuiet } = wish;
  const started = await engine.ask(
    {
      ...{ question, options, door: "cli" },
      ...(sessionId !== undefined && { sessionId }),
      ...(isPrivate && { private: true }),
    },
    signal,
  );
  if (!started.ok) {
    terminal.err(`${harmless(started.failure.message)}\n`);
    const { code } = started.failure;
    return { code: code === "cancelled" ? EXIT.cancelled : EXIT.badInput };
  }
  const turn = started.value;
  const printer = new AnswerPrinter(terminal, { answer: !isJson, rest: !isQuiet });
  for await (const event of turn.events) printer.take(event);
  const outcome = await turn.done;
  printer.end(outcome);
  if (isJson) terminal.out(`${JSON.stringify(turnAsJson(printer.events, outcome, turn))}\n`);
  const code =
    outcome.outcome === "answered" ? EXIT.ok : outcome.outcome === "cancelled" ? EXIT.cancelled : EXIT.failed;
  return { code, sessionId: turn.sessionId };
}

/** Whether a session's log is there. */
async function isKept(folder: string, sessionId: string): Promise<boolean> {
  return await access(logPath(join(folder, "sessions"), sessionId)).then(
    () => true,
    () => false,
  );
}

/** Copies the session's log; gives in words why it could not. */
async function keepLog(folder: string, sessionId: string, target: string): Promise<string | undefined> {
  try {
    await mkdir(dirname(target), { recursive: true });
    await copyFile(logPath(join(folder, "sessions"), sessionId), target);
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}
