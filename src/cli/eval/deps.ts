import type { AgentCatalog } from "../../agent/agents/definition.ts";
import type { TurnEvent } from "../../agent/events.ts";
import type { RubricCatalog } from "../../agent/critic/types.ts";
import type { Timer } from "../../agent/timer.ts";
import type { DocumentReader } from "../../tools/web/reader.ts";
import type { OwnedMemory } from "../services.ts";
import type { Settings } from "../settings/schema.ts";
import type { ModelServer } from "./model-server.ts";
import type { RunJob } from "./job.ts";

/** What runs are made with. */
export interface EvalDeps {
  readonly server: ModelServer;
  /** The settings that cases and configurations change. */
  readonly settings: Settings;
  /** Agents beside those of a case. */
  readonly agents: AgentCatalog;
  readonly rubrics: () => RubricCatalog;
  /** A memory of its own for a run, in a folder that goes with it. */
  readonly memory: (folder: string, settings: Settings) => OwnedMemory;
  readonly reader: () => DocumentReader;
  readonly timer: Timer;
  /** How long what comes after an answer (grades, what memory learns) is waited for, in milliseconds. */
  readonly patienceMs: number;
  /** A run that takes longer is stopped, in milliseconds. */
  readonly runMs: number;
  /** Given all events of each run, when it is over. Must not throw. */
  readonly onEvents?: (job: RunJob, events: readonly TurnEvent[]) => void;
  /** Where the runs' traces are kept: an absolute folder; left out: nowhere. */
  readonly traces?: string;
}
