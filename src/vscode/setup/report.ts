import type { Failure, Result } from "../../agent/failure.ts";
import type { MemoryStatus } from "../../agent/memory/port.ts";
import type { ModelInfo } from "../../agent/models/types.ts";
import { plainMarkdown, sizeText } from "../chat/words.ts";
import { canChat, type ModelEntry } from "../models/entry.ts";
import type { Settings } from "../settings-schema.ts";

/** A model that the server holds in memory. */
export interface LoadedModel {
  readonly name: string;
  /** What it was loaded with, in tokens. */
  readonly contextLength?: number;
  readonly sizeBytes?: number;
}

/** All that Check Set-up looks at, gathered beforehand. */
export interface SetupFacts {
  readonly extensionVersion: string;
  readonly vscodeVersion: string;
  /** The server's address as it is shown, without a password. */
  readonly host: string;
  readonly settings: Settings;
  readonly settingProblems: readonly string[];
  /** What the workspace asked for and did not get, in one line. */
  readonly refusedLine?: string;
  readonly version: Result<string>;
  readonly models: Result<readonly ModelEntry[]>;
  readonly loaded: readonly LoadedModel[];
  /** What the chosen model's server says of it; left out when none is chosen. */
  readonly chosen?: Result<ModelInfo>;
  readonly memory: MemoryStatus;
  readonly searchKeySet: boolean;
  /** Whether this editor has a Chat view for participants. */
  readonly chat: boolean;
}

/** One line of the report. */
export interface SetupLine {
  readonly part: string;
  readonly state: "ok" | "fault" | "note";
  readonly found: string;
  /** What to do about it, for a fault. */
  readonly todo?: string;
}

const ok = (part: string, found: string): SetupLine => ({ part, state: "ok", found });
const note = (part: string, found: string, todo?: string): SetupLine => ({
  part,
  state: "note",
  found,
  ...(todo === undefined ? {} : { todo }),
});
const fault = (part: string, found: string, todo: string): SetupLine => ({
  part,
  state: "fault",
  found,
  todo,
});

const HOW: Partial<Record<NonNullable<Failure["action"]>, string>> = {
  start_ollama: "Start Ollama (`ollama serve`, or its app), then check again.",
  select_model: "Run **Conclave: Select Model**.",
  pull_model: "Run **Conclave: Pull Model**.",
  open_settings: "Change the setting it names.",
};

function failureLine(part: string, { message, action }: Failure): SetupLine {
  return fault(
    part,
    plainMarkdown(message),
    HOW[action ?? "check_setup"] ?? "See **Conclave: Show Log** for more.",
  );
}

function serverLines({ version, models, host }: SetupFacts): SetupLine[] {
  if (!version.ok) return [failureLine("Ollama", version.failure)];
  const server = ok("Ollama", `version ${plainMarkdown(version.value)} at ${plainMarkdown(host)}`);
  if (!models.ok) return [server, failureLine("Models", models.failure)];
  const usable = models.value.filter(canChat);
  if (usable.length === 0)
    return [
      server,
      fault(
        "Models",
        "none that answers questions",
        "Run **Conclave: Pull Model**; `qwen3:8b` is a good start.",
      ),
    ];
  const names = usable.map(
    (model) =>
      `${plainMarkdown(model.name)}${model.sizeBytes === undefined ? "" : ` (${sizeText(model.sizeBytes)})`}`,
  );
  const shown = names.slice(0, 12).join(", ");
  return [server, ok("Models", `${usable.length}: ${shown}${names.length > 12 ? ", and more" : ""}`)];
}

function modelLines({ chosen, settings, version }: SetupFacts): SetupLine[] {
  if (settings.model === "")
    return [
      fault(
        "Chat model",
        "none selected in the settings",
        "Run **Conclave: Select Model**, or pick one in the Chat view.",
      ),
    ];
  if (chosen === undefined || !version.ok) return [note("Chat model", plainMarkdown(settings.model))];
  if (!chosen.ok) return [failureLine("Chat model", chosen.failure)];
  const { name, parameterSize, quantization, capabilities } = chosen.value;
  const facts = [parameterSize, quantization].filter((fact) => fact !== undefined).join(", ");
  const model = ok("Chat model", `${plainMarkdown(name)}${facts === "" ? "" : ` (${plainMarkdown(facts)})`}`);
  const able = (has: boolean, what: string, without: string): SetupLine =>
    has ? ok(what, "yes") : note(what, without);
  return [
    model,
    able(
      capabilities.includes("tools"),
      "Tool calls",
      "not natively: tools are offered by constrained output",
    ),
    able(capabilities.includes("thinking"), "Thinking", "this model answers at once"),
  ];
}

function contextLines({ chosen, settings, loaded }: SetupFacts): SetupLine[] {
  const wanted = settings.contextLength;
  const own = chosen?.ok === true ? chosen.value.contextLength : undefined;
  const count = (tokens: number): string => `${tokens.toLocaleString("en")} tokens`;
  const used = Math.min(wanted, own ?? wanted);
  const lines = [
    own !== undefined && own < wanted
      ? note("Context", `${count(own)}: the model's own limit (the setting asks for ${count(wanted)})`)
      : ok("Context", `${count(used)}${own === undefined ? "" : ` of the model's ${count(own)}`}`),
  ];
  for (const model of loaded) {
    const length = model.contextLength === undefined ? "" : ` with ${count(model.contextLength)}`;
    const size = model.sizeBytes === undefined ? "" : `, ${sizeText(model.sizeBytes)}`;
    const differs =
      model.name === settings.model && model.contextLength !== undefined && model.contextLength !== used;
    const found = `${plainMarkdown(model.name)}${length}${size}`;
    lines.push(
      differs
        ? note(
            "Loaded",
            found,
            "Another program loaded it; the next question loads it anew with the context above.",
          )
        : ok("Loaded", found),
    );
  }
  return lines;
}

function memoryLines(setup: SetupFacts): SetupLine[] {
  const { memory, settings } = setup;
  if (!settings.memoryEnabled)
    return [note("Memory", "off", "Turn `conclave.memory.enabled` on to have answers remembered.")];
  const message = plainMarkdown(memory.message ?? "");
  if (memory.state === "failed" || memory.state === "off")
    return [
      fault(
        "Memory",
        message === "" ? memory.state : message,
        "Asking works without it. See **Conclave: Show Log** for the cause.",
      ),
    ];
  const rows =
    memory.episodes === undefined
      ? ""
      : `, ${memory.episodes.toLocaleString("en")} ${memory.episodes === 1 ? "memory" : "memories"}`;
  const facts =
    memory.facts === undefined
      ? ""
      : `, ${memory.facts.toLocaleString("en")} ${memory.facts === 1 ? "fact" : "facts"}`;
  const pid = memory.pid === undefined ? "" : `, process ${memory.pid}`;
  const store = ok("Memory", `${memory.state}${rows}${facts}${pid}`);
  const place = memory.storePath === undefined ? [] : [ok("Store", plainMarkdown(memory.storePath))];
  return [store, ...place, ...embedderLines(setup)];
}

function embedderLines(setup: SetupFacts): SetupLine[] {
  const { memory, settings } = setup;
  const message = plainMarkdown(memory.message ?? "");
  if (settings.embedderProvider === "none")
    return [note("Embedder", "none: memory is searched by words alone", embedderTodo(setup))];
  const words = [message, plainMarkdown(memory.doing ?? "")].filter((text) => text !== "");
  const trouble = words.map((text) => note("Memory's upkeep", text));
  if (memory.embedder !== undefined) {
    const { waiting = 0 } = memory;
    const left = waiting === 0 ? "" : `, ${waiting.toLocaleString("en")} memories still wait for it`;
    return [ok("Embedder", `${plainMarkdown(memory.embedder)}${left}`), ...trouble];
  }
  return [
    note(
      "Embedder",
      message === "" ? "not loaded: memory is searched by words alone" : message,
      embedderTodo(setup),
    ),
  ];
}

/** Whether the embedding model is being loaded; memory says so in a sentence, and in no other way. */
function isComing({ message = "" }: MemoryStatus): boolean {
  return message.startsWith("Full-text search only for now");
}

/** What gives memory its search by meaning. */
function embedderTodo({ memory, settings }: SetupFacts): string {
  if (settings.embedderProvider === "none")
    return "Set `conclave.memory.embedder.provider` to have memory searched by meaning too.";
  if (isComing(memory)) return "Check again in a moment.";
  return settings.embedderProvider === "ollama"
    ? "Pull the model of `conclave.memory.embedder.model`, or choose another provider."
    : "Set `conclave.memory.embedder.folder` to a folder that holds `Xenova/all-MiniLM-L6-v2`, or allow the download.";
}

function webLines({ settings, searchKeySet }: SetupFacts): SetupLine[] {
  const turnOn =
    "Run **Conclave: Turn on Web Tools** when you want it; words you search for then leave this machine.";
  const fetching = settings.webFetchEnabled ? ok("Web pages", "on") : note("Web pages", "off", turnOn);
  if (!settings.webSearchEnabled) return [note("Web search", "off", turnOn), fetching];
  const provider = settings.webSearchProvider;
  if (provider === "none")
    return [
      fault("Web search", "on, but nobody answers it", "Set `conclave.web.search.provider`."),
      fetching,
    ];
  if (provider === "searxng" && settings.webSearchUrl === "")
    return [fault("Web search", "searxng without an address", "Set `conclave.web.search.url`."), fetching];
  const keyed = provider === "brave" || provider === "tavily" || provider === "ollama";
  if (keyed && !searchKeySet)
    return [
      fault("Web search", `${provider} without a key`, "Run **Conclave: Set Search API Key**."),
      fetching,
    ];
  return [ok("Web search", provider), fetching];
}

function editorLines(facts: SetupFacts): SetupLine[] {
  const chat = facts.chat
    ? ok("Chat view", "@conclave answers there")
    : note(
        "Chat view",
        "not in this editor, or turned off",
        "Ask with **Conclave: Ask** or in the trace panel.",
      );
  return [
    chat,
    ...facts.settingProblems.map((message) =>
      fault("Settings", plainMarkdown(message), "Run **Conclave: Open Settings**."),
    ),
    ...(facts.refusedLine === undefined ? [] : [note("Workspace", plainMarkdown(facts.refusedLine))]),
  ];
}

/** The lines of the report, in the order of a question's way. */
export function setupLines(facts: SetupFacts): readonly SetupLine[] {
  return [
    ...serverLines(facts),
    ...modelLines(facts),
    ...contextLines(facts),
    ...memoryLines(facts),
    ...webLines(facts),
    ...editorLines(facts),
  ];
}

/** Lets long paths and addresses break behind their slashes, so that the table stays within the preview. */
function breakable(text: string): string {
  // Within code nothing of Markdown counts, a tag neither.
  if (text.includes("`")) return text;
  return text.replace(/\S{40,}/g, (word) => word.replace(/(?<=[^/\\])(\/|\\\\)(?=[^/\\\s])/g, "$1<wbr>"));
}

const MARKS = { ok: "✓", note: "·", fault: "✗" } as const;

/**
 * What the report says first: how many faults there are, else that all is well; and where memory is wanted but goes
 * without the search by meaning, that it does, and what to do.
 */
function headOf(facts: SetupFacts, faults: number): string {
  if (faults > 0) return `${faults === 1 ? "One thing needs" : `${faults} things need`} attention.`;
  const { memory, settings } = facts;
  if (!settings.memoryEnabled || memory.state !== "ready" || memory.embedder !== undefined)
    return "Everything that is needed is there.";
  const alone = "Everything that is needed to ask is there, but memory is searched by words alone";
  if (isComing(memory)) return `${alone} until its embedding model is loaded.`;
  return `${alone}: what was said in other words is not found. ${embedderTodo(facts)}`;
}

/** The report as Markdown: a table, faults first said in one sentence. */
export function setupReport(facts: SetupFacts): string {
  const lines = setupLines(facts);
  const faults = lines.filter((line) => line.state === "fault");
  const cell = (text: string): string => breakable(text.replace(/\n/g, " "));
  const rows = lines.map(
    (line) => `| ${MARKS[line.state]} | ${line.part} | ${cell(line.found)} | ${cell(line.todo ?? "")} |`,
  );
  return [
    "# Conclave: set-up",
    "",
    headOf(facts, faults.length),
    "",
    "| | Part | Found | What to do |",
    "|---|---|---|---|",
    ...rows,
    "",
    `Conclave ${facts.extensionVersion}, VS Code ${facts.vscodeVersion}.`,
    "",
  ].join("\n");
}
