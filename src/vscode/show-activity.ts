import * as vscode from "vscode";
import type { Engine } from "../agent/engine-port.ts";
import type { TraceLog } from "../trace/log.ts";
import { CONTEXT_KEYS } from "./contributions.ts";
import { showPrivate } from "./memory/save-private.ts";
import type { Shell } from "./shell.ts";
import { ActivityModel } from "./status-model.ts";

/** Keeps status bar, context keys and log in step with what runs. Of private turns the log, a file, says nothing. */
export function showActivity(engine: Engine, log: TraceLog, { status, output }: Shell): ActivityModel {
  const activity = new ActivityModel();
  let ran = false;
  engine.onEvent((event) => {
    const view = activity.take(event);
    const isPrivate = log.isPrivate(event.sessionId);
    if (isPrivate && event.type === "turn.start") showPrivate(log);
    if (event.type === "turn.end" && event.data.error && !isPrivate) {
      const { code, message, cause } = event.data.error;
      output.warn(
        `Turn ${event.turnId} ended: ${code}: ${message}${cause === undefined ? "" : ` (${cause})`}`,
      );
    }
    if (view === undefined) return;
    status.show(view);
    const runs = view.running.length > 0;
    if (runs !== ran) void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.turnRunning, runs);
    ran = runs;
  });
  return activity;
}
