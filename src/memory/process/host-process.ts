import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { oneLine } from "../causes.ts";
import type { FromHost, HostConfig, ToHost } from "./protocol.ts";
import { fromHostSchema } from "./protocol.ts";

/** How long a process that was told to end may take, in milliseconds. */
const GRACE_MS = 2_000;

/** What a memory process tells. */
export interface HostEvents {
  message(message: FromHost): void;
  /** It ended; `how` is in words, such as `signal SIGKILL`. Told once. */
  ended(how: string): void;
  log(line: string): void;
}

/** One memory process, from start to end. */
export class HostProcess {
  readonly #child: ChildProcess;
  readonly #events: HostEvents;
  readonly #gone: Promise<void>;
  #over = false;

  /** Starts the process; a failure to start is told by `ended`. */
  constructor(hostPath: string, config: HostConfig, events: HostEvents) {
    this.#events = events;
    this.#child = fork(hostPath, [], {
      env: hostEnvironment(),
      execArgv: [],
      serialization: "json",
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.#gone = new Promise((resolve) => {
      const end = (how: string): void => {
        if (!this.#over) {
          this.#over = true;
          events.ended(how);
        }
        resolve();
      };
      this.#child.once("exit", (code, signal) =>
        end(signal === null ? `code ${code ?? "?"}` : `signal ${signal}`),
      );
      this.#child.once("error", (error) => end(error.message));
    });
    this.#child.on("message", (raw) => this.#receive(raw));
    [this.#child.stdout, this.#child.stderr].forEach((stream) => this.#relay(stream));
    this.send({ type: "init", config });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sends a message; to a process that is gone it is lost, and `ended` tells. */
  send(message: ToHost): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  /** Ends the process and resolves when it is gone. Nothing more is told of it. */
  async stop(): Promise<void> {
    this.#over = true;
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), GRACE_MS);
    await this.#gone;
    clearTimeout(timer);
  }

  /** Ends the process at once; `ended` tells. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #receive(raw: unknown): void {
    const message = fromHostSchema.safeParse(raw);
    if (this.#over) return;
    if (message.success) {
      this.#events.message(message.data);
    } else {
      this.#events.log("the memory process sent a message that can't be read");
    }
  }

  #relay(stream: Readable | null): void {
    if (stream !== null) {
      createInterface({ input: stream }).on("line", (line) => this.#events.log(oneLine(line, 500)));
    }
  }
}

/** The environment of a memory process. */
export function hostEnvironment(): NodeJS.ProcessEnv {
  return {
    // Where the C library is glibc it gives each thread of the store a heap of its own and takes none of them back: a
    // third of what the process holds. It also keeps freed pieces as large as any that was freed before, up to 32 MB:
    // with a bound of its own larger ones go back to the system. The user's own choice stays.
    MALLOC_ARENA_MAX: "1",
    MALLOC_MMAP_THRESHOLD_: String(4 * 1_024 * 1_024),
    ...cleanEnvironment(),
    // In VS Code the executable is Electron: this makes it plain Node.
    ELECTRON_RUN_AS_NODE: "1",
  };
}

/** Our environment without what would make the process wait for a debugger or load the window's own hooks. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const hooks = new Set(["NODE_OPTIONS", "VSCODE_INSPECTOR_OPTIONS"]);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !hooks.has(name)));
}
