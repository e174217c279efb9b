import type { Failure } from "../../../agent/failure.ts";
import type { ForgetWhat } from "../../../agent/memory/types.ts";
import type { MemoryChosen, MemoryViewForget } from "../../../trace/panel-memory.ts";
import type { PanelHostDeps, PanelUi } from "../deps.ts";
import type { Choosing } from "./choosing.ts";
import type { Job } from "./job.ts";
import { exportTo, importedInWords, importFrom } from "./transfer.ts";
import { forgetQuestion, forgottenInWords, totalOf } from "./words.ts";

/** What long work on memory needs of its host. */
export interface LongWorkParts {
  readonly deps: Pick<PanelHostDeps, "memory">;
  readonly ui: PanelUi;
  readonly job: Job;
  readonly choosing: Choosing;
  /** The scopes that a view which is narrowed to the open folder asks for. */
  readonly scopes: (here: boolean) => { readonly scopes?: readonly string[] };
  readonly tell: (text: string) => void;
  readonly changed: () => void;
  readonly notice: (problem: Failure) => void;
}

/** What takes its time and is done one at a time, after a dialog: forgetting, pinning, export and import. */
export class LongWork {
  private readonly parts: LongWorkParts;

  constructor(parts: LongWorkParts) {
    this.parts = parts;
  }

  /** Forgets after a dialog that names what goes. */
  async forget(view: MemoryViewForget): Promise<void> {
    if (view.by === "matching") {
      await this.alone("looking", (signal) => this.parts.choosing.forget(view, signal));
      return;
    }
    const what: ForgetWhat =
      view.by === "ids" ? view : { by: "about", about: view.about, ...this.parts.scopes(view.here) };
    await this.alone("looking", async (signal) => {
      const { deps, ui } = this.parts;
      const preview = await deps.memory.previewForget(what, signal);
      if (!preview.ok) return preview.failure;
      if (totalOf(preview.value.counts) === 0) {
        this.parts.tell(nothingToForget(view));
        return undefined;
      }
      const { message, detail } = forgetQuestion(preview.value);
      if (!(await ui.confirm(message, detail, "Forget")) || signal.aborted) return undefined;
      this.parts.job.become({ what: "forgetting", done: 0 });
      const done = await deps.memory.forget(what, signal);
      if (!done.ok) return done.failure;
      this.parts.changed();
      this.parts.tell(forgottenInWords(done.value));
      return undefined;
    });
  }

  /** Writes all of memory, or the rows that were chosen, to a file. */
  async export(what?: MemoryChosen): Promise<void> {
    const path = await this.parts.ui.saveAs("conclave-memory.jsonl");
    if (path === undefined) return;
    if (what !== undefined) {
      await this.alone("exporting", (signal) => this.parts.choosing.export(path, what, signal));
      return;
    }
    await this.alone("exporting", async (signal) => {
      const { memory } = this.parts.deps;
      const done = await exportTo(path, memory, (rows) => this.parts.job.progress(rows), signal);
      if (!done.ok) return done.failure;
      this.parts.tell(`Exported ${done.value.toLocaleString("en-US")} rows to ${path}.`);
      return undefined;
    });
  }

  /** Reads a file that was exported. */
  async import(): Promise<void> {
    const path = await this.parts.ui.chooseFile();
    if (path === undefined) return;
    await this.alone("importing", async (signal) => {
      const { memory } = this.parts.deps;
      const done = await importFrom(path, memory, (rows) => this.parts.job.progress(rows), signal);
      this.parts.changed();
      if (!done.ok) return done.failure;
      this.parts.tell(importedInWords(done.value));
      return undefined;
    });
  }

  /** Pins rows that were chosen. */
  async pin(what: MemoryChosen): Promise<void> {
    await this.alone("looking", (signal) => this.parts.choosing.pin(what, signal));
  }

  /** Runs a long piece of work by itself; its failure is said, a cancel only in a word. */
  private async alone(
    what: "looking" | "exporting" | "importing",
    work: (signal: AbortSignal) => Promise<Failure | undefined>,
  ): Promise<void> {
    const ran = await this.parts.job.run(what, async (signal) => {
      const problem = await work(signal);
      if (problem === undefined) return;
      if (problem.code === "cancelled" || signal.aborted) this.parts.tell("Cancelled.");
      else this.parts.notice(problem);
    });
    if (!ran) this.parts.tell("Wait until what is under way is done, or cancel it.");
  }
}

function nothingToForget(view: MemoryViewForget): string {
  return view.by === "about" ? `Nothing in memory mentions “${view.about}”.` : "It is gone already.";
}
