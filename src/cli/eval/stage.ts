import type { CriticSettings } from "../../agent/critic/settings.ts";
import type { CliServices } from "../services.ts";
import type { Settings } from "../settings/schema.ts";
import type { EvalCase } from "./case/types.ts";
import type { Configuration } from "./configurations.ts";
import type { EvalDeps } from "./deps.ts";
import type { EventWatch } from "./watch.ts";

/** What a dialogue is played with. */
export interface Stage {
  readonly case: EvalCase;
  readonly configuration: Configuration;
  readonly seed: number;
  readonly settings: Settings;
  readonly critic: CriticSettings;
  readonly services: CliServices;
  readonly watch: EventWatch;
  readonly deps: Pick<EvalDeps, "timer" | "patienceMs">;
}
