import {
  describeConfiguration,
  parseConfiguration,
  type Configuration,
} from "../../cli/eval/configurations.ts";
import { showFailure, withCancellableProgress } from "../editor.ts";
import { modelItems } from "../models/entry.ts";
import type { Services } from "../services.ts";
import { pickMany, pickOne } from "../pickers.ts";

/** Configurations that are offered. */
const OFFERED = [
  "as-written",
  "as-written-memory",
  "as-written-tools",
  "as-written+critic",
  "single",
  "blind",
  "sequential",
  "ring",
  "council",
  "self-consistency",
] as const;

/** Lets the user choose files; the first one alone is chosen at the start where an editor shows it. */
export async function pickFiles(
  paths: readonly string[],
  shown: (path: string) => string,
): Promise<readonly string[] | undefined> {
  const items = paths.map((path) => ({ label: shown(path), path, picked: true }));
  const picked = await pickMany(items, {
    title: "Conclave: Run Evaluation (1/3)",
    placeHolder: "The cases to run",
  });
  return picked?.map(({ path }) => path);
}

/** Lets the user choose the model that answers. */
export async function pickModel(services: Services): Promise<string | undefined> {
  const server = services.server();
  const listed = server.ok
    ? await withCancellableProgress("Conclave: asking Ollama for its models", (signal) =>
        server.value.list(signal),
      )
    : server;
  if (!listed.ok) {
    await showFailure(listed.failure);
    return undefined;
  }
  const items = modelItems(listed.value, services.settings().settings.model);
  const picked = await pickOne(
    items.map((item) => ({ ...item })),
    { title: "Conclave: Run Evaluation (2/3)", placeHolder: "The model that answers", matchOnDetail: true },
  );
  return picked?.name;
}

/** Lets the user choose configurations. */
export async function pickConfigurations(): Promise<readonly Configuration[] | undefined> {
  const items = OFFERED.flatMap((name) => {
    const configuration = parseConfiguration(name);
    if (configuration === undefined) return [];
    const detail = describeConfiguration(configuration);
    return [{ label: name, detail, configuration, picked: name === "as-written" }];
  });
  const picked = await pickMany(items, {
    title: "Conclave: Run Evaluation (3/3)",
    placeHolder: "What to compare: each runs all cases",
    matchOnDetail: true,
  });
  return picked === undefined || picked.length === 0
    ? undefined
    : picked.map(({ configuration }) => configuration);
}
