import { NO_AGENTS, type AgentCatalog } from "../agents/definition.ts";
import type { RunningTurn } from "../ask-types.ts";
import type { EventSink } from "../events.ts";
import { describeError, failure, success, type Result } from "../failure.ts";
import type { Identity } from "../ids.ts";
import { startTurn } from "../running-turn.ts";
import type { EngineSettings } from "../settings.ts";
import { planSandbox } from "./cast.ts";
import { runSandbox } from "./run-sandbox.ts";
import type { SandboxDeps } from "./talk.ts";
import type { RunningSandbox, SandboxOutcome, SandboxRequest } from "./types.ts";

/** What of an engine a talk runs in. */
export interface SandboxHost {
  readonly deps: {
    readonly settings: () => EngineSettings;
    readonly agents?: () => AgentCatalog;
    readonly identity: Identity;
  };
  readonly shared: Omit<SandboxDeps, "signal" | "sink">;
  readonly running: Map<string, RunningTurn>;
  readonly publish: EventSink;
}

/** Begins a talk as the turn of a new session. The failure says why it can't begin; nothing was told then. */
export function startSandbox(
  request: SandboxRequest,
  { deps, shared, running, publish }: SandboxHost,
  outer: AbortSignal | undefined,
): Result<RunningSandbox> {
  const settings = deps.settings();
  const plan = planSandbox(request, deps.agents?.() ?? NO_AGENTS, settings);
  if (!plan.ok) return plan;
  const { identity } = deps;
  const place = { sessionId: identity.uuid(), turnId: identity.turnId() };
  const input = { ...place, plan: plan.value, settings };
  return success(
    startTurn(
      { ...place, running, outer, publish },
      // The caller has the talk in hand before its first event.
      async (signal, sink) => {
        await Promise.resolve();
        return runSandbox(input, { ...shared, signal, sink });
      },
      brokenTalk,
    ),
  );
}

function brokenTalk(error: unknown): SandboxOutcome {
  const broken = failure("internal", "Something broke inside Conclave; the trace has the details.", {
    cause: describeError(error),
  });
  return { outcome: "failed", answer: "", error: broken, stopped: "failed", messages: [], rounds: [] };
}
