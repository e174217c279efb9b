/**
 * The settings of the product, whichever door it is used by: names, defaults, and where in VS Code they may stand.
 * `package.json` contributes the same, which `test/unit/vscode/contributions.test.ts` proves. No imports: activation
 * loads this file.
 */

/** The first part of every setting's name. */
export const SETTINGS_SECTION = "conclave";

/** Where a setting may stand: `machine` keeps a folder from setting it at all. */
export type SettingScope = "machine" | "window";

/** What is known of a setting apart from how it is checked (see schema.ts). */
export interface SettingDefinition {
  readonly key: string;
  readonly default:
    string | number | boolean | null | readonly string[] | Readonly<Record<string, string | number>>;
  readonly scope: SettingScope;
  /** A folder that is not trusted can't set it. */
  readonly restricted: boolean;
}

/** Settings, by the name the code uses. Keys are without the section. */
export const SETTINGS = {
  ollamaHost: { key: "ollama.host", default: "http://127.0.0.1:11434", scope: "machine", restricted: true },
  model: { key: "model", default: "", scope: "window", restricted: true },
  helperModel: { key: "helperModel", default: "", scope: "window", restricted: true },
  agent: { key: "agent", default: "conclave", scope: "window", restricted: true },
  think: { key: "think", default: "on", scope: "window", restricted: false },
  systemPrompt: { key: "systemPrompt", default: "", scope: "window", restricted: true },
  temperature: { key: "temperature", default: null, scope: "window", restricted: false },
  contextLength: { key: "contextLength", default: 32_768, scope: "window", restricted: false },
  maxSteps: { key: "maxSteps", default: 5, scope: "window", restricted: false },
  maxOutputTokens: { key: "maxOutputTokens", default: 8_192, scope: "window", restricted: false },
  tokenBudget: { key: "tokenBudget", default: 0, scope: "window", restricted: false },
  keepAlive: { key: "keepAlive", default: "30m", scope: "machine", restricted: true },
  requestTimeout: { key: "requestTimeout", default: 900, scope: "machine", restricted: true },
  toolTimeout: { key: "toolTimeout", default: 120, scope: "machine", restricted: true },
  webTimeout: { key: "webTimeout", default: 15, scope: "machine", restricted: true },
  parallelRequests: { key: "parallelRequests", default: 1, scope: "machine", restricted: true },
  toolProtocol: { key: "toolProtocol", default: "auto", scope: "window", restricted: true },
  toolsWorkspace: { key: "tools.workspace", default: true, scope: "machine", restricted: true },
  toolsActions: {
    key: "tools.actions",
    default: [
      "workbench.view.explorer",
      "workbench.view.search",
      "workbench.view.scm",
      "workbench.actions.view.problems",
      "workbench.action.openSettings",
    ],
    scope: "machine",
    restricted: true,
  },
  webSearchEnabled: { key: "web.search.enabled", default: false, scope: "machine", restricted: true },
  webFetchEnabled: { key: "web.fetch.enabled", default: false, scope: "machine", restricted: true },
  webSearchProvider: { key: "web.search.provider", default: "none", scope: "machine", restricted: true },
  webSearchUrl: { key: "web.search.url", default: "", scope: "machine", restricted: true },
  memoryEnabled: { key: "memory.enabled", default: true, scope: "window", restricted: true },
  memoryExtraction: { key: "memory.extraction", default: "model", scope: "window", restricted: true },
  memoryUri: { key: "memory.uri", default: "", scope: "machine", restricted: true },
  memoryScope: { key: "memory.scope", default: "workspace", scope: "window", restricted: true },
  memorySearchScope: { key: "memory.searchScope", default: "workspace", scope: "window", restricted: true },
  memoryRecall: { key: "memory.recall", default: "auto", scope: "window", restricted: false },
  memoryCard: { key: "memory.contextCard", default: "auto", scope: "window", restricted: false },
  memoryConfidence: { key: "memory.confidence", default: 0.5, scope: "window", restricted: false },
  retrievalCandidates: {
    key: "memory.retrieval.candidates",
    default: 10,
    scope: "window",
    restricted: false,
  },
  retrievalGiven: { key: "memory.retrieval.given", default: 3, scope: "window", restricted: false },
  retrievalHybrid: { key: "memory.retrieval.hybrid", default: true, scope: "window", restricted: false },
  retrievalRerank: { key: "memory.retrieval.rerank", default: false, scope: "window", restricted: false },
  retrievalThreshold: { key: "memory.retrieval.threshold", default: 0.2, scope: "window", restricted: false },
  retrievalHalfLifeDays: {
    key: "memory.retrieval.halfLifeDays",
    default: 90,
    scope: "window",
    restricted: false,
  },
  retrievalRecencyWeight: {
    key: "memory.retrieval.recencyWeight",
    default: 0.02,
    scope: "window",
    restricted: false,
  },
  retrievalScoreWeight: {
    key: "memory.retrieval.scoreWeight",
    default: 0.05,
    scope: "window",
    restricted: false,
  },
  retrievalVerdictWeight: {
    key: "memory.retrieval.verdictWeight",
    default: 0.05,
    scope: "window",
    restricted: false,
  },
  retrievalRewardWeight: {
    key: "memory.retrieval.rewardWeight",
    default: 0.1,
    scope: "window",
    restricted: false,
  },
  retrievalRewardHalfLifeDays: {
    key: "memory.retrieval.rewardHalfLifeDays",
    default: 180,
    scope: "window",
    restricted: false,
  },
  feedbackImplicit: { key: "feedback.implicit", default: true, scope: "window", restricted: false },
  retrievalPurify: { key: "memory.retrieval.purify", default: false, scope: "window", restricted: false },
  embedderProvider: {
    key: "memory.embedder.provider",
    default: "transformers",
    scope: "machine",
    restricted: true,
  },
  embedderModel: {
    key: "memory.embedder.model",
    default: "nomic-embed-text",
    scope: "machine",
    restricted: true,
  },
  embedderFolder: { key: "memory.embedder.folder", default: "", scope: "machine", restricted: true },
  contextShares: {
    key: "context.shares",
    default: { system: 25, tools: 12.5, history: 25, memory: 25, answer: 12.5 },
    scope: "window",
    restricted: false,
  },
  contextSummary: { key: "context.summary.enabled", default: true, scope: "window", restricted: false },
  contextSummaryModel: { key: "context.summary.model", default: "", scope: "window", restricted: true },
  contextRelevantToolsFrom: {
    key: "context.relevantToolsFrom",
    default: 24,
    scope: "window",
    restricted: false,
  },
  committeeEnabled: { key: "committee.enabled", default: false, scope: "window", restricted: true },
  committeePersonas: {
    key: "committee.personas",
    default: ["Skeptic", "Evidence Seeker", "Newcomer's Advocate", "Pragmatist"],
    scope: "window",
    restricted: true,
  },
  committeeStrategy: { key: "committee.strategy", default: "blind", scope: "window", restricted: false },
  committeeRounds: { key: "committee.rounds", default: 1, scope: "window", restricted: false },
  committeeModels: { key: "committee.models", default: {}, scope: "window", restricted: true },
  committeeSynthesizer: {
    key: "committee.synthesizer",
    default: "The Self",
    scope: "window",
    restricted: true,
  },
  committeeSteps: { key: "committee.steps", default: 3, scope: "window", restricted: false },
  committeeSamples: { key: "committee.samples", default: 5, scope: "window", restricted: false },
  committeeAgreement: { key: "committee.agreement", default: "model", scope: "window", restricted: false },
  committeeTimeout: { key: "committee.timeout", default: 600, scope: "window", restricted: false },
  sandboxRounds: { key: "sandbox.rounds", default: 4, scope: "window", restricted: false },
  sandboxPersist: { key: "sandbox.persist", default: true, scope: "window", restricted: true },
  sandboxMemories: { key: "sandbox.memories", default: 5, scope: "window", restricted: false },
  sandboxRecents: { key: "sandbox.recents", default: 3, scope: "window", restricted: false },
  sandboxHistoryWindow: { key: "sandbox.historyWindow", default: 4, scope: "window", restricted: false },
  sandboxDelay: { key: "sandbox.delay", default: 0, scope: "window", restricted: false },
  sandboxWordLimit: { key: "sandbox.wordLimit", default: 120, scope: "window", restricted: false },
  sandboxTemplate: {
    key: "sandbox.template",
    default: "{partner_message}",
    scope: "window",
    restricted: true,
  },
  dreamingWhenIdle: { key: "dreaming.whenIdle", default: false, scope: "window", restricted: true },
  criticMode: { key: "critic.mode", default: "all", scope: "window", restricted: false },
  criticShare: { key: "critic.share", default: 0.2, scope: "window", restricted: false },
  criticModel: { key: "critic.model", default: "", scope: "window", restricted: true },
  criticRubric: { key: "critic.rubric", default: "helpfulness", scope: "window", restricted: true },
  criticSamples: { key: "critic.samples", default: 1, scope: "window", restricted: false },
  criticPersonas: { key: "critic.personas", default: false, scope: "window", restricted: false },
  criticShadow: { key: "critic.shadow", default: "request", scope: "window", restricted: false },
  criticShadowModel: { key: "critic.shadowModel", default: "", scope: "window", restricted: true },
  criticShadowAgent: { key: "critic.shadowAgent", default: "", scope: "window", restricted: true },
  criticShadowTemperature: {
    key: "critic.shadowTemperature",
    default: null,
    scope: "window",
    restricted: false,
  },
  committeeHosts: { key: "committee.hosts", default: [], scope: "machine", restricted: true },
  embedderHost: { key: "memory.embedder.host", default: "", scope: "machine", restricted: true },
  otlpEndpoint: { key: "trace.otlp.endpoint", default: "", scope: "machine", restricted: true },
  otlpRedact: { key: "trace.otlp.redactSecrets", default: true, scope: "machine", restricted: true },
  otlpLeaveOut: { key: "trace.otlp.leaveOut", default: [], scope: "machine", restricted: true },
  traceKeepDays: { key: "trace.keepDays", default: 0, scope: "machine", restricted: false },
  traceMaxSizeMb: { key: "trace.maxSizeMb", default: 2_048, scope: "machine", restricted: false },
  embedderDownload: { key: "memory.embedder.download", default: true, scope: "machine", restricted: true },
} as const satisfies Readonly<Record<string, SettingDefinition>>;

/** The name the code uses for a setting. */
export type SettingName = keyof typeof SETTINGS;

/** A setting's full name, as it stands in `settings.json`. */
export function settingId(name: SettingName): string {
  return `${SETTINGS_SECTION}.${SETTINGS[name].key}`;
}
