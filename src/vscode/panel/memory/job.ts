import type { MemoryHostMessage, MemoryWork } from "../../../trace/panel-memory.ts";

const POST_EVERY_MS = 100;

/** The one long thing that memory is at for the panel: how far it is, and the way to stop it. It outlives the page. */
export class Job {
  private readonly post: (message: MemoryHostMessage) => void;
  private controller: AbortController | undefined;
  private work: MemoryWork | null = null;
  private posted = 0;

  constructor(post: (message: MemoryHostMessage) => void) {
    this.post = post;
  }

  /** Runs a piece of work, unless one is under way already: then nothing happens, and it gives false. */
  async run(what: MemoryWork["what"], work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    if (this.controller !== undefined) return false;
    const controller = new AbortController();
    this.controller = controller;
    this.become({ what, done: 0 });
    try {
      await work(controller.signal);
    } finally {
      this.controller = undefined;
      this.become(null);
    }
    return true;
  }

  /** Says what is done now, such as that the user said yes. */
  become(work: MemoryWork | null): void {
    this.work = work;
    this.posted = performance.now();
    this.tell();
  }

  /** Says how far it is; not more often than one can read it. */
  progress(done: number): void {
    if (this.work === null) return;
    this.work = { ...this.work, done };
    if (performance.now() - this.posted < POST_EVERY_MS) return;
    this.posted = performance.now();
    this.tell();
  }

  /** Posts how it stands, for a page that was made anew. */
  tell(): void {
    this.post({ type: "memory.work", work: this.work });
  }

  cancel(): void {
    this.controller?.abort();
  }
}
