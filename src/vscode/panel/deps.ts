import type { Engine } from "../../agent/engine-port.ts";
import type { Failure, FailureAction } from "../../agent/failure.ts";
import type { MemoryPort } from "../../agent/memory-port.ts";
import type { LogChange } from "../../trace/log-watch.ts";
import type { TraceLog } from "../../trace/log.ts";

/** How things stand before a question is asked; what is missing comes with the action that mends it. */
export interface SetupState {
  /** The chosen chat model, empty when none was chosen. */
  readonly model: string;
  /** Where the server is looked for, such as `http://127.0.0.1:11434`. */
  readonly endpoint: string;
  /** What is missing or off, most important first; empty when all is well. */
  readonly problems: readonly Failure[];
}

/** The switches under the input: what a question may use. */
export type PanelToggle = "committee" | "memory" | "web";

/** Where the switches stand. */
export type PanelToggles = { readonly [name in PanelToggle]: boolean };

/** The switches as settings: read, set, and listened to. */
export interface TogglePort {
  get(): PanelToggles;
  /** Changes the setting; a refusal is the failure's sentence, shown in the panel. */
  set(name: PanelToggle, on: boolean): Promise<Failure | undefined>;
  /** Calls back after any change; returns the way to stop. */
  onChange(listener: () => void): () => void;
}

/** What is known of a model on its server, for the words shown while it loads. */
export interface ModelState {
  readonly loaded: boolean;
  readonly sizeBytes?: number;
}

/** What the panel is built on. The container of `src/vscode` passes it; tests pass scripted ones. */
export interface PanelHostDeps {
  readonly engine: Engine;
  readonly log: Pick<TraceLog, "read" | "sessions" | "rows" | "flush">;
  /** One that forgets in the log too. */
  readonly memory: MemoryPort;
  /** The scopes that belong to the workspace that is open; undefined when memory is not told apart by workspace. */
  memoryScopes?(): readonly string[] | undefined;
  /** What people call the folder of a scope; undefined when that is not known. */
  scopeName?(id: string): string | undefined;
  /** Calls back when something was forgotten, whoever asked; returns the way to stop. */
  onForgotten?(listener: () => void): () => void;
  /** Calls back when logs changed on disk, whichever window wrote them; returns the way to stop. */
  onLogChange?(listener: (change: LogChange) => void): () => void;
  readonly toggles: TogglePort;
  /** Who answers when the committee is on, in a few words. */
  committee(): string;
  /** Looks at server, model and embedder. Must not throw. */
  setup(signal: AbortSignal): Promise<SetupState>;
  /** Does what a failure's button offers, other than `retry` and `cancel_running`, which the panel does itself. */
  run(action: FailureAction, target?: string): Promise<void>;
  /** Calls back when the set-up may have changed (model chosen, server up); returns the way to stop. */
  onSetupChange?(listener: () => void): () => void;
  /** Whether the model is loaded; left out, the panel says "waiting" instead of "loading". */
  modelState?(model: string, signal: AbortSignal): Promise<ModelState | undefined>;
}

/** What only the window can do for the panel. */
export interface PanelUi {
  /** Opens an address that was already checked: http(s) or mailto. */
  openLink(uri: string): Promise<void>;
  /** Asks the user before something is lost, naming it in `detail`; false also when the dialog was closed. */
  confirm(message: string, detail: string, button: string): Promise<boolean>;
  /** Asks where to save a file of JSON Lines, with a name to begin with; the path, undefined when the user backs out. */
  saveAs(name: string): Promise<string | undefined>;
  /** Asks for a file of JSON Lines to read; the path, undefined when the user backs out. */
  chooseFile(): Promise<string | undefined>;
}
