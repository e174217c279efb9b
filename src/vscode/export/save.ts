import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import * as vscode from "vscode";
import { describeError, failed, type Result } from "../../agent/failure.ts";
import type { ExportSink } from "../../trace/export/run.ts";

/** Writes a text, piece by piece, and says how that went. */
type Write = (sink: ExportSink) => Promise<Result<true>>;

/** Saves a text to a file, whole or not at all: a half-written one takes nobody's place. */
export async function saveText(uri: vscode.Uri, write: Write): Promise<Result<true>> {
  try {
    return uri.scheme === "file" ? await saveToDisk(uri.fsPath, write) : await saveElsewhere(uri, write);
  } catch (error) {
    return failed("internal", `The export could not be saved to ${uri.fsPath}.`, {
      cause: describeError(error),
    });
  }
}

async function saveToDisk(path: string, write: Write): Promise<Result<true>> {
  const part = `${path}.part`;
  const stream = createWriteStream(part, { encoding: "utf8" });
  try {
    await once(stream, "open");
    const done = await write((piece) => put(stream, piece));
    stream.end();
    await once(stream, "close");
    if (done.ok) await rename(part, path);
    return done;
  } finally {
    stream.destroy();
    await rm(part, { force: true });
  }
}

/** Waits where the disk is slower than what is written. */
async function put(stream: WriteStream, piece: string): Promise<void> {
  if (!stream.write(piece)) await once(stream, "drain");
}

async function saveElsewhere(uri: vscode.Uri, write: Write): Promise<Result<true>> {
  const pieces: string[] = [];
  const done = await write((piece) => void pieces.push(piece));
  if (done.ok) await vscode.workspace.fs.writeFile(uri, Buffer.from(pieces.join(""), "utf8"));
  return done;
}
