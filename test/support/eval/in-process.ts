import { join } from "node:path";
import { NO_AGENTS } from "../../../src/agent/agents/definition.ts";
import { BUILT_IN_AGENTS } from "../../../src/agent/agents/built-in/index.ts";
import { BUILT_IN_RUBRICS } from "../../../src/agent/critic/built-in.ts";
import { success } from "../../../src/agent/failure.ts";
import { systemTimer } from "../../../src/agent/timer.ts";
import type { EvalDeps } from "../../../src/cli/eval/deps.ts";
import type { ModelServer } from "../../../src/cli/eval/model-server.ts";
import { DEFAULT_SETTINGS } from "../../../src/cli/settings/case-settings.ts";
import { MemoryService } from "../../../src/memory/process/service.ts";
import { inlineReader } from "../../../src/tools/web/read-document.ts";
import { asPort } from "../../unit/memory/reports/bed.ts";
import { fakeEmbedder } from "../../unit/memory/support.ts";

/** How long what comes after an answer is waited for. */
const PATIENCE_MS = 30_000;

/** Longest run: replies of a script are at once there. */
const RUN_MS = 120_000;

/** The product in this process, with a real store and an embedder that knows words. */
export function inProcess(server: ModelServer, part: Partial<EvalDeps> = {}): EvalDeps {
  return {
    server,
    settings: DEFAULT_SETTINGS,
    agents: { ...NO_AGENTS, agents: BUILT_IN_AGENTS },
    rubrics: () => ({ rubrics: BUILT_IN_RUBRICS, problems: [] }),
    memory: (folder) => {
      const service = new MemoryService({
        store: { uri: join(folder, "memory") },
        embedder: () => Promise.resolve(success(fakeEmbedder())),
        onProgress: () => undefined,
        onLog: () => undefined,
      });
      return { ...asPort(service), dispose: () => service.close() };
    },
    reader: () => inlineReader,
    timer: systemTimer,
    patienceMs: PATIENCE_MS,
    runMs: RUN_MS,
    ...part,
  };
}
