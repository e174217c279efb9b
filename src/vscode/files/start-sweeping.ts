import { join } from "node:path";
import type { Result } from "../../agent/failure.ts";
import { systemTimer } from "../../agent/timer.ts";
import type { Swept } from "../../trace/files/sweep.ts";
import type { Container } from "../container.ts";
import { Sweeping } from "./sweeping.ts";

/** Has old traces swept away in the background. Nothing is loaded for it before the first sweep. */
export function startSweeping(container: Container): Sweeping {
  return new Sweeping({
    timer: systemTimer,
    sweep: (signal) => sweepNow(container, signal),
    onLine: (line) => container.output.info(line),
  });
}

/** Sweeps once, by the settings in force. Never rejects. */
export async function sweepNow(container: Container, signal: AbortSignal): Promise<Result<Swept>> {
  const [{ sweep }, { currentSettings }] = await Promise.all([
    import("../../trace/files/sweep.ts"),
    import("../settings.ts"),
  ]);
  const { traceKeepDays: keepDays, traceMaxSizeMb: maxSizeMb } = currentSettings().settings;
  const inUse = await container.inUse();
  return await sweep({
    folder: join(container.extension.globalStorageUri.fsPath, "sessions"),
    retention: { keepDays, maxSizeMb },
    now: Date.now(),
    isKept: (sessionId) => inUse(sessionId),
    remove: async (sessionId) => (await container.services()).log.delete(sessionId),
    signal,
  });
}
