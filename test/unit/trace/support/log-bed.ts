import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import type { Failure } from "../../../../src/agent/failure.ts";
import { TraceLog } from "../../../../src/trace/log.ts";
import type { LogItem } from "../../../../src/trace/log-reader.ts";
import { cacheTurn } from "./cache-turn.ts";
import type { TurnScript } from "./turn-script.ts";

/** A log in a folder of its own. */
export class LogBed {
  readonly folder: string;
  readonly log: TraceLog;
  /** What it told of writing that fails. */
  readonly errors: Failure[] = [];

  private constructor(folder: string) {
    this.folder = folder;
    this.log = new TraceLog({ folder, onError: (failure) => this.errors.push(failure) });
  }

  static async create(): Promise<LogBed> {
    return new LogBed(await mkdtemp(join(tmpdir(), "conclave-log-")));
  }

  /** Closes the log, and takes its folder away. */
  async close(): Promise<void> {
    await this.log.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The file of a session. */
  path(sessionId: string): string {
    return join(this.folder, `${sessionId}.jsonl`);
  }

  /** Has a turn in it, which is on disk then. */
  async written(): Promise<{ script: TurnScript; emitted: TurnEvent[] }> {
    const emitted: TurnEvent[] = [];
    const script = cacheTurn((event) => {
      emitted.push(event);
      this.log.append(event);
    });
    await this.log.flush();
    return { script, emitted };
  }
}

/** All that a log holds of a session. */
export async function readAll(log: TraceLog, sessionId: string): Promise<LogItem[]> {
  const items: LogItem[] = [];
  for await (const item of log.read(sessionId)) items.push(item);
  return items;
}
