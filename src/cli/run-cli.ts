import { closestName } from "../agent/agents/closest.ts";
import { ask } from "./ask/command.ts";
import { evaluate } from "./eval/command.ts";
import type { CliParts } from "./places.ts";
import { EXIT, harmless, type Terminal } from "./terminal.ts";

const HELP = `conclave: a private committee of local models

  conclave ask "QUESTION"    asks, and prints the answer
  conclave eval [FILES]      runs evaluation cases, and reports how they came out
  conclave COMMAND --help    what a command takes
  conclave --version         the version
`;

/** Runs the command that the arguments name. Gives the exit code. */
export async function runCli(
  args: readonly string[],
  terminal: Terminal & { readonly input: () => Promise<string> },
  parts: CliParts,
  signal: AbortSignal,
): Promise<number> {
  const [command = "", ...rest] = args;
  switch (command) {
    case "ask":
      return await ask(rest, terminal, parts, signal);
    case "eval":
      return await evaluate(rest, terminal, parts, signal);
    case "--help":
    case "-h":
    case "help":
      terminal.out(HELP);
      return EXIT.ok;
    case "--version":
    case "-v":
      terminal.out(`${parts.version}\n`);
      return EXIT.ok;
    default: {
      const near = closestName(command, ["ask", "eval"]);
      const hint = near === undefined ? "conclave --help lists all." : `Do you mean ${near}?`;
      const what = command === "" ? "No command was given" : `There is no command "${harmless(command)}"`;
      terminal.err(`${what}. ${hint}\n`);
      return EXIT.badInput;
    }
  }
}
