import { z } from "zod";
import { CRITIC_MODES } from "../../agent/critic/settings.ts";
import { AGREEMENT_MODES, MAX_ROUNDS, STRATEGIES } from "../../agent/committee/settings.ts";
import type { RetrievalSettings } from "../../agent/memory/port.ts";
import type { Persona } from "../../agent/persona.ts";
import { MAX_SANDBOX_ROUNDS } from "../../agent/sandbox/settings.ts";
import {
  CARD_MODES,
  DEFAULT_ENGINE_SETTINGS,
  LEARNING_MODES,
  RECALL_MODES,
  type EngineSettings,
  type MemorySettings,
} from "../../agent/settings.ts";
import { SETTINGS, settingId, type SettingName } from "./table.ts";
import { LEAVE_OUT } from "../../trace/export/redact/options.ts";

/** How hard the model thinks, as the setting says it. */
export const THINK_LEVELS = ["off", "on", "low", "medium", "high", "max"] as const;
/** How tools are offered to a model, as the setting says it. */
export const TOOL_PROTOCOLS = ["auto", "native", "constrained", "react", "none"] as const;
/** Who answers `web_search`. */
export const SEARCH_PROVIDERS = ["none", "searxng", "brave", "tavily", "ollama", "mock"] as const;

/** Where new memories belong, as the setting says it. */
export const MEMORY_SCOPES = ["workspace", "global"] as const;
/** Which memories a question may use, as the setting says it. */
export const MEMORY_SEARCH_SCOPES = ["workspace", "all"] as const;
/** What makes embeddings, as the setting says it. */
export const EMBEDDER_PROVIDERS = ["transformers", "ollama", "none"] as const;

/** Ollama reads a bare number as seconds, and anything else as a Go duration. */
const DURATION = /^(-?\d+|(\d+(\.\d+)?(ms|h|m|s))+)$/;

const httpAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "";
};

/** `127.0.0.1:11434`, as Ollama's own variable is written, means http. */
const withProtocol = (text: string): string => {
  const trimmed = text.trim().replace(/([^/:])\/+$/, "$1");
  return trimmed === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
};

const address = z.string("must be an http or https address").transform(withProtocol);
const addressOrNone = address.refine(
  (url) => url === "" || httpAddress(url),
  "must be an http or https address, or empty",
);
const whole = (least: number, most: number) => {
  const rule = `must be a whole number from ${least} to ${most}`;
  return z.int(rule).min(least, rule).max(most, rule);
};
const number = (least: number, most: number) => {
  const rule = `must be a number from ${least} to ${most}`;
  return z.number(rule).min(least, rule).max(most, rule);
};
const choice = <const T extends readonly string[]>(values: T) =>
  z.enum(values, `must be one of ${values.join(", ")}`);
/** Percent of the context; what is left out has its default. */
const share = number(0, 100).exactOptional();
const flag = z.boolean("must be true or false");
const text = z.string("must be text");
const name = text.trim().min(1, "must not be empty").max(200, "must be at most 200 characters long");
const names = z.array(name, "must be a list of names").max(20, "must be at most 20 names");

/** One check per setting: what it takes, and what is said when it doesn't fit. */
const CHECKS = {
  // Whether it is an address is for the client to say: no question is sent to another server than the one written.
  ollamaHost: text.trim(),
  model: text.trim(),
  helperModel: text.trim(),
  agent: text.trim().min(1, "must not be empty").max(100, "must be at most 100 characters long"),
  think: choice(THINK_LEVELS),
  systemPrompt: text.max(100_000, "must be at most 100000 characters long"),
  temperature: z
    .number("must be a number from 0 to 2, or null")
    .min(0, "must be a number from 0 to 2, or null")
    .max(2, "must be a number from 0 to 2, or null")
    .nullable(),
  contextLength: whole(512, 4_194_304),
  maxSteps: whole(1, 50),
  maxOutputTokens: whole(16, 1_048_576),
  tokenBudget: whole(0, 1_000_000_000),
  keepAlive: z.union(
    [text.trim().regex(DURATION), z.int()],
    "must be a duration such as 30m, a number of seconds, or -1",
  ),
  requestTimeout: whole(1, 86_400),
  toolTimeout: whole(1, 86_400),
  webTimeout: whole(1, 3_600),
  parallelRequests: whole(1, 64),
  toolProtocol: choice(TOOL_PROTOCOLS),
  toolsWorkspace: flag,
  toolsActions: z.array(name, "must be a list of command ids").max(200, "must be at most 200 command ids"),
  webSearchEnabled: flag,
  webFetchEnabled: flag,
  webSearchProvider: choice(SEARCH_PROVIDERS),
  webSearchUrl: addressOrNone,
  memoryEnabled: flag,
  memoryExtraction: choice(LEARNING_MODES),
  memoryUri: text.trim(),
  memoryScope: choice(MEMORY_SCOPES),
  memorySearchScope: choice(MEMORY_SEARCH_SCOPES),
  memoryRecall: choice(RECALL_MODES),
  memoryCard: choice(CARD_MODES),
  memoryConfidence: number(0, 1),
  retrievalCandidates: whole(1, 200),
  retrievalGiven: whole(1, 50),
  retrievalHybrid: flag,
  retrievalRerank: flag,
  retrievalThreshold: number(0, 1),
  retrievalHalfLifeDays: number(0, 36_500),
  retrievalRecencyWeight: number(0, 1),
  retrievalScoreWeight: number(0, 1),
  retrievalVerdictWeight: number(0, 1),
  retrievalRewardWeight: number(0, 1),
  retrievalRewardHalfLifeDays: number(0, 36_500),
  feedbackImplicit: flag,
  retrievalPurify: flag,
  contextShares: z.object(
    { system: share, tools: share, history: share, memory: share, answer: share },
    "must give the shares of the context in percent, by their names",
  ),
  contextSummary: flag,
  contextSummaryModel: text.trim(),
  contextRelevantToolsFrom: whole(0, 1_000),
  committeeEnabled: flag,
  committeePersonas: names,
  committeeStrategy: choice(STRATEGIES),
  committeeRounds: whole(1, MAX_ROUNDS),
  committeeModels: z.record(name, name, "must name a model for each persona"),
  committeeSynthesizer: name,
  committeeSteps: whole(1, 50),
  committeeSamples: whole(2, 25),
  committeeAgreement: choice(AGREEMENT_MODES),
  committeeTimeout: whole(1, 86_400),
  committeeHosts: z.array(address.refine(httpAddress, "must be http or https addresses")).max(16),
  sandboxRounds: whole(1, MAX_SANDBOX_ROUNDS),
  sandboxPersist: flag,
  sandboxMemories: whole(0, 50),
  sandboxRecents: whole(0, 50),
  sandboxHistoryWindow: whole(0, 100),
  sandboxDelay: number(0, 3_600),
  sandboxWordLimit: whole(0, 10_000),
  sandboxTemplate: text.max(4_000, "must be at most 4000 characters long"),
  dreamingWhenIdle: flag,
  criticMode: choice(CRITIC_MODES),
  criticShare: number(0, 1),
  criticModel: text.trim(),
  criticRubric: name,
  criticSamples: whole(1, 5),
  criticPersonas: flag,
  criticShadow: choice(CRITIC_MODES),
  criticShadowModel: text.trim(),
  criticShadowAgent: text.trim(),
  criticShadowTemperature: number(0, 2).nullable(),
  otlpEndpoint: address.refine(
    (url) => url === "" || httpAddress(url),
    "must be an http or https address, or empty",
  ),
  otlpRedact: flag,
  otlpLeaveOut: z
    .array(choice(LEAVE_OUT), "must be a list of files, home, memory, thinking")
    .max(LEAVE_OUT.length, "must name each at most once"),
  traceKeepDays: whole(0, 36_500),
  traceMaxSizeMb: whole(0, 1_048_576),
  embedderProvider: choice(EMBEDDER_PROVIDERS),
  embedderModel: text.trim(),
  embedderFolder: text.trim(),
  embedderHost: addressOrNone,
  embedderDownload: flag,
} as const satisfies Record<SettingName, z.ZodType>;

const SCHEMA = z.object(CHECKS);

/** All settings, checked. Times in seconds, lengths in tokens. */
export type Settings = Readonly<z.output<typeof SCHEMA>>;

/** A setting that can't be used as it stands. */
export interface SettingProblem {
  /** Its full name. */
  readonly setting: string;
  /** A sentence: what is wrong with it and what is used instead. */
  readonly message: string;
}

/** The settings in force, and what was wrong with those that were not taken. */
export interface SettingsReading {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
}

/** How a refused value is shown: as JSON, cut. */
function shown(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 57)}...` : json;
}

/**
 * Checks raw settings. A value that doesn't fit is replaced by its default and named in `problems`; nothing throws.
 *
 * @param raw gives the value of a setting by its key without the section; undefined where none is set
 */
export function readSettings(raw: (key: string) => unknown): SettingsReading {
  const names = Object.keys(SETTINGS) as SettingName[];
  const values = new Map<string, unknown>(
    names.map((name) => [name, raw(SETTINGS[name].key) ?? SETTINGS[name].default]),
  );
  const first = SCHEMA.safeParse(Object.fromEntries(values));
  if (first.success) return { settings: first.data, problems: [] };
  const rules = new Map<SettingName, string>();
  for (const issue of first.error.issues) {
    const name = names.find((candidate) => candidate === issue.path[0]);
    if (name !== undefined && !rules.has(name)) rules.set(name, issue.message);
  }
  const problems = [...rules].map(([name, rule]) => {
    const refused = shown(values.get(name));
    values.set(name, SETTINGS[name].default);
    const instead = `${shown(SETTINGS[name].default)} is used instead`;
    return {
      setting: settingId(name),
      message: `${settingId(name)} ${rule}, and is ${refused}: ${instead}.`,
    };
  });
  return { settings: SCHEMA.parse(Object.fromEntries(values)), problems };
}

/** What is wrong with a value for a setting, in a sentence; undefined where it fits. */
export function settingProblem(name: SettingName, value: unknown): string | undefined {
  const checked = CHECKS[name].safeParse(value);
  const [issue] = checked.error?.issues ?? [];
  return issue === undefined ? undefined : `${settingId(name)} ${issue.message}.`;
}

/** What the engine reads of the settings, and which memories a question may use. */
export function engineSettings(
  settings: Settings,
  scopes: Pick<MemorySettings, "scope" | "scopes"> = { scope: "" },
  persona?: Persona,
): EngineSettings {
  const { think, temperature } = settings;
  return {
    ...DEFAULT_ENGINE_SETTINGS,
    model: settings.model,
    think: think === "off" ? false : think === "on" ? true : think,
    systemPrompt: settings.systemPrompt,
    contextLength: settings.contextLength,
    maxOutputTokens: settings.maxOutputTokens,
    keepAlive: settings.keepAlive,
    maxSteps: settings.maxSteps,
    tokenBudget: settings.tokenBudget,
    ...(temperature === null ? {} : { temperature }),
    toolProtocol: settings.toolProtocol,
    parallelRequests: settings.parallelRequests,
    helperModel: settings.helperModel,
    agent: settings.agent,
    budget: {
      shares: settings.contextShares,
      summary: settings.contextSummary,
      summaryModel: settings.contextSummaryModel,
      relevantToolsFrom: settings.contextRelevantToolsFrom,
    },
    committee: {
      personas: settings.committeePersonas,
      strategy: settings.committeeStrategy,
      rounds: settings.committeeRounds,
      models: settings.committeeModels,
      synthesizer: settings.committeeSynthesizer,
      steps: settings.committeeSteps,
      samples: settings.committeeSamples,
      agreement: settings.committeeAgreement,
      seconds: settings.committeeTimeout,
    },
    hosts: settings.committeeHosts,
    ...(persona === undefined ? {} : { persona }),
    memory: {
      enabled: settings.memoryEnabled,
      learning: settings.memoryExtraction,
      recall: settings.memoryRecall,
      card: settings.memoryCard,
      minConfidence: settings.memoryConfidence,
      retrieval: retrievalSettings(settings),
      ...scopes,
    },
  };
}

/** How memory is searched. */
export function retrievalSettings(settings: Settings): RetrievalSettings {
  return {
    candidates: settings.retrievalCandidates,
    given: settings.retrievalGiven,
    hybrid: settings.retrievalHybrid,
    rerank: settings.retrievalRerank,
    threshold: settings.retrievalThreshold,
    halfLifeDays: settings.retrievalHalfLifeDays,
    recencyWeight: settings.retrievalRecencyWeight,
    scoreWeight: settings.retrievalScoreWeight,
    verdictWeight: settings.retrievalVerdictWeight,
    rewardWeight: settings.retrievalRewardWeight,
    rewardHalfLifeDays: settings.retrievalRewardHalfLifeDays,
    purify: settings.retrievalPurify,
  };
}
