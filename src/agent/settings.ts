import type { ToolProtocol } from "./events.ts";
import type { Think } from "./models/types.ts";

/** What the engine needs to know; the doors read it from VS Code's settings or from flags, anew for each turn. */
export interface EngineSettings {
  /** The chat model; empty when none was chosen. */
  readonly model: string;
  readonly think: Think;
  /** Replaces the built-in base system prompt when not empty. */
  readonly systemPrompt: string;
  /** Wanted context length in tokens, capped by the model's own. */
  readonly contextLength: number;
  /** Upper bound of output tokens a model call may produce, thinking included. */
  readonly maxOutputTokens: number;
  readonly keepAlive: string | number;
  readonly maxSteps: number;
  /** Upper bound of input plus output tokens of a turn; 0: none. */
  readonly tokenBudget: number;
  readonly temperature?: number;
  /** `auto` asks the model's capabilities; anything else forces one. */
  readonly toolProtocol: ToolProtocol | "auto";
  /** Requests the server works on at once; it can't be asked (`OLLAMA_NUM_PARALLEL`). */
  readonly parallelRequests: number;
  /** Name of the agent that answers. */
  readonly agent: string;
}

/** The defaults of the product. */
export const DEFAULT_ENGINE_SETTINGS: EngineSettings = {
  model: "",
  think: true,
  systemPrompt: "",
  contextLength: 32_768,
  maxOutputTokens: 8_192,
  keepAlive: "30m",
  maxSteps: 5,
  tokenBudget: 0,
  toolProtocol: "auto",
  parallelRequests: 1,
  agent: "conclave",
};
