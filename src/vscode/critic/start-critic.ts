import { join } from "node:path";
import * as vscode from "vscode";
import { createCritic, type Critic } from "../../agent/critic/critic.ts";
import { createJudge } from "../../agent/critic/judge.ts";
import type { RubricCatalog } from "../../agent/critic/types.ts";
import type { Engine } from "../../agent/engine-port.ts";
import type { EngineDeps } from "../../agent/engine-deps.ts";
import type { HostGates } from "../../agent/host-gates.ts";
import { systemIdentity } from "../../agent/ids.ts";
import type { EngineSettings } from "../../agent/settings.ts";
import { systemTimer } from "../../agent/timer.ts";
import { criticSettings } from "../../cli/settings/critic-settings.ts";
import type { AnswerJudge } from "../../tools/compare-answers.ts";
import { CriticJobs } from "../../trace/critic-jobs.ts";
import { readTurn } from "../../trace/fork/read-turn.ts";
import type { TraceLog } from "../../trace/log.ts";
import { SETTINGS_SECTION } from "../contributions.ts";
import type { MemorySource } from "../memory-source.ts";
import type { Settings } from "../settings-schema.ts";
import { GradeBadge } from "./badge.ts";
import { Grades } from "./grades.ts";
import { JOBS_FOLDER, type WindowCritic } from "./window-critic.ts";

/** What the critic of a window works with. */
export interface CriticParts {
  readonly engine: Engine;
  readonly log: TraceLog;
  readonly memory: MemorySource;
  readonly model: EngineDeps["model"];
  readonly gates: HostGates;
  readonly settings: () => Settings;
  readonly engineSettings: () => EngineSettings;
  readonly rubrics: () => RubricCatalog;
  /** Where the extension keeps its own files. */
  readonly storage: string;
}

/** Lets a critic read along with every turn of the window, and shows its last grade in the status bar. */
export function startCritic(parts: CriticParts): WindowCritic {
  const { engine, log, memory, settings, engineSettings, rubrics } = parts;
  const shadow = engine.shadow?.bind(engine);
  const critic = createCritic({
    ...{ rubrics, engineSettings, identity: systemIdentity, timer: systemTimer, model: parts.model },
    settings: () => criticSettings(settings()),
    judge: createJudge(),
    gate: parts.gates.of(),
    publish: (event) => engine.publish(event),
    events: (turn) => readTurn(log, turn),
    ...(shadow && { shadow }),
    learns: () => settings().memoryEnabled && settings().memoryExtraction !== "off",
    isPrivate: (sessionId) => log.isPrivate(sessionId),
    kept: new CriticJobs(join(parts.storage, JOBS_FOLDER)),
  });
  const { grades, badge } = showGrades(engine, memory);
  engine.onEvent(critic.onEvent);
  memory.onForgotten(({ turns }) => {
    const gone = new Set(turns.map(({ turnId }) => turnId));
    critic.forget(({ turnId }) => gone.has(turnId));
  });
  log.onDeleted((deleted) => critic.forget(({ sessionId }) => sessionId === deleted));
  const listening = vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration(`${SETTINGS_SECTION}.critic`)) critic.changed();
  });
  void critic.resume();
  return {
    ...{ critic, grades, badge, rubrics },
    dispose: async () => {
      listening.dispose();
      badge.dispose();
      await critic.dispose();
    },
  };
}

/** Lets agents have answers compared, as long as the critic is on. */
export function answerJudge(settings: () => Settings, critic: () => Critic): AnswerJudge {
  return {
    isOn: () => settings().criticMode !== "off",
    compare: (request, signal) => critic().compareTexts(request, signal),
  };
}

/** Keeps the badge in step with what is given. */
function showGrades(
  engine: Engine,
  memory: MemorySource,
): { readonly grades: Grades; readonly badge: GradeBadge } {
  const grades = new Grades();
  const badge = new GradeBadge();
  engine.onEvent((event) => {
    if (grades.take(event)) badge.show(grades.last());
  });
  memory.onForgotten(({ turns }) => {
    if (grades.forget(turns.map(({ turnId }) => turnId))) badge.show(undefined);
  });
  return { grades, badge };
}
