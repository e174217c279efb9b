import * as vscode from "vscode";
import { bufferSource, diskSource, type ByteSource } from "../../trace/files/source.ts";

/** What a virtual file system gives is held as a whole: a larger file is refused, in bytes. */
const MAX_HELD = 256 * 1024 * 1024;

/** A file of the editor: streamed where it is on disk, else read through the editor's own file systems. */
export function uriSource(uri: vscode.Uri): ByteSource {
  return uri.scheme === "file" ? diskSource(uri.fsPath) : heldSource(uri);
}

function heldSource(uri: vscode.Uri): ByteSource {
  let held: ByteSource | undefined;
  const read = async (): Promise<ByteSource> => {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAX_HELD)
      throw new Error("it is larger than 256 MB, and it is not on the disk of this machine");
    return bufferSource(await vscode.workspace.fs.readFile(uri));
  };
  return {
    size: async () => {
      held = await read();
      return held.size();
    },
    open: async () => (held ??= await read()).open(),
  };
}
