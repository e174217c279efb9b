import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { describeError, failed, success, type Result } from "../../../agent/failure.ts";
import type { NewReminder } from "../../../tools/reminders/port.ts";
import { underLock } from "../../../trace/file-lock.ts";

/** Reminders that are kept: those to come, and the latest of those that were shown. */
const MAX_WAITING = 1_000;
const MAX_SHOWN = 100;
/** A file that is larger is none of ours, in bytes. */
const MAX_BYTES = 4_000_000;

const time = z.number().min(0).max(8.64e15);
const reminderSchema = z.object({
  id: z.uuid(),
  text: z.string().min(1).max(2_000),
  at: time,
  sessionId: z.string().max(500),
  turnId: z.string().max(500),
  /** When a window showed it; null: it is still to come. */
  shownAt: time.nullable(),
});
const fileSchema = z.object({ version: z.literal(1), reminders: z.array(z.unknown()) });

/** A reminder as it is kept. */
export type Reminder = Readonly<z.infer<typeof reminderSchema>>;

/**
 * Reminders in a file that all windows share. Each change is made under a lock and takes the file's place at once, so
 * that no window sees half of it. Nothing here throws.
 */
export class ReminderStore {
  readonly #path: string;

  /** The file and its folder are made with the first reminder. */
  constructor(path: string) {
    this.#path = path;
  }

  /** All of them, the earliest first. */
  async list(): Promise<Result<readonly Reminder[]>> {
    try {
      return success(await this.#read());
    } catch (error) {
      return notReadable(error);
    }
  }

  /** Keeps one more. */
  async add({ text, at, sessionId, turnId }: NewReminder): Promise<Result<{ readonly id: string }>> {
    const reminder: Reminder = { id: randomUUID(), text, at, sessionId, turnId, shownAt: null };
    const full = (all: readonly Reminder[]): boolean =>
      all.filter(({ shownAt }) => shownAt === null).length >= MAX_WAITING;
    const added = await this.#change((all) => (full(all) ? undefined : [...all, reminder]));
    if (!added.ok) return added;
    return added.value === undefined
      ? failed("bad_input", `There are ${MAX_WAITING} reminders already. Delete some first.`)
      : success({ id: reminder.id });
  }

  /** Takes those that are due, for this window to show: no other window gets them. */
  async takeDue(now: number): Promise<Result<readonly Reminder[]>> {
    const isDue = ({ at, shownAt }: Reminder): boolean => shownAt === null && at <= now;
    let due: readonly Reminder[] = [];
    const taken = await this.#change((all) => {
      due = all.filter(isDue);
      return due.length === 0 ? undefined : all.map((one) => (isDue(one) ? { ...one, shownAt: now } : one));
    });
    return taken.ok ? success(due) : taken;
  }

  /** Has one shown again at another time; false when it is gone. */
  async snooze(id: string, at: number): Promise<Result<boolean>> {
    const done = await this.#change((all) =>
      all.some((one) => one.id === id)
        ? all.map((one) => (one.id === id ? { ...one, at, shownAt: null } : one))
        : undefined,
    );
    return done.ok ? success(done.value !== undefined) : done;
  }

  /** Removes those that are meant, and gives how many there were. */
  async remove(isMeant: (reminder: Reminder) => boolean): Promise<Result<number>> {
    let removed = 0;
    const done = await this.#change((all) => {
      const left = all.filter((one) => !isMeant(one));
      removed = all.length - left.length;
      return removed === 0 ? undefined : left;
    });
    return done.ok ? success(removed) : done;
  }

  /** Changes the list under the lock; `undefined` leaves it as it is. */
  async #change(
    change: (all: readonly Reminder[]) => readonly Reminder[] | undefined,
  ): Promise<Result<readonly Reminder[] | undefined>> {
    try {
      const changed = await underLock(`${this.#path}.lock`, async () => {
        const next = change(await this.#read());
        if (next !== undefined) await this.#write(bounded(next));
        return next;
      });
      return success(changed);
    } catch (error) {
      return notReadable(error);
    }
  }

  async #read(): Promise<readonly Reminder[]> {
    const size = await stat(this.#path).then(
      (found) => found.size,
      () => undefined,
    );
    if (size === undefined) return [];
    if (size > MAX_BYTES) throw new Error(`the file has ${size} bytes`);
    return parsed(await readFile(this.#path, "utf8"));
  }

  async #write(reminders: readonly Reminder[]): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true });
    const beside = `${this.#path}.${randomUUID()}.tmp`;
    try {
      await writeFile(beside, JSON.stringify({ version: 1, reminders }), { mode: 0o600 });
      await rename(beside, this.#path);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  }
}

/** A row that is damaged costs itself only. What is no file of ours is not written over: that is an error. */
function parsed(text: string): readonly Reminder[] {
  const file = fileSchema.safeParse(JSON.parse(text));
  if (!file.success) throw new Error("it is no list of reminders");
  return file.data.reminders
    .map((row) => reminderSchema.safeParse(row))
    .flatMap((row) => (row.success ? [row.data] : []))
    .sort((one, other) => one.at - other.at);
}

function bounded(all: readonly Reminder[]): readonly Reminder[] {
  const shown = all.filter(({ shownAt }) => shownAt !== null);
  const kept = new Set(
    shown.sort((one, other) => (other.shownAt ?? 0) - (one.shownAt ?? 0)).slice(0, MAX_SHOWN),
  );
  return all.filter((one) => one.shownAt === null || kept.has(one));
}

function notReadable(error: unknown): Result<never> {
  return failed("internal", "The reminders can't be read or written.", { cause: describeError(error) });
}
