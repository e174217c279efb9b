import { resolve } from "node:path";
import { STRATEGIES } from "../../agent/committee/settings.ts";
import { parseHost } from "../../agent/models/host.ts";
import { isSessionId } from "../../trace/event-schema.ts";
import {
  isSet,
  numberOf,
  readArguments,
  textOf,
  textsOf,
  type Given,
  type OptionTable,
} from "../arguments.ts";
import { dataFolder, type CliParts } from "../places.ts";
import { givenSettings } from "../settings/given-settings.ts";
import { EXIT, type Terminal } from "../terminal.ts";
import { runAsk, type Wish } from "./run.ts";

/** What `conclave ask` takes. */
export const ASK_OPTIONS = {
  model: { type: "string", short: "m" },
  host: { type: "string" },
  agent: { type: "string", short: "a" },
  committee: { type: "string", short: "c" },
  session: { type: "string" },
  seed: { type: "string" },
  private: { type: "boolean" },
  "memory-dir": { type: "string" },
  "no-memory": { type: "boolean" },
  data: { type: "string" },
  log: { type: "string" },
  settings: { type: "string" },
  set: { type: "string", multiple: true },
  json: { type: "boolean" },
  quiet: { type: "boolean", short: "q" },
  help: { type: "boolean", short: "h" },
} as const satisfies OptionTable;

/** How `conclave ask` is used. */
export const ASK_HELP = `conclave ask [options] QUESTION

Asks one question. The answer goes to standard output as it is written, thinking and tools to standard error.
QUESTION may be - to read it from standard input.

  -m, --model NAME       the model that answers (conclave.model)
      --host ADDRESS     the Ollama server (conclave.ollama.host); left out: OLLAMA_HOST, else http://127.0.0.1:11434
  -a, --agent NAME       the agent that answers; files in .conclave/agents count
  -c, --committee HOW    a committee answers: ${STRATEGIES.filter((one) => one !== "single").join(", ")}
      --session ID       goes on with an earlier session
      --seed N           the same seed, the same answer, where the model allows it
      --private          nothing of it is kept
      --memory-dir DIR   the folder of the memory store
      --no-memory        neither remembers nor recalls
      --data DIR         where sessions, memory and models are kept (CONCLAVE_DATA; left out: ~/.conclave/data)
      --log FILE         writes the session's trace to FILE as well; call it NAME.conclave to open it in VS Code
      --settings FILE    settings of the editor's names, as JSON
      --set NAME=VALUE   one setting; may be given several times
      --json             one JSON object with answer, thinking, tools and figures in place of the text
  -q, --quiet            the answer alone
  -h, --help             this text

Ends with 0 for an answer, 1 where there is none, 2 for arguments that can't be used, 130 when it was stopped.
`;

/** Asks a question and prints the answer. Gives the exit code. Never rejects. */
export async function ask(
  args: readonly string[],
  terminal: Terminal & { readonly input: () => Promise<string> },
  parts: CliParts,
  signal: AbortSignal,
): Promise<number> {
  const refuse = (message: string): number => {
    terminal.err(`${message}\n`);
    return EXIT.badInput;
  };
  const given = readArguments(args, ASK_OPTIONS);
  if (!given.ok) return refuse(given.failure.message);
  if (isSet(given.value, "help")) {
    terminal.out(ASK_HELP);
    return EXIT.ok;
  }
  const wish = await readWish(given.value, terminal);
  if (typeof wish === "string") return refuse(wish);
  return await runAsk(wish, terminal, parts, signal);
}

/** Reads what is wished for; a sentence where it can't be used. */
async function readWish(
  given: Given,
  terminal: Terminal & { readonly input: () => Promise<string> },
): Promise<Wish | string> {
  const [first = "", ...more] = given.rest;
  if (more.length > 0)
    return `There is one question at a time; put it in quotes: "${given.rest.join(" ").slice(0, 200)}".`;
  const question = first === "-" ? await terminal.input() : first;
  if (question.trim() === "") return 'There is no question. Ask as in: conclave ask "What is a monad?"';
  const committee = textOf(given, "committee");
  if (committee !== undefined && !STRATEGIES.some((strategy) => strategy === committee))
    return `--committee takes ${STRATEGIES.join(", ")}, and not "${committee}".`;
  const sessionId = textOf(given, "session");
  if (sessionId !== undefined && !isSessionId(sessionId))
    return `--session takes the id of a session, as --json gives it, and not "${sessionId}".`;
  const seed = numberOf(given, "seed", 0, 2_147_483_647, -1);
  if (!seed.ok) return seed.failure.message;
  const settings = await givenSettings(
    {
      pairs: textsOf(given, "set"),
      flags: flagsOf(given, terminal),
      ...optional("file", textOf(given, "settings")),
    },
    terminal.cwd,
  );
  if (!settings.ok) return settings.failure.message;
  const host = parseHost(settings.value.ollamaHost);
  if (!host.ok) return host.failure.message;
  if (settings.value.model === "")
    return "No model is chosen. Name one: --model qwen3:8b, or conclave.model in --settings.";
  const strategy = STRATEGIES.find((one) => one === committee);
  const log = textOf(given, "log");
  const isPrivate = isSet(given, "private");
  if (isPrivate && log !== undefined)
    return "--private keeps nothing, so there is no trace for --log to write.";
  if (isPrivate && sessionId !== undefined)
    return "--private begins a session of its own, so it can't go on with another.";
  return {
    ...{ question, isPrivate, settings: settings.value, folder: dataFolder(textOf(given, "data"), terminal) },
    isJson: isSet(given, "json"),
    isQuiet: isSet(given, "quiet"),
    ...optional("log", log === undefined ? undefined : resolve(terminal.cwd, log)),
    options: {
      ...(seed.value >= 0 && { seed: seed.value }),
      ...(strategy !== undefined && { committee: { strategy } }),
    },
    ...optional("sessionId", sessionId),
  };
}

/** What flags say of settings, by full names. */
export function flagsOf(given: Given, { env, cwd }: Terminal): Readonly<Record<string, unknown>> {
  const host = textOf(given, "host") ?? env["OLLAMA_HOST"];
  const model = textOf(given, "model");
  const agent = textOf(given, "agent");
  const memory = textOf(given, "memory-dir");
  return {
    ...(host !== undefined && host !== "" && { "conclave.ollama.host": host }),
    ...(model !== undefined && { "conclave.model": model }),
    ...(agent !== undefined && { "conclave.agent": agent }),
    ...(memory !== undefined && { "conclave.memory.uri": resolve(cwd, memory) }),
    ...(isSet(given, "no-memory") && { "conclave.memory.enabled": false }),
  };
}

function optional<Name extends string, T>(name: Name, value: T | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: T };
}
