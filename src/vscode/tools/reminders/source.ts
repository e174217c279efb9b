import { join } from "node:path";
import type * as vscode from "vscode";
import { describeError, success, type Failure, type Result } from "../../../agent/failure.ts";
import { systemIdentity } from "../../../agent/ids.ts";
import type { TurnId } from "../../../agent/memory/types.ts";
import { systemTimer } from "../../../agent/timer.ts";
import type { NewReminder, RemindersPort } from "../../../tools/reminders/port.ts";
import type { ReminderClock } from "./clock.ts";
import type { Reminder, ReminderStore } from "./store.ts";

/** What keeps reminders and what shows them. */
interface Parts {
  readonly store: ReminderStore;
  readonly clock: ReminderClock;
}

/** Keeps reminders and shows them when they are due, from activation on. Its code is loaded after it. */
export class Reminders implements RemindersPort, vscode.Disposable {
  readonly #extension: vscode.ExtensionContext;
  readonly #output: vscode.LogOutputChannel;
  #parts: Promise<Parts> | undefined;
  #disposed = false;
  #said = "";

  constructor(extension: vscode.ExtensionContext, output: vscode.LogOutputChannel) {
    this.#extension = extension;
    this.#output = output;
  }

  /** Shows what is due, and what will be. Never rejects. */
  async start(): Promise<void> {
    try {
      const { clock } = await this.#load();
      await clock.wake();
    } catch (error) {
      this.#output.error(`Reminders can't be shown: ${describeError(error)}`);
    }
  }

  async add(reminder: NewReminder): Promise<Result<{ readonly id: string }>> {
    const { store, clock } = await this.#load();
    const added = await store.add(reminder);
    if (added.ok) void clock.wake();
    return added;
  }

  /** All that are kept, the earliest first. */
  async list(): Promise<Result<readonly Reminder[]>> {
    return (await this.#load()).store.list();
  }

  /** Has one shown again at a time (milliseconds since the epoch). */
  async snooze(id: string, at: number): Promise<Result<boolean>> {
    const { store, clock } = await this.#load();
    const done = await store.snooze(id, at);
    void clock.wake();
    return done;
  }

  async remove(id: string): Promise<Result<number>> {
    return (await this.#load()).store.remove((one) => one.id === id);
  }

  /** What was forgotten goes from the reminders too. */
  async forget(turns: readonly TurnId[]): Promise<Result<number>> {
    const gone = new Set(turns.map(({ turnId }) => turnId));
    if (gone.size === 0) return success(0);
    return (await this.#load()).store.remove(({ turnId }) => gone.has(turnId));
  }

  dispose(): void {
    this.#disposed = true;
    void this.#parts?.then(({ clock }) => clock.dispose());
  }

  #load(): Promise<Parts> {
    this.#parts ??= this.#make();
    return this.#parts;
  }

  async #make(): Promise<Parts> {
    const [{ ReminderStore: Store }, { ReminderClock: Clock }, { showReminder }] = await Promise.all([
      import("./store.ts"),
      import("./clock.ts"),
      import("./show.ts"),
    ]);
    const store = new Store(join(this.#extension.globalStorageUri.fsPath, "reminders.json"));
    const clock = new Clock({
      store,
      show: (reminder) => void showReminder(reminder, (id, at) => this.snooze(id, at)),
      onFailure: (failure) => this.#note(failure),
      timer: systemTimer,
      now: () => systemIdentity.now(),
    });
    if (this.#disposed) clock.dispose();
    return { store, clock };
  }

  /** A file that can't be read stays so: it is said once. */
  #note({ message, cause = "" }: Failure): void {
    const line = `${message} ${cause}`.trim();
    if (line !== this.#said) this.#output.warn(line);
    this.#said = line;
  }
}
