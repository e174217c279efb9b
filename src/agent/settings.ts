import type { BudgetSettings } from "./budget/settings.ts";
import { DEFAULT_COMMITTEE, type CommitteeSettings } from "./committee/settings.ts";
import type { ToolProtocol } from "./events.ts";
import { DEFAULT_RETRIEVAL, type RetrievalSettings } from "./memory/port.ts";
import { CONFIDENCE_THRESHOLD } from "./memory/types.ts";
import type { Think } from "./models/types.ts";
import type { Persona } from "./persona.ts";

/**
 * When a context card stands before the question: never; for a model that gets no tools and so can't look for itself;
 * or always.
 */
export const CARD_MODES = ["off", "auto", "always"] as const;
/** When a context card stands before the question. */
export type CardMode = (typeof CARD_MODES)[number];

/**
 * Who searches memory for a question: the model, by its tools, or Conclave before the model is asked. `auto`: the model
 * where it is known to call tools well.
 */
export const RECALL_MODES = ["auto", "model", "first"] as const;
/** Who searches memory for a question. */
export type RecallMode = (typeof RECALL_MODES)[number];

/** Who reads remembered turns for what they teach: a model where there is one, rules alone, or nobody. */
export const LEARNING_MODES = ["model", "rules", "off"] as const;
/** Who reads remembered turns for what they teach. */
export type LearningMode = (typeof LEARNING_MODES)[number];

/** What the engine needs to know of memory. */
export interface MemorySettings {
  /** Off: turns are not remembered, nothing is learnt from them, nothing is recalled. */
  readonly enabled: boolean;
  /** Where turns are remembered: an opaque id of the workspace; empty: global. */
  readonly scope: string;
  /** Where memory is looked in; left out: everywhere. */
  readonly scopes?: readonly string[];
  readonly recall: RecallMode;
  readonly card: CardMode;
  readonly learning: LearningMode;
  /** Facts with less confidence are not used. */
  readonly minConfidence: number;
  readonly retrieval: RetrievalSettings;
  /** Such as `Europe/Oslo`, for words such as "tomorrow"; left out: that of this machine. */
  readonly timeZone?: string;
}

/** The defaults of the product. */
export const DEFAULT_MEMORY_SETTINGS: MemorySettings = {
  enabled: true,
  scope: "",
  recall: "auto",
  card: "auto",
  learning: "model",
  minConfidence: CONFIDENCE_THRESHOLD,
  retrieval: DEFAULT_RETRIEVAL,
};

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
  /** Who the agent is, where its file says so. */
  readonly persona?: Persona;
  /** The model for the small jobs, such as reading turns for memory; empty or left out: the chat model. */
  readonly helperModel?: string;
  /** What is left out has the product's default. */
  readonly memory?: Partial<MemorySettings>;
  /** What is left out has the product's default. */
  readonly committee?: Partial<CommitteeSettings>;
  /** How the context is shared out and kept from overflowing; what is left out has the product's default. */
  readonly budget?: Partial<BudgetSettings>;
  /** Addresses of more servers, over which the members of a committee are spread. */
  readonly hosts?: readonly string[];
}

/** The settings of the committee, whole: a turn's own over those of the product. */
export function committeeSettings(
  { committee }: Pick<EngineSettings, "committee">,
  own: Partial<CommitteeSettings> = {},
): CommitteeSettings {
  return { ...DEFAULT_COMMITTEE, ...committee, ...own };
}

/** The settings of memory, whole. */
export function memorySettings({ memory }: Pick<EngineSettings, "memory">): MemorySettings {
  return { ...DEFAULT_MEMORY_SETTINGS, ...memory };
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
