/**
 * Every name that `package.json` contributes, in one place. `test/unit/vscode/contributions.test.ts` proves that
 * both agree. Imports other names alone: activation loads this file.
 */

/** The name of the extension in `package.json`; with the publisher it is the id that VS Code knows it by. */
export const EXTENSION_ID = "conclave.conclave";

/** Commands, by the name the code uses. */
export const COMMANDS = {
  ask: "conclave.ask",
  askCommittee: "conclave.askCommittee",
  chooseCommittee: "conclave.chooseCommittee",
  startSandbox: "conclave.startSandbox",
  dream: "conclave.dream",
  retrySynthesis: "conclave.retrySynthesis",
  runTurnAgain: "conclave.runTurnAgain",
  restoreContext: "conclave.restoreContext",
  openTracePanel: "conclave.openTracePanel",
  reloadTracePanel: "conclave.reloadTracePanel",
  newSession: "conclave.newSession",
  importTrace: "conclave.importTrace",
  deleteSession: "conclave.deleteSession",
  deleteAllSessions: "conclave.deleteAllSessions",
  exportTurn: "conclave.exportTurn",
  exportSession: "conclave.exportSession",
  saveExport: "conclave.saveExport",
  copyExport: "conclave.copyExport",
  showMemory: "conclave.showMemory",
  showTools: "conclave.showTools",
  showCritic: "conclave.showCritic",
  sayWhy: "conclave.sayWhy",
  gradeAnswer: "conclave.gradeAnswer",
  compareAnswer: "conclave.compareAnswer",
  takeAnswer: "conclave.takeAnswer",
  toggleCritic: "conclave.toggleCritic",
  forget: "conclave.forget",
  forgetAbout: "conclave.forgetAbout",
  exportMemory: "conclave.exportMemory",
  importMemory: "conclave.importMemory",
  setMemoryCredentials: "conclave.setMemoryCredentials",
  newPrivateSession: "conclave.newPrivateSession",
  savePrivateSession: "conclave.savePrivateSession",
  selectModel: "conclave.selectModel",
  pullModel: "conclave.pullModel",
  checkSetup: "conclave.checkSetup",
  cancelTurn: "conclave.cancelTurn",
  setSearchApiKey: "conclave.setSearchApiKey",
  showLog: "conclave.showLog",
  showReminders: "conclave.showReminders",
  enableWebTools: "conclave.enableWebTools",
  openSettings: "conclave.openSettings",
  showMenu: "conclave.showMenu",
  startOllama: "conclave.startOllama",
  newAgent: "conclave.newAgent",
  openAgent: "conclave.openAgent",
  copyAgent: "conclave.copyAgent",
  newRubric: "conclave.newRubric",
  runEvaluation: "conclave.runEvaluation",
  newEvaluationCase: "conclave.newEvaluationCase",
  openAsNotebook: "conclave.openAsNotebook",
  exportNotebook: "conclave.exportNotebook",
} as const;

/** The id of a command of this extension. */
export type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];

/** Commands that only buttons and menus of ours run; the Command Palette leaves them out. */
export const HIDDEN_COMMANDS: readonly CommandId[] = [
  COMMANDS.showMenu,
  COMMANDS.startOllama,
  COMMANDS.retrySynthesis,
];

// The settings themselves are shared with the command line.
export {
  SETTINGS,
  SETTINGS_SECTION,
  settingId,
  type SettingDefinition,
  type SettingName,
  type SettingScope,
} from "../cli/settings/table.ts";

/** Read in tests and while developing only, and never contributed: hosts that `web_fetch` may reach on loopback. */
export const TEST_ALLOWED_HOSTS_KEY = "test.allowedHosts";

/** Keys that `when` clauses of `package.json` read. */
export const CONTEXT_KEYS = {
  /** A turn runs in some session. */
  turnRunning: "conclave.turnRunning",
  /** `conclave.memory.enabled` is on. */
  memoryEnabled: "conclave.memoryEnabled",
  /** `conclave.web.fetch.enabled` is on. */
  webFetchEnabled: "conclave.webFetchEnabled",
  /** A private session of this window holds something. */
  privateSession: "conclave.privateSession",
} as const;

/** The list of agents in the side bar. */
export const AGENTS_VIEW = "conclave.agents";

/** The view type of the trace panel. */
export const PANEL_VIEW = "conclave.trace";

/** The view types of the editors of trace files, which only read: the usual one, and one for any JSON Lines. */
export const FILE_VIEWS = { trace: "conclave.traceFile", lines: "conclave.traceLines" } as const;

/** The type of the notebooks that traces are opened as. */
export const NOTEBOOK_TYPE = "conclave-notebook";

/** The language of their questions: none. */
export const QUESTION_LANGUAGE = "plaintext";

/** What draws their outputs. */
export const NOTEBOOK_RENDERER = "conclave-turn";

/** The chat participant. */
export const PARTICIPANT = {
  id: "conclave",
  name: "conclave",
  slashCommands: ["ask", "committee", "recall", "remember", "forget", "private"],
} as const;

/** Our tools that other agents of VS Code may use; each only reads. */
export const OFFERED_TOOLS = ["search_memory", "search_knowledge_graph", "get_moments", "web_fetch"] as const;

/** A tool that other agents may use. */
export type OfferedTool = (typeof OFFERED_TOOLS)[number];

/** What their names begin with in VS Code, where the tools of all extensions stand side by side. */
export const OFFERED_TOOL_PREFIX = "conclave_";

/** The vendor under which Ollama's models stand in VS Code's model picker. */
export const MODEL_VENDOR = "conclave";

/** Names of keys in the secret store, by search provider. */
export const SEARCH_KEY_SECRETS = {
  brave: "conclave.web.search.key.brave",
  tavily: "conclave.web.search.key.tavily",
  ollama: "conclave.web.search.key.ollama",
} as const;

/** The name of the object store's keys in the secret store: JSON of LanceDB's options by their names. */
export const MEMORY_CREDENTIALS_SECRET = "conclave.memory.credentials";

/** A search provider that wants a key. */
export type KeyedProvider = keyof typeof SEARCH_KEY_SECRETS;

/** The scheme of read-only documents that the extension writes, such as the set-up report. */
export const DOCUMENT_SCHEME = "conclave";
