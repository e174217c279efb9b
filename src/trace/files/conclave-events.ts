import type { TurnEvent } from "../../agent/events.ts";
import { SCHEMA_VERSION } from "../../agent/events.ts";
import { linesOf } from "../lines.ts";
import { Breath } from "./breath.ts";
import { isCompressed } from "./compressed.ts";
import { SeenEvents } from "./file-index.ts";
import { FileNotes } from "./file-notes.ts";
import { MAX_LINE_BYTES, readForeignLine } from "./foreign-line.ts";
import type { ForeignEvents } from "./import.ts";
import type { ByteSource } from "./source.ts";
import { asUtf8 } from "./utf16.ts";

/** The events of a `.conclave` file, each once, as far as they are sound. */
export function conclaveEvents(given: ByteSource): ForeignEvents {
  const notes = new FileNotes();
  let share = 0;
  async function* events(signal: AbortSignal): AsyncGenerator<TurnEvent, void, undefined> {
    if (await isCompressed(given)) {
      notes.remark("compressed");
      return;
    }
    const source = await asUtf8(given, () => notes.remark("utf16"));
    const size = await source.size();
    const breath = new Breath();
    const seen = new SeenEvents();
    let number = 0;
    for await (const { text, end, complete, damaged } of linesOf(() => source.open(), {
      maxBytes: MAX_LINE_BYTES,
    })) {
      if (signal.aborted) return;
      await breath.take();
      number += 1;
      share = size === 0 ? 1 : end / size;
      if (text?.trim() === "") continue;
      const read = readForeignLine(number === 1 ? text?.replace(/^\uFEFF/, "") : text);
      if (!complete && read.kind === "problem") return;
      if (damaged === true) notes.remark("not_utf8");
      if (read.kind === "session" && read.session.schema > SCHEMA_VERSION) notes.newer(read.session.schema);
      if (read.kind === "problem" && read.problem !== "silent") notes.line(number, read.problem, read.detail);
      if (read.kind !== "event" || read.event.type === "model.delta") continue;
      if (read.mended) notes.remark("mended");
      if (seen.has(read.event)) notes.remark("repeated");
      else yield read.event;
    }
  }
  return { events, progress: () => share, notes: () => notes.sentences() };
}
