import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Failure } from "../../../../src/agent/failure.ts";
import { TraceLog } from "../../../../src/trace/log.ts";
import type { HostMessage } from "../../../../src/trace/panel-protocol.ts";
import type { PanelHostDeps, PanelToggle, PanelUi } from "../../../../src/vscode/panel/deps.ts";
import { bufferSource } from "../../../../src/trace/files/source.ts";
import { TraceFile } from "../../../../src/trace/files/trace-file.ts";
import { fileDeps } from "../../../../src/vscode/files/file-deps.ts";
import { FilePort } from "../../../../src/vscode/files/file-port.ts";
import { PanelHost } from "../../../../src/vscode/panel/panel-host.ts";
import type { ToolInfo } from "../../../../src/trace/activity/records.ts";
import { ScriptedEngine } from "./scripted-engine.ts";
import { ScriptedMemory } from "./scripted-memory.ts";
import { ScriptedSettings } from "./scripted-settings.ts";
import { SteadyIdentity } from "./steady-identity.ts";

/** The folder of reports in a bed's own folder. */
export const EVALS = "evaluations";

/** A message of one type. */
export type MessageOf<Type extends HostMessage["type"]> = Extract<HostMessage, { readonly type: Type }>;

/** The panel's host side on a real log in a folder of its own, with everything around it scripted. */
export class PanelBed {
  readonly engine = new ScriptedEngine();
  readonly memory = new ScriptedMemory();
  readonly settings = new ScriptedSettings();
  /** The tools there are. */
  tools: readonly ToolInfo[] = [];
  readonly messages: HostMessage[] = [];
  readonly opened: string[] = [];
  readonly copied: string[] = [];
  readonly ran: string[] = [];
  readonly confirmed: string[] = [];
  readonly switches = { committee: false, memory: true, web: false };
  /** What a switch waits for before it is in force. */
  switching: Promise<void> = Promise.resolve();
  answerConfirm = true;
  /** What the dialogs for a file give. */
  file: string | undefined;
  scopes: readonly string[] | undefined;
  /** What the folder of the scope `here` is called. */
  place: string | undefined;
  problems: Failure[] = [];
  model = "qwen3:8b";
  loaded = true;
  /** Where posts go beside the list. */
  onPost: (message: HostMessage) => void = () => undefined;
  private readonly forgetListeners = new Set<() => void>();
  readonly log: TraceLog;
  host: PanelHost;
  private shownFile: TraceFile | undefined;
  /** The test's own folder; gone when the bed is closed. */
  readonly folder: string;

  private constructor(folder: string, watch: boolean) {
    this.folder = folder;
    this.log = new TraceLog({ folder });
    this.engine.onEvent((event) => this.log.append(event));
    this.host = this.open(watch);
  }

  /** With `watch` the panel hears what is written to the log by others, as the tests themselves do. */
  static async create({ watch = false } = {}): Promise<PanelBed> {
    return new PanelBed(await mkdtemp(join(tmpdir(), "conclave-panel-")), watch);
  }

  /** The messages of one type that were posted so far. */
  posted<Type extends HostMessage["type"]>(type: Type): MessageOf<Type>[] {
    return this.messages.filter((message): message is MessageOf<Type> => message.type === type);
  }

  /** Resolves when the next message of a type (that fits) is posted. */
  next<Type extends HostMessage["type"]>(
    type: Type,
    fits: (message: MessageOf<Type>) => boolean = () => true,
  ): Promise<MessageOf<Type>> {
    return new Promise((resolve) => {
      this.onPost = (message) => {
        if (message.type === type && fits(message as MessageOf<Type>)) resolve(message as MessageOf<Type>);
      };
    });
  }

  /** Says that the panel is there, and waits for its first state. */
  async ready(): Promise<void> {
    const state = this.next("state");
    await this.host.receive({ type: "ready", selected: null });
    await state;
  }

  /** Says that something was forgotten. */
  forgotten(): void {
    for (const listener of this.forgetListeners) listener();
  }

  /** Has the panel show a file in place of the log, from when it says `ready` next. */
  showFile(bytes: Uint8Array, name = "a.conclave"): TraceFile {
    const file = new TraceFile(bufferSource(bytes));
    const port = new FilePort(file, name, (action, sessionId) => {
      this.ran.push(sessionId === undefined ? action : `${action} ${sessionId}`);
      return Promise.resolve();
    });
    this.host.dispose();
    this.host = this.hostOn(fileDeps(file, port));
    this.shownFile = file;
    void file.load();
    return file;
  }

  async close(): Promise<void> {
    this.shownFile?.dispose();
    this.host.dispose();
    await this.log.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }

  private open(watch: boolean): PanelHost {
    const toggled = new Set<() => void>();
    const deps: PanelHostDeps = {
      engine: this.engine,
      log: this.log,
      memory: this.memory,
      memoryScopes: () => this.scopes,
      onForgotten: (listener) => {
        this.forgetListeners.add(listener);
        return () => this.forgetListeners.delete(listener);
      },
      scopeName: (id) => (id === "here" ? this.place : undefined),
      ...(watch && { onLogChange: (listener) => this.log.watch(listener) }),
      toggles: {
        get: () => this.switches,
        set: async (name: PanelToggle, on) => {
          await this.switching;
          this.switches[name] = on;
          for (const listener of toggled) listener();
          return undefined;
        },
        onChange: (listener) => {
          toggled.add(listener);
          return () => toggled.delete(listener);
        },
      },
      tools: () => this.tools,
      settings: this.settings,
      evals: {
        folder: join(this.folder, EVALS),
        choose: () => Promise.resolve(this.file),
        showTrace: (path) => {
          this.opened.push(path);
          return Promise.resolve();
        },
      },
      committee: () => "4 views, blind",
      setup: () =>
        Promise.resolve({ model: this.model, endpoint: "http://127.0.0.1:11434", problems: this.problems }),
      run: (action, target) => {
        this.ran.push(target === undefined ? action : `${action} ${target}`);
        return Promise.resolve();
      },
      modelState: () => Promise.resolve({ loaded: this.loaded, sizeBytes: 5_200_000_000 }),
    };
    return this.hostOn(deps);
  }

  private hostOn(deps: PanelHostDeps): PanelHost {
    const ui: PanelUi = {
      copy: (text) => {
        this.copied.push(text);
        return Promise.resolve();
      },
      openLink: (uri) => {
        this.opened.push(uri);
        return Promise.resolve();
      },
      confirm: (message, detail) => {
        this.confirmed.push(`${message}\n${detail}`);
        return Promise.resolve(this.answerConfirm);
      },
      saveAs: () => Promise.resolve(this.file),
      chooseFile: () => Promise.resolve(this.file),
    };
    const post = (message: HostMessage): void => {
      this.messages.push(message);
      this.onPost(message);
    };
    return new PanelHost(deps, ui, post, new SteadyIdentity(Date.now(), 9_000_000));
  }
}
