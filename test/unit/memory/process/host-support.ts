import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@sinonjs/fake-timers";
import type { Clock } from "../../../../src/agent/models/clock.ts";
import { temporaryFolder } from "../support.ts";

/** A clock that a test moves by hand. */
export interface HandClock extends Clock {
  tick(milliseconds: number): void;
}

/** Makes a clock that stands still until it is moved. */
export function handClock(): HandClock {
  const fake = createClock();
  return {
    now: () => fake.now,
    timer: (milliseconds, fire) => {
      const handle = fake.setTimeout(fire, milliseconds);
      return () => fake.clearTimeout(handle);
    },
    tick: (milliseconds) => {
      fake.tick(milliseconds);
    },
  };
}

/**
 * A memory process that does as a script says, for what the real one can't be made to do at will. The script is the
 * body of a function of `message` (a request or a cancel), `init` (the message before all others), `reply(value)` and `note(line)`, which goes to the log.
 */
export async function scriptedHost(script: string): Promise<string> {
  const path = join(await temporaryFolder("conclave-host-"), "host.cjs");
  await writeFile(
    path,
    `process.on("disconnect", () => process.exit(0));
     const note = (line) => process.stderr.write(line + "\\n");
     let init;
     process.on("message", (message) => {
       if (message.type === "init") {
         init = message;
         return;
       }
       const reply = (value) => process.send({ type: "value", id: message.id, value });
       ${script}
     });`,
  );
  return path;
}

/** Collects lines of a log and lets a test wait for one. */
export class LineLog {
  readonly lines: string[] = [];
  readonly #waiting: { readonly wanted: RegExp; readonly found: () => void }[] = [];

  readonly add = (line: string): void => {
    this.lines.push(line);
    this.#waiting.filter(({ wanted }) => wanted.test(line)).forEach(({ found }) => found());
  };

  /** Resolves when a line that matches is there. */
  until(wanted: RegExp): Promise<void> {
    if (this.lines.some((line) => wanted.test(line))) return Promise.resolve();
    return new Promise((found) => this.#waiting.push({ wanted, found }));
  }
}
