import { z } from "zod";
import { CANCELLED, failure, type Result } from "../agent/failure.ts";
import { raceAbort } from "../agent/timer.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import { ANSWER_TIME_MS } from "./forget-memory.ts";
import { badArguments, failedOutcome, timed, type Confirm } from "./memory-access.ts";
import { shorten } from "./web/page.ts";
import { markUntrusted, visibleLine, visibleText } from "./web/untrusted.ts";

/** Longest arguments, as JSON in UTF-16 units: the user must be able to read all of them before they agree. */
const MAX_ARGUMENTS = 1_500;
/** How much of what a command gives a model is told. */
const MAX_RESULT = 2_000;

/** The editor's commands. Must not throw. */
export interface ActionsPort {
  /** Commands that may be run, as the user set them; asked anew for each call. */
  allowed(): readonly string[];
  /** Runs one; gives what it gave as a text, empty for nothing. */
  run(command: string, args: readonly unknown[]): Promise<Result<string>>;
}

/** What `action` is made of. */
export interface ActionOptions {
  readonly actions: ActionsPort;
  /** Left out where nobody can be asked: then nothing is run. */
  readonly confirm?: Confirm | undefined;
  /** For one call; milliseconds. */
  readonly timeoutMs: () => number;
}

const parameters = z.object({
  command: z.string().trim().min(1).max(200).describe("Its id"),
  arguments: z.array(z.unknown()).max(10).optional(),
});

type ActionArguments = z.infer<typeof parameters>;

/** The tool `action`: runs a command of the editor that the user's list allows, once the user has agreed to it. */
export function action(options: ActionOptions): Tool<ActionArguments> {
  return timed(
    {
      name: "action",
      aliases: ["run_command", "execute_command", "vscode_command"],
      description:
        "Runs a command of the editor that the user allows. An unknown one is answered with the list of those.",
      parameters,
      readOnly: false,
      run: (args, context) => run(options, args, context),
    },
    () => options.timeoutMs() + (options.confirm === undefined ? 0 : ANSWER_TIME_MS),
  );
}

async function run(
  { actions, confirm }: ActionOptions,
  { command, arguments: args = [] }: ActionArguments,
  { signal }: ToolContext,
): Promise<ToolOutcome> {
  const allowed = actions.allowed();
  if (!allowed.includes(command)) {
    const list = allowed.length === 0 ? "none" : shorten(allowed.join(", "), 4_000);
    return badArguments(`"${visibleLine(command)}" is not allowed. The commands that are: ${list}.`);
  }
  const shown = JSON.stringify(args);
  if (shown.length > MAX_ARGUMENTS)
    return badArguments(
      `The arguments are longer than ${MAX_ARGUMENTS} characters: nobody could check them.`,
    );
  if (confirm === undefined) {
    const message = `${command} was not run: there is nobody here to ask.`;
    return failedOutcome(failure("tool_disabled", message));
  }
  const question = {
    title: `Run the command ${command}?`,
    detail:
      args.length === 0
        ? "Without arguments."
        : `Arguments:\n${visibleText(JSON.stringify(args, undefined, 2))}`,
    yes: "Run",
  };
  const answered = await raceAbort(signal, () => confirm(question, signal));
  // An answer that comes after the turn was stopped counts for nothing.
  if (answered.kind === "aborted" || signal.aborted) return failedOutcome(CANCELLED);
  if (answered.kind !== "value" || !answered.value) {
    return {
      ok: true,
      content: "The user declined. The command was not run.",
      details: { summary: "declined", data: { command, ran: false } },
    };
  }
  const done = await actions.run(command, args);
  if (!done.ok) return failedOutcome(done.failure);
  const given = shorten(done.value, MAX_RESULT);
  return {
    ok: true,
    content:
      given === "" ? `${command} was run.` : `${command} was run and gave:\n${markUntrusted(given, command)}`,
    details: { summary: `ran ${command}`, data: { command, arguments: shown, ran: true } },
  };
}
