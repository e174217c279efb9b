import { join } from "node:path";
import { findAgent, type AgentCatalog } from "../agent/agents/definition.ts";
import type { Critic } from "../agent/critic/critic.ts";
import type { CriticSettings } from "../agent/critic/settings.ts";
import type { RubricCatalog } from "../agent/critic/types.ts";
import { createEngine } from "../agent/engine.ts";
import type { Engine } from "../agent/engine-port.ts";
import { describeError } from "../agent/failure.ts";
import { createHostGates } from "../agent/host-gates.ts";
import { systemIdentity, type Identity } from "../agent/ids.ts";
import type { MemoryPort } from "../agent/memory/port.ts";
import { purifyingMemory } from "../agent/remember/purify.ts";
import type { EngineSettings } from "../agent/settings.ts";
import { systemTimer } from "../agent/timer.ts";
import { createTools } from "../tools/index.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { SearchAccess, SearchProviderName } from "../tools/search/types.ts";
import type { DocumentReader } from "../tools/web/reader.ts";
import { TraceLog } from "../trace/log.ts";
import { startJudging } from "./judging.ts";
import { createModels, type Models } from "./models.ts";
import { engineSettings, retrievalSettings, type Settings } from "./settings/schema.ts";
import { toolSettings } from "./settings/tool-settings.ts";

/** A memory that can be ended. */
export interface OwnedMemory extends MemoryPort {
  dispose(): Promise<void>;
}

/** What the product is made of where there is no VS Code. */
export interface ServiceParts {
  readonly settings: Settings;
  /** Where its traces go: one file a session, below `sessions`. */
  readonly folder: string;
  /** Belongs to the services from then on. */
  readonly memory: OwnedMemory;
  /** Turns web pages into text; belongs to the services from then on. */
  readonly reader: DocumentReader;
  readonly agents: () => AgentCatalog;
  /** Address and key of a search engine. */
  readonly searchAccess: (provider: SearchProviderName) => SearchAccess;
  readonly critic: CriticSettings;
  readonly rubrics: () => RubricCatalog;
  /** `host:port` pairs that `web_fetch` may reach although they are not on the internet. */
  readonly allowedHosts?: readonly string[];
  /** Left out: the real clock and real randomness. */
  readonly identity?: Identity;
  /** Hears, in words, of what could not be written, and of readers of events that broke. */
  readonly onProblem?: (problem: string) => void;
}

/** The product without VS Code. */
export interface CliServices {
  readonly engine: Engine;
  readonly log: TraceLog;
  readonly memory: MemoryPort;
  readonly tools: ToolRegistry;
  readonly models: Models;
  readonly settings: Settings;
  readonly critic: Critic;
  /** Waits until what was said of answers is written down. */
  settled(): Promise<void>;
  /** Cancels what runs, writes what waits, ends what was started. */
  dispose(): Promise<void>;
}

/** Ties engine, log, memory and tools together as VS Code's door does. Starts no process and asks no server. */
export function createServices(parts: ServiceParts): CliServices {
  const { settings, memory, reader, agents, identity = systemIdentity, onProblem = () => undefined } = parts;
  const log = new TraceLog({
    folder: join(parts.folder, "sessions"),
    onError: ({ message }) => onProblem(message),
  });
  const models = createModels(settings);
  const engineOf = (): EngineSettings =>
    engineSettings(settings, { scope: "" }, findAgent(agents(), settings.agent)?.persona);
  const gates = createHostGates();
  const shared = { settings: engineOf, model: models.model };
  const purified = purifyingMemory(memory, {
    ...shared,
    gate: () => gates.of(),
    timer: systemTimer,
    now: () => identity.now(),
  });
  const tools = createTools({
    memory: purified,
    settings: () => toolSettings(settings),
    searchAccess: parts.searchAccess,
    reader,
    scope: () => "",
    retrieval: () => retrievalSettings(settings),
    minConfidence: () => settings.memoryConfidence,
    isPrivate: (sessionId) => log.isPrivate(sessionId),
    now: () => identity.now(),
    ...(parts.allowedHosts && { allowedHosts: parts.allowedHosts }),
  });
  const engine = createEngine({
    ...shared,
    agents,
    gates,
    identity,
    tools: () => tools.toolSet(),
    history: log,
    memory: purified,
    onFault: (error) => onProblem(`A reader of events broke: ${describeError(error)}`),
  });
  engine.onEvent((event) => log.append(event));
  const judging = startJudging({
    ...{ engine, log, memory, models, gates, identity },
    settings: () => parts.critic,
    engineSettings: engineOf,
    rubrics: parts.rubrics,
    concludes: () => settings.feedbackImplicit,
  });
  return {
    ...{ engine, log, memory, tools, models, settings },
    critic: judging.critic,
    settled: () => judging.settled(),
    dispose: async () => {
      await judging.dispose();
      await engine.dispose();
      await Promise.all([log.dispose(), memory.dispose(), reader.dispose()]);
    },
  };
}
