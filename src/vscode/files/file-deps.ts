import type { Engine } from "../../agent/engine-port.ts";
import { failed, failure } from "../../agent/failure.ts";
import type { MemoryPort } from "../../agent/memory/port.ts";
import { isTelling } from "../../trace/activity/session-fold.ts";
import type { TraceFile } from "../../trace/files/trace-file.ts";
import type { PanelHostDeps, PanelLog, PanelSourcePort } from "../panel/deps.ts";

/** Said wherever something is asked of a file that only a log can do. */
const READ_ONLY = failure(
  "bad_input",
  "This is a file, and it is only read. Import it to ask on, to branch off or to rate in it.",
);

const refuse = () => Promise.resolve({ ok: false as const, failure: READ_ONLY });
const nothing = (): void => undefined;
const neverCalls = () => nothing;

/** An engine that nobody can ask. */
const noEngine: Engine = {
  ask: refuse,
  running: () => undefined,
  publish: nothing,
  onEvent: neverCalls,
  dispose: () => Promise.resolve(),
};

const noMemory = () => Promise.resolve(failed("memory_unavailable", "A file has no memory of its own."));

/** A memory that holds nothing and takes nothing. */
const emptyMemory: MemoryPort = {
  search: noMemory,
  searchAll: noMemory,
  add: noMemory,
  annotate: noMemory,
  learn: noMemory,
  keep: noMemory,
  saveMoments: noMemory,
  moments: noMemory,
  graph: noMemory,
  card: noMemory,
  list: noMemory,
  edit: noMemory,
  previewForget: noMemory,
  forget: noMemory,
  exportPage: noMemory,
  importLines: noMemory,
  embedding: noMemory,
  status: () => Promise.resolve({ state: "off" }),
};

/** The lines of a session as its own log would hold them, turn by turn: each is read from where it stands. */
async function* sessionLines(file: TraceFile, sessionId: string): AsyncGenerator<string, void, undefined> {
  const rows = await file.rows(sessionId);
  if (!rows.ok) return;
  for (const { turnId } of rows.value)
    for await (const item of file.readTurn(sessionId, turnId))
      if (item.type === "event" && isTelling(item.event.type)) yield JSON.stringify(item.event);
}

/** The file as the panel reads a log, with what tools, critics and memory did in it. */
function fileLog(file: TraceFile): PanelLog {
  return {
    read: (sessionId) => file.read(sessionId),
    readTurn: (sessionId, turnId) => file.readTurn(sessionId, turnId),
    sessions: (page) => file.sessions(page),
    rows: (sessionId) => file.rows(sessionId),
    flush: () => file.flush(),
    lines: (sessionId) => sessionLines(file, sessionId),
  };
}

/** What a panel on a file is built on: it reads the file, and everything else is refused in words. */
export function fileDeps(file: TraceFile, source: PanelSourcePort): PanelHostDeps {
  return {
    engine: noEngine,
    log: fileLog(file),
    source,
    memory: emptyMemory,
    toggles: {
      get: () => ({ committee: false, memory: false, web: false }),
      set: () => Promise.resolve(READ_ONLY),
      onChange: neverCalls,
    },
    committee: () => "",
    setup: () => Promise.resolve({ model: "", endpoint: "", problems: [] }),
    run: () => Promise.resolve(),
  };
}
