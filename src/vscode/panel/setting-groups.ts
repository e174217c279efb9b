import { SETTINGS, type SettingName } from "../contributions.ts";

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** How memory is searched. */
const RETRIEVAL = NAMES.filter((name) => SETTINGS[name].key.startsWith("memory.retrieval."));

/** Which memories are looked at, and which count. */
const SEARCHED: readonly SettingName[] = ["memoryEnabled", "memorySearchScope", "memoryConfidence"];
const KEPT: readonly SettingName[] = ["memoryEnabled", "memoryScope", "toolTimeout"];
const FILES: readonly SettingName[] = ["toolsWorkspace", "toolTimeout"];

/** What only some tools have; the names of tools as models call them. */
const OF_TOOLS: Readonly<Record<string, readonly SettingName[]>> = {
  search_memory: [...SEARCHED, ...RETRIEVAL, "toolTimeout"],
  search: [...SEARCHED, ...RETRIEVAL, "toolTimeout"],
  search_knowledge_graph: [...SEARCHED, "toolTimeout"],
  get_moments: ["memoryEnabled", "memorySearchScope", "toolTimeout"],
  save_memory: KEPT,
  save_moments: KEPT,
  update_user_metadata: KEPT,
  forget_memory: ["memoryEnabled", "memorySearchScope", "toolTimeout"],
  web_search: ["webSearchEnabled", "webSearchProvider", "webSearchUrl", "webTimeout"],
  web_fetch: ["webFetchEnabled", "webTimeout"],
  ask_agent: ["committeeModels", "committeeHosts"],
  read_file: FILES,
  list_files: FILES,
  search_files: FILES,
  get_diagnostics: FILES,
  remind_me: ["toolTimeout"],
  action: ["toolsActions", "toolTimeout"],
};

/** What concerns every tool. */
const OF_ALL_TOOLS: readonly SettingName[] = ["toolProtocol", "maxSteps", "contextRelevantToolsFrom"];

/** What grades, verdicts and feedback do: they weigh in what is recalled. */
const WEIGHTS: readonly SettingName[] = [
  "retrievalScoreWeight",
  "retrievalVerdictWeight",
  "retrievalRewardWeight",
  "retrievalRewardHalfLifeDays",
  "feedbackImplicit",
];

/** The settings of a view, in order: of `critic`, of `memory`, of a tool (`tool:NAME`); none of anything else. */
export function settingsOf(group: string): readonly SettingName[] {
  if (group === "critic")
    return [...NAMES.filter((name) => SETTINGS[name].key.startsWith("critic.")), ...WEIGHTS];
  if (group === "memory")
    return [
      ...NAMES.filter((name) => SETTINGS[name].key.startsWith("memory.")),
      "helperModel",
      "dreamingWhenIdle",
    ];
  if (!group.startsWith("tool:")) return [];
  const tool = group.slice("tool:".length);
  const own = Object.hasOwn(OF_TOOLS, tool) ? OF_TOOLS[tool] : undefined;
  // Those of the editor have the time limit of all others.
  return [...(own ?? (["toolTimeout"] as const)), ...OF_ALL_TOOLS];
}
