import type { Engine } from "../../agent/engine-port.ts";
import type { Failure, FailureAction } from "../../agent/failure.ts";
import type { MemoryPort } from "../../agent/memory/port.ts";
import type { LogChange } from "../../trace/log-watch.ts";
import type { TraceFile } from "../../trace/files/trace-file.ts";
import type { LogItem } from "../../trace/log-reader.ts";
import type { TraceLog } from "../../trace/log.ts";
import type { PanelSource, SourceAction } from "../../trace/panel-source.ts";
import type { ToolInfo } from "../../trace/activity/records.ts";
import type { AnswerPort } from "./answer-port.ts";
import type { PanelCritic } from "./critic-part.ts";
import type { EvalPort } from "./eval-part.ts";
import type { SettingsPort } from "./settings-port.ts";

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

/** A turn, named. */
export interface TurnRef {
  readonly sessionId: string;
  readonly turnId: string;
}

/** What changed of a source: what is said of it, the turns that it has, or all of it. */
export type SourceChange = "state" | "turns" | "all";

/** Where what the panel shows comes from, where that is no log of this machine. It is read, and never written to. */
export interface PanelSourcePort {
  get(): PanelSource;
  /** Does what the panel offers for it, with the session that it is about where it is about one. */
  act(action: SourceAction, sessionId?: string): Promise<void>;
  /** Which turn is shown at first: the one that was chosen before if it is still there, else the first there is. */
  first(chosen: TurnRef | null): Promise<TurnRef | undefined>;
  /** Calls back after a change; returns the way to stop. */
  onChange(listener: (change: SourceChange) => void): () => void;
}

/**
 * What the panel reads of a log; one that knows where a turn stands is not read as a whole for it. Without `search`
 * turns are found by what their rows say; without `lines` there is no activity of tools, critic and memory over all turns.
 */
export type PanelLog = Pick<TraceLog, "read" | "sessions" | "rows" | "flush"> &
  Partial<Pick<TraceFile, "readTurn">> &
  Partial<Pick<TraceLog, "search" | "lines">>;

/** What a log holds of a turn, and maybe of others of its session. */
export function turnOf(log: PanelLog, sessionId: string, turnId: string): AsyncIterable<LogItem> {
  return log.readTurn?.(sessionId, turnId) ?? log.read(sessionId);
}

/** What the panel is built on. The container of `src/vscode` passes it; tests pass scripted ones. */
export interface PanelHostDeps {
  readonly engine: Engine;
  readonly log: PanelLog;
  /** Left out: the panel shows this machine's own log. */
  readonly source?: PanelSourcePort;
  /** Deletes a session once the user has agreed; says itself what went wrong. */
  deleteSession?(sessionId: string): Promise<void>;
  /** One that forgets in the log too. */
  readonly memory: MemoryPort;
  /** The scopes that belong to the workspace that is open; undefined when memory is not told apart by workspace. */
  memoryScopes?(): readonly string[] | undefined;
  /** What people call the folder of a scope; undefined when that is not known. */
  scopeName?(id: string): string | undefined;
  /** Calls back when something was forgotten, whoever asked; returns the way to stop. */
  onForgotten?(listener: () => void): () => void;
  /** Calls back with a session that this window deleted; returns the way to stop. */
  onDeleted?(listener: (sessionId: string) => void): () => void;
  /** Calls back when logs changed on disk, whichever window wrote them; returns the way to stop. */
  onLogChange?(listener: (change: LogChange) => void): () => void;
  readonly toggles: TogglePort;
  /** Who judges answers; left out: nobody does here. */
  readonly critic?: PanelCritic;
  /** What can be done with answers; left out: nothing but read them. */
  readonly answers?: AnswerPort;
  /** Reports of evaluations; left out: there are none to look at. */
  readonly evals?: EvalPort;
  /** The tools there are, as they are now; left out: none are known. */
  tools?(): readonly ToolInfo[];
  /** Left out: there is nothing to set. */
  readonly settings?: SettingsPort;
  /** What the user is called where a judgement says whose it is; left out: nobody knows. */
  userName?(): string;
  /** Who answers when the committee is on, in a few words. */
  committee(): string;
  /** Looks at server, model and embedder. Must not throw. */
  setup(signal: AbortSignal): Promise<SetupState>;
  /** Does what a failure's button offers, other than `retry` and `cancel_running`, which the panel does itself. */
  run(action: FailureAction, target?: string): Promise<void>;
  /** Calls back when the set-up may have changed (model chosen, server up); returns the way to stop. */
  onSetupChange?(listener: () => void): () => void;
  /** The names of the chat models there are; none where the server does not answer. Must not throw. */
  models?(): Promise<readonly string[]>;
  /** Whether the model is loaded; left out, the panel says "waiting" instead of "loading". */
  modelState?(model: string, signal: AbortSignal): Promise<ModelState | undefined>;
}

/** What only the window can do for the panel. */
export interface PanelUi {
  /** Opens an address that was already checked: http(s) or mailto. */
  openLink(uri: string): Promise<void>;
  /** Puts a text on the clipboard. */
  copy(text: string): Promise<void>;
  /** Asks the user before something is lost, naming it in `detail`; false also when the dialog was closed. */
  confirm(message: string, detail: string, button: string): Promise<boolean>;
  /** Asks where to save a file of JSON Lines, with a name to begin with; the path, undefined when the user backs out. */
  saveAs(name: string): Promise<string | undefined>;
  /** Asks for a file of JSON Lines to read; the path, undefined when the user backs out. */
  chooseFile(): Promise<string | undefined>;
}
