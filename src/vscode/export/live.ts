import { homedir } from "node:os";
import type * as vscode from "vscode";
import type { Engine } from "../../agent/engine-port.ts";
import { systemTimer } from "../../agent/timer.ts";
import { LiveExport } from "../../trace/export/live/live-export.ts";
import type { TraceLog } from "../../trace/log.ts";
import type { Settings } from "../settings-schema.ts";
import { cleaningOf } from "./args.ts";

/** What the live export of a window is made of. */
export interface LiveParts {
  readonly engine: Pick<Engine, "onEvent">;
  readonly log: Pick<TraceLog, "isPrivate">;
  readonly settings: () => Settings;
  readonly output: Pick<vscode.LogOutputChannel, "warn">;
}

/** Sends the spans of each turn to the collector of the settings, where they name one. Opens no connection before. */
export function startLiveExport({ engine, log, settings, output }: LiveParts): LiveExport {
  const live = new LiveExport({
    timer: systemTimer,
    now: () => Date.now(),
    warn: (message) => output.warn(message),
    isPrivate: (sessionId) => log.isPrivate(sessionId),
    context: () => ({ home: homedir() }),
    settings: () => {
      const { otlpEndpoint, otlpRedact, otlpLeaveOut } = settings();
      return { endpoint: otlpEndpoint, cleaning: cleaningOf(otlpRedact, otlpLeaveOut) };
    },
  });
  engine.onEvent((event) => live.take(event));
  return live;
}
