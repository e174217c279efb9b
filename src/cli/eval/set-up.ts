import type { CommitteeSettings } from "../../agent/committee/settings.ts";
import type { CriticSettings } from "../../agent/critic/settings.ts";
import { settingsWith } from "../settings/case-settings.ts";
import { criticSettings } from "../settings/critic-settings.ts";
import type { Settings } from "../settings/schema.ts";
import type { EvalCase } from "./case/types.ts";
import { forcedStrategy, type Configuration } from "./configurations.ts";
import type { EvalDeps } from "./deps.ts";
import type { StartedServer } from "./model-server.ts";
import type { Pages } from "./pages.ts";

/** What one run's settings come from. */
interface SettingParts {
  readonly case: EvalCase;
  readonly configuration: Configuration;
  readonly started: StartedServer;
  readonly pages: Pages | undefined;
}

/** The settings of one run: the base, what the server brings, the case's own, and what the configuration says. */
export function runSettings(
  { settings, server }: Pick<EvalDeps, "settings" | "server">,
  { case: one, configuration, started, pages }: SettingParts,
): Settings {
  const { switches } = configuration;
  const own = settingsWith(settings, { ...server.settings, ...one.settings });
  const web =
    pages === undefined
      ? {}
      : {
          webFetchEnabled: true,
          webSearchEnabled: true,
          webSearchProvider: "searxng" as const,
          webSearchUrl: pages.url,
        };
  return {
    ...own,
    ...web,
    ollamaHost: started.host,
    model: started.model,
    // Each run has a store of its own.
    memoryUri: "",
    // The files of whoever runs it are nobody's test.
    toolsWorkspace: false,
    ...(switches.memory !== undefined && { memoryEnabled: switches.memory }),
  };
}

/** Names of the tools that a run offers; left out: all that are on. */
export function runTools(
  { tools }: EvalCase,
  { switches }: Configuration,
): { readonly tools?: readonly string[] } {
  if (switches.tools === false) return { tools: [] };
  return tools === undefined ? {} : { tools };
}

/** The committee that answers a run; undefined where one agent does. */
export function runCommittee(
  { committee }: EvalCase,
  configuration: Configuration,
): Partial<CommitteeSettings> | undefined {
  const strategy = forcedStrategy(configuration);
  if (strategy === "single") return undefined;
  const own = withoutUndefined(committee ?? {});
  if (strategy !== undefined) return { ...own, strategy };
  return committee === undefined ? undefined : own;
}

/** How the critic works in a run: only where a grade is expected, or somebody says so. It takes its time. */
export function runCritic(
  { dialogue, settings: own = {} }: EvalCase,
  { switches }: Configuration,
  settings: Settings,
): CriticSettings {
  const written = criticSettings(settings);
  const isExpected = dialogue.some(({ expect, then }) => expect?.grade !== undefined && then?.grade !== true);
  if (switches.critic === undefined && own["conclave.critic.mode"] !== undefined) return written;
  return { ...written, mode: (switches.critic ?? isExpected) ? "all" : "request" };
}

function withoutUndefined(fields: NonNullable<EvalCase["committee"]>): Partial<CommitteeSettings> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
