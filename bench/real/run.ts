import { resolve } from "node:path";
import { closestName } from "../../src/agent/agents/closest.ts";
import { describeError } from "../../src/agent/failure.ts";
import { EXIT, type Terminal } from "../../src/cli/terminal.ts";
import type { RealScripts } from "./model-source.ts";
import { PARTS } from "./parts/index.ts";

const ROOT = resolve(import.meta.dirname, "../..");

const TERMINAL: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  env: process.env,
  cwd: process.cwd(),
};

/** Runs the part that the first argument names, and gives the exit code. */
export async function evalReal(
  [name = "", ...args]: readonly string[],
  signal: AbortSignal,
  scripts: RealScripts,
): Promise<number> {
  if (name === "" || name === "--help" || name === "-h") {
    TERMINAL.out(help());
    return EXIT.ok;
  }
  const part = PARTS.find((one) => one.name === name);
  if (part === undefined) {
    TERMINAL.err(`${unknown(name)}\n`);
    return EXIT.badInput;
  }
  try {
    return await part.run(args, { terminal: TERMINAL, root: ROOT, scripts, signal });
  } catch (error) {
    TERMINAL.err(`${part.name} broke: ${describeError(error)}\n`);
    return EXIT.failed;
  }
}

function unknown(name: string): string {
  const names = PARTS.map((part) => part.name);
  const near = closestName(name, names);
  return `There is no part ${name}; ${near === undefined ? `there are: ${names.join(", ")}.` : `do you mean ${near}?`}`;
}

function help(): string {
  const lines = PARTS.map(({ name, about }) => `  ${name.padEnd(16)} ${about}`);
  return `npm run eval:real -- PART [options]

Tries the product with real models on a real Ollama server.

${lines.join("\n")}

PART --help lists the options of a part.
`;
}
