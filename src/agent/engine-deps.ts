import type { AgentCatalog } from "./agents/definition.ts";
import type { KeptCalibrations } from "./budget/calibration.ts";
import type { Embed } from "./budget/relevant-tools.ts";
import type { ToolProtocol } from "./events.ts";
import type { Failure } from "./failure.ts";
import type { HostGates } from "./host-gates.ts";
import type { Identity } from "./ids.ts";
import type { MemoryPort } from "./memory/port.ts";
import type { ChatModel } from "./models/types.ts";
import type { ProtocolAdapter } from "./protocol.ts";
import type { HistoryPort } from "./sessions/history-port.ts";
import type { EngineSettings } from "./settings.ts";
import type { Timer } from "./timer.ts";
import type { ToolSet } from "./tool.ts";

/** What an engine is made of. */
export interface EngineDeps {
  /** Read anew for each turn. */
  readonly settings: () => EngineSettings;
  /** A model by its name, or why there is none. */
  readonly model: (name: string, host?: string) => ChatModel | Failure;
  /** The agents there are, asked anew for each turn; left out: none. */
  readonly agents?: () => AgentCatalog;
  /** The tools that are on; asked anew for each turn. */
  readonly tools: () => ToolSet;
  /** Answered turns are remembered here. */
  readonly memory?: MemoryPort;
  /** Where sessions that are not in memory are read back from. */
  readonly history?: HistoryPort;
  readonly identity: Identity;
  /** Left out: the real clock. */
  readonly timer?: Timer;
  /** Left out: the protocols of the product. */
  readonly adapter?: (protocol: ToolProtocol) => ProtocolAdapter;
  /** Vectors of texts, one for each; left out: memory embeds them. Must not throw. */
  readonly embed?: Embed;
  /** How servers count tokens, from earlier on; left out: each model begins with the plain estimate. */
  readonly calibrations?: KeptCalibrations;
  /** Shared with whoever else asks models; left out: the engine's own. */
  readonly gates?: HostGates;
  /** Hears of listeners that threw. */
  readonly onFault?: (error: unknown) => void;
}
