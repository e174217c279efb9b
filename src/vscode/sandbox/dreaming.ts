import * as vscode from "vscode";
import { Dreamer, type DreamerDeps } from "../../agent/dreaming/dreamer.ts";
import type { DreamState } from "../../agent/dreaming/dream.ts";
import type { Engine } from "../../agent/engine-port.ts";
import { systemTimer } from "../../agent/timer.ts";
import type { TraceLog } from "../../trace/log.ts";
import type { Settings } from "../settings-schema.ts";
import { touches } from "../settings.ts";
import { recentTurns } from "./recent-turns.ts";

const UNTIL_KEY = "conclave.dreaming.until";
const ENDED_KEY = "conclave.dreaming.endedAt";

/** What dreaming in an editor is made of. */
export interface EditorDreamingDeps {
  readonly engine: Engine;
  readonly log: TraceLog;
  readonly settings: () => Settings;
  /** Kept over restarts, for all windows. */
  readonly memento: vscode.Memento;
  /** The log of the extension. */
  readonly output: Pick<vscode.LogOutputChannel, "info">;
}

/** A dreamer that watches the window for signs of the user. */
export class EditorDreaming {
  readonly dreamer: Dreamer;
  readonly #listening: vscode.Disposable;
  readonly #stopHearing: () => void;

  constructor({ engine, log, settings, memento, output }: EditorDreamingDeps) {
    const deps: DreamerDeps = {
      engine,
      recent: (after, signal) => recentTurns(log, after, signal),
      state: stateIn(memento),
      contextLength: () => settings().contextLength,
      now: () => Date.now(),
      whenIdle: () => settings().dreamingWhenIdle,
      timer: systemTimer,
      onLine: (line) => output.info(line),
    };
    this.dreamer = new Dreamer(deps);
    this.#stopHearing = engine.onEvent((event) => this.dreamer.onEvent(event));
    const seen = (): void => this.dreamer.seen();
    this.#listening = vscode.Disposable.from(
      vscode.window.onDidChangeWindowState(({ focused }) => this.dreamer.focused(focused)),
      vscode.window.onDidChangeTextEditorSelection(seen),
      vscode.window.onDidChangeActiveTextEditor(seen),
      vscode.workspace.onDidChangeTextDocument(seen),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (touches(change, "dreamingWhenIdle")) this.dreamer.changed();
      }),
    );
    if (!vscode.window.state.focused) this.dreamer.focused(false);
  }

  /** Stops what is dreamt and waits for it. */
  async dispose(): Promise<void> {
    this.#listening.dispose();
    this.#stopHearing();
    await this.dreamer.dispose();
  }
}

/** What is not a time there counts as nothing. */
function stateIn(memento: vscode.Memento): DreamState {
  const timeAt = (key: string): number | undefined => {
    const kept = memento.get<unknown>(key);
    return typeof kept === "number" && Number.isFinite(kept) ? kept : undefined;
  };
  return {
    until: () => timeAt(UNTIL_KEY),
    setUntil: async (time) => await memento.update(UNTIL_KEY, time),
    endedAt: () => timeAt(ENDED_KEY),
    setEndedAt: async (time) => await memento.update(ENDED_KEY, time),
  };
}
