import type * as vscode from "vscode";
import type { AgentSource } from "./agents/agent-source.ts";
import type { Documents } from "./documents.ts";
import type { Notebooks } from "./notebook/notebooks.ts";
import type { TracePanel } from "./panel/trace-panel.ts";
import type { RubricSource } from "./rubrics/rubric-source.ts";
import type { Services } from "./services.ts";
import type { Shell } from "./shell.ts";
import type { StatusBar } from "./status-bar.ts";
import type { Reminders } from "./tools/reminders/source.ts";

/** Holds what the extension is made of. Engine, log, memory and tools are loaded and built on first use, once. */
export class Container implements Shell {
  readonly extension: vscode.ExtensionContext;
  readonly output: vscode.LogOutputChannel;
  readonly status: StatusBar;
  readonly documents: Documents;
  readonly agents: AgentSource;
  readonly rubrics: RubricSource;
  readonly reminders: Reminders;
  #services: Promise<Services> | undefined;
  #panel: Promise<TracePanel> | undefined;
  #notebooks: Promise<Notebooks> | undefined;

  constructor(shell: Shell) {
    this.extension = shell.extension;
    this.output = shell.output;
    this.status = shell.status;
    this.documents = shell.documents;
    this.agents = shell.agents;
    this.rubrics = shell.rubrics;
    this.reminders = shell.reminders;
  }

  /** The services, built by the first call. Rejects only when building itself broke; the next call tries again. */
  services(): Promise<Services> {
    this.#services ??= this.#build();
    return this.#services;
  }

  /** The trace panel, made by the first call; it may be closed. From then on VS Code can bring it back after a reload. */
  panel(): Promise<TracePanel> {
    this.#panel ??= this.#makePanel();
    return this.#panel;
  }

  /** What reads, writes and runs notebooks, made by the first call. */
  notebooks(): Promise<Notebooks> {
    this.#notebooks ??= import("./notebook/notebooks.ts").then(({ makeNotebooks }) => makeNotebooks(this));
    return this.#notebooks;
  }

  /** Tells of a session whether it runs, or stands in the panel, in this window. Builds nothing. */
  async inUse(): Promise<(sessionId: string) => boolean> {
    const [services, panel] = [await this.#services, await this.#panel];
    return (sessionId) =>
      services?.engine.running(sessionId) !== undefined || panel?.shownSession() === sessionId;
  }

  /** Cancels what runs and writes what waits. Resolves when nothing of ours is left running. */
  async dispose(): Promise<void> {
    const [services, panel] = [this.#services, this.#panel];
    this.#services = undefined;
    this.#panel = undefined;
    (await panel)?.dispose();
    await (await services)?.dispose();
  }

  async #build(): Promise<Services> {
    try {
      const [{ buildServices }, { offerWeb }, agents, rubrics] = await Promise.all([
        import("./build-services.ts"),
        import("./web-offer.ts"),
        this.agents.files(),
        this.rubrics.files(),
      ]);
      const services = buildServices(this, agents, rubrics);
      offerWeb(services.engine, () => services.settings().settings);
      return services;
    } catch (error) {
      this.#services = undefined;
      throw error;
    }
  }

  async #makePanel(): Promise<TracePanel> {
    try {
      const { makePanel } = await import("./panel-deps.ts");
      return makePanel(await this.services(), this.extension);
    } catch (error) {
      this.#panel = undefined;
      throw error;
    }
  }
}
