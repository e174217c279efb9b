import type { Engine } from "../../agent/engine-port.ts";
import type { TurnEvent } from "../../agent/events.ts";
import { failure, success, type Failure, type Result } from "../../agent/failure.ts";
import type { Identity } from "../../agent/ids.ts";
import { createRemember, type RememberDeps } from "../../agent/remember/remember.ts";
import type { TraceLog } from "../../trace/log.ts";
import { isPrivateId, privateId } from "../../trace/private-id.ts";

/** Begins a private session; gives its id. */
export function beginPrivate(log: Pick<TraceLog, "beginPrivate">, identity: Identity): string {
  const sessionId = privateId(identity.uuid());
  log.beginPrivate(sessionId, identity.now());
  return sessionId;
}

/**
 * An engine whose turns in private sessions are private, whichever door asks: no door can forget to say so. A private
 * session that is gone does not go on as one that is kept: that question is refused. Nothing else of it changes.
 */
export function withPrivateSessions(engine: Engine, log: Pick<TraceLog, "isPrivate" | "rows">): Engine {
  const isGone = async (sessionId: string): Promise<boolean> => {
    const rows = await log.rows(sessionId);
    return !rows.ok || rows.value.length === 0;
  };
  return {
    ask: async (request, signal) => {
      const { sessionId } = request;
      if (sessionId === undefined) return await engine.ask(request, signal);
      if (log.isPrivate(sessionId)) return await engine.ask({ ...request, private: true }, signal);
      if (isPrivateId(sessionId) && (await isGone(sessionId))) return { ok: false, failure: GONE };
      return await engine.ask(request, signal);
    },
    ...(engine.sandbox && { sandbox: engine.sandbox.bind(engine) }),
    ...(engine.shadow && { shadow: engine.shadow.bind(engine) }),
    running: (sessionId) => engine.running(sessionId),
    restoreContext: async (sessionId) => (await engine.restoreContext?.(sessionId)) ?? success(false),
    publish: (event) => engine.publish(event),
    onEvent: (listener) => engine.onEvent(listener),
    dispose: () => engine.dispose(),
  };
}

const GONE: Failure = failure(
  "bad_input",
  "This session was private, and it ended with its window. Begin a new one.",
);

/** Turns that are handed to memory at a time. */
const TURNS_AT_ONCE = 100;
/** How long memory may take for them, the model's reading included; milliseconds. */
const PATIENCE_MS = 10 * 60_000;

/** An event as it would have been had its session not been private. */
function opened(event: TurnEvent): TurnEvent {
  if (event.type !== "turn.start") return event;
  const { "conclave.private": isPrivate, ...data } = event.data;
  return isPrivate === true ? { ...event, data } : event;
}

/**
 * Saves a private session: its log goes to the disk, and its turns are remembered as those of any other session. Settles
 * when the log is written; memory follows. False when the session was not private.
 */
export async function savePrivate(
  sessionId: string,
  log: Pick<TraceLog, "savePrivate" | "read">,
  deps: RememberDeps,
): Promise<Result<boolean>> {
  const saved = await log.savePrivate(sessionId);
  if (saved.ok && saved.value) void rememberAll(sessionId, log, deps);
  return saved;
}

async function rememberAll(
  sessionId: string,
  log: Pick<TraceLog, "read">,
  deps: RememberDeps,
): Promise<void> {
  let remember = createRemember(deps);
  let turns = 0;
  for await (const item of log.read(sessionId)) {
    if (item.type !== "event") continue;
    // What is still under way is waited for below.
    void remember.onEvent(opened(item.event));
    if (item.event.type !== "turn.end") continue;
    turns += 1;
    if (turns % TURNS_AT_ONCE !== 0) continue;
    await remember.flush(PATIENCE_MS);
    remember = createRemember(deps);
  }
  await remember.flush(PATIENCE_MS);
}
