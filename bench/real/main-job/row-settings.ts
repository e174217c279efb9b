import { success, type Result } from "../../../src/agent/failure.ts";
import { ALL_SETTINGS } from "../../../src/cli/settings/case-settings.ts";
import { givenSettings } from "../../../src/cli/settings/given-settings.ts";
import type { Settings } from "../../../src/cli/settings/schema.ts";
import type { ModelSource } from "../model-source.ts";
import type { Recall, Row } from "./plan.ts";

const RECALL = "conclave.memory.recall";

/** Whether the product knows ways to recall memory; rows are called `default` where it does not. */
export function knowsRecall(): boolean {
  return ALL_SETTINGS.includes(RECALL);
}

/** The rows of the table, by what is wished for. */
export function rowsOf(models: readonly string[], recalls: readonly Recall[]): readonly Row[] {
  const ways: readonly Recall[] = !knowsRecall() ? ["default"] : recalls.length > 0 ? recalls : ["auto"];
  return models.flatMap((model) => ways.map((recall) => ({ model, recall })));
}

/** What is wrong with settings as they were given; undefined where nothing is. */
export async function settingsFault(pairs: readonly string[], cwd: string): Promise<string | undefined> {
  const read = await givenSettings({ pairs, flags: {} }, cwd);
  return read.ok ? undefined : read.failure.message;
}

/** The settings that memory is told with: the product's defaults, a model, and what else was given. */
export function tellSettings(
  model: string,
  source: ModelSource,
  pairs: readonly string[],
  cwd: string,
): Promise<Result<Settings>> {
  return settingsFor(model, source, { pairs, flags: {} }, cwd);
}

/** The settings of a row: the product's defaults, a model, how memory is recalled, and what else was given. */
export function rowSettings(
  { model, recall }: Row,
  source: ModelSource,
  pairs: readonly string[],
  cwd: string,
): Promise<Result<Settings>> {
  const flags = recall === "default" ? {} : { [RECALL]: recall };
  return settingsFor(model, source, { pairs, flags }, cwd);
}

async function settingsFor(
  model: string,
  { host, embedderFolder }: ModelSource,
  { pairs, flags }: { readonly pairs: readonly string[]; readonly flags: Readonly<Record<string, unknown>> },
  cwd: string,
): Promise<Result<Settings>> {
  const embedder = embedderFolder === undefined ? [] : [`conclave.memory.embedder.folder=${embedderFolder}`];
  const read = await givenSettings(
    {
      pairs: [...embedder, ...pairs],
      flags: { ...flags, "conclave.ollama.host": host, "conclave.model": model },
    },
    cwd,
  );
  return read.ok ? success(read.value) : read;
}
