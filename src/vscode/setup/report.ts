import type { MemoryStatus } from "../../agent/memory/port.ts";
import { plainMarkdown } from "../chat/words.ts";
import { fault, note, ok, type SetupFacts, type SetupLine } from "./lines.ts";
import { contextLines, modelfileLines, modelLines, serverLines } from "./model-lines.ts";

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
    ...modelfileLines(facts),
    `Conclave ${facts.extensionVersion}, VS Code ${facts.vscodeVersion}.`,
    "",
  ].join("\n");
}
