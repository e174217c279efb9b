import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { bufferSource, diskSource } from "../../../../src/trace/files/source.ts";
import { TraceFile } from "../../../../src/trace/files/trace-file.ts";
import { SteadyIdentity } from "../support/steady-identity.ts";
import { TurnScript } from "../support/turn-script.ts";

export const SESSION = "00000000-0000-4000-8000-0000000000aa";

/** The first line of a trace. */
export function head(extra: object = {}): string {
  return JSON.stringify({ type: "session", schema: 1, sessionId: SESSION, createdAt: 1, ...extra });
}

/** The events of so many turns of one session, each with a tool call. */
export function turnEvents(turns: number, sessionId = SESSION, seed = 0): readonly TurnEvent[] {
  const events: TurnEvent[] = [];
  const identity = new SteadyIdentity(undefined, seed);
  for (let turn = 0; turn < turns; turn += 1) {
    const question = `Question ${turn}`;
    const script = new TurnScript((event) => events.push(event), { identity, sessionId, question });
    script
      .ask()
      .wait(10)
      .reply({ content: "", calls: [{ id: "c", name: "web_fetch", arguments: {} }] });
    script.call("web_fetch", { url: "https://example.test" })({ result: `Result ${turn}` });
    script
      .stepEnd()
      .ask()
      .wait(10)
      .reply({ content: `Answer ${turn}` })
      .stepEnd()
      .answered(`Answer ${turn}`);
  }
  return events;
}

/** Lines as a file holds them. */
export function textOf(lines: readonly (string | TurnEvent)[]): string {
  return lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
}

/** A trace file of some bytes, read to its end. */
export async function opened(bytes: string | Uint8Array): Promise<TraceFile> {
  const file = new TraceFile(bufferSource(typeof bytes === "string" ? Buffer.from(bytes) : bytes));
  await file.load();
  return file;
}

/** All questions of a file, in the order of its turns. */
export async function questions(file: TraceFile): Promise<readonly string[]> {
  const page = await file.sessions({ offset: 0, limit: 1_000 });
  if (!page.ok) throw new Error(page.failure.message);
  const found: string[] = [];
  for (const { sessionId } of page.value.sessions) {
    const rows = await file.rows(sessionId);
    if (rows.ok) found.push(...rows.value.map(({ question }) => question));
  }
  return found;
}

/** The events of a turn. */
export async function eventsOf(
  file: TraceFile,
  sessionId: string,
  turnId: string,
): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const item of file.readTurn(sessionId, turnId))
    if (item.type === "event") events.push(item.event);
  return events;
}

/** A folder of a test's own, and what stands in it. */
export class Bed {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Bed> {
    return new Bed(await mkdtemp(join(tmpdir(), "conclave-files-")));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async write(name: string, content: string | Uint8Array): Promise<string> {
    await writeFile(this.path(name), content);
    return this.path(name);
  }

  file(name: string): TraceFile {
    return new TraceFile(diskSource(this.path(name)));
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
