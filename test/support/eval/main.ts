import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { RubricFiles } from "../../../src/agent/critic/rubric-files.ts";
import { evaluate } from "../../../src/cli/eval/command.ts";
import type { CliParts } from "../../../src/cli/places.ts";
import { clientOptions } from "../../../src/cli/settings/client-options.ts";
import { MemoryClient } from "../../../src/memory/process/client.ts";
import { bundledHost, removeBundledHost } from "../../unit/memory/support.ts";
import { inProcess } from "./in-process.ts";
import { scriptedServer } from "./scripted-server.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

/**
 * `conclave eval` out of the sources, as `npm run eval` runs it: without arguments all cases and stories of the
 * repository against the scripted server, with `--live` a real model.
 */
export async function evalFromSource(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { version: string };
  const { memory, reader } = inProcess(scriptedServer());
  const terminal = {
    out: (text: string) => void process.stdout.write(text),
    err: (text: string) => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
  };
  const isLive = args.some((arg) => arg === "--live" || arg.startsWith("--live="));
  const parts: CliParts = {
    ...{ version, reader, scripted: scriptedServer },
    rubrics: (cwd) => new RubricFiles(() => ({ workspaces: [cwd] })).catalog(),
    memory: isLive ? await shippedMemory() : memory,
    cases: ["stories", "cases"].map((folder) => join(ROOT, "test", "eval", folder)),
    judgeSet: join(ROOT, "test", "eval", "judge", "set.yaml"),
  };
  try {
    return await evaluate(args, terminal, parts, signal);
  } finally {
    await removeBundledHost();
  }
}

/** Memory as it is shipped, for a real model: in its own process, with the embedder of the settings. */
async function shippedMemory(): Promise<CliParts["memory"]> {
  const hostPath = await bundledHost();
  return (storage, settings, modelCacheDir) =>
    new MemoryClient({ ...clientOptions(settings, { storage, extension: ROOT }), hostPath, modelCacheDir });
}
