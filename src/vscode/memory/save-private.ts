import * as vscode from "vscode";
import type { Engine } from "../../agent/engine-port.ts";
import type { TurnEvent } from "../../agent/events.ts";
import { failed } from "../../agent/failure.ts";
import { createGate } from "../../agent/gate.ts";
import type { RememberDeps } from "../../agent/remember/remember.ts";
import { systemTimer } from "../../agent/timer.ts";
import type { TraceLog } from "../../trace/log.ts";
import { CONTEXT_KEYS } from "../contributions.ts";
import type { Services } from "../services.ts";
import { savePrivate } from "./private.ts";

/** Saves private sessions; memory reads their turns off the engine's own way. */
export function privateSaver(
  log: TraceLog,
  engine: Engine,
  shared: Pick<RememberDeps, "settings" | "model" | "memory" | "identity">,
): Services["savePrivate"] {
  const publish = (event: TurnEvent): void => engine.publish(event);
  return async (sessionId) => {
    if (engine.running(sessionId) !== undefined)
      return failed("session_busy", "The session still answers. Save it when the answer is there.");
    const deps = { ...shared, publish, timer: systemTimer, gate: createGate(1) };
    const saved = await savePrivate(sessionId, log, deps);
    showPrivate(log);
    return saved;
  };
}

/** Lets commands know whether there is a private session to save. */
export function showPrivate(log: TraceLog): void {
  const held = log.privateSessions().length > 0;
  void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.privateSession, held);
}
