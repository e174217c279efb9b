import { mkdirSync, watch, type FSWatcher } from "node:fs";
import { isSessionId } from "./event-schema.ts";

/** Changes are gathered for this long, in milliseconds. */
const GATHER_MS = 400;

/** What became of the logs in a folder, whoever wrote them. */
export interface LogChange {
  /** Sessions whose log changed. */
  readonly sessionIds: readonly string[];
  /** Of those, the ones whose file was put in place anew: new sessions, and logs that something was taken out of. */
  readonly replaced: ReadonlySet<string>;
}

/**
 * Watches a folder of logs, and tells of what changed, gathered. Where the folder can't be watched nothing is told; the
 * same holds for what the file system keeps to itself.
 *
 * @returns the way to stop
 */
export function watchLogs(folder: string, listener: (change: LogChange) => void): () => void {
  let watcher: FSWatcher | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = new Set<string>();
  const replaced = new Set<string>();
  const tell = (): void => {
    timer = undefined;
    const change = { sessionIds: [...changed], replaced: new Set(replaced) };
    changed.clear();
    replaced.clear();
    listener(change);
  };
  const hear = (kind: string, name: string | null): void => {
    const sessionId = name?.endsWith(".jsonl") === true ? name.slice(0, -".jsonl".length) : "";
    if (!isSessionId(sessionId)) return;
    changed.add(sessionId);
    if (kind === "rename") replaced.add(sessionId);
    timer ??= setTimeout(tell, GATHER_MS);
  };
  try {
    mkdirSync(folder, { recursive: true });
    watcher = watch(folder, { persistent: false }, hear);
    watcher.on("error", () => watcher?.close());
  } catch {
    // A file system without watching: what other windows do is seen when the list is read again.
  }
  return () => {
    clearTimeout(timer);
    watcher?.close();
  };
}
