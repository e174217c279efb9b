import { open } from "node:fs/promises";
import { constants } from "node:fs";
import { CANCELLED, describeError, failed, success, type Result } from "../../agent/failure.ts";

/** Largest file that is read, in bytes. */
export const MAX_FILE_BYTES = 2 * 1024 * 1024;
/** Windows has no such flag, and no pipes among files. */
const noWait = process.platform === "win32" ? 0 : constants.O_NONBLOCK;
/** How much of a file is looked at to tell whether it is text. */
const LOOKED_AT = 8_192;

/**
 * The text of a file, its line ends as `\n`. What is no text, too large, or no file at all is refused with a sentence
 * that calls it by `name`. A pipe or a device is not opened for reading: that could wait for ever.
 */
export async function readText(path: string, name: string, signal: AbortSignal): Promise<Result<string>> {
  let file;
  try {
    file = await open(path, constants.O_RDONLY | noWait);
    const { size, isFile } = await statOf(file);
    if (!isFile) return failed("bad_input", `"${name}" is no file. list_files shows what is in a folder.`);
    if (size > MAX_FILE_BYTES) {
      const megabytes = (size / 1024 / 1024).toFixed(1);
      return failed("bad_input", `"${name}" has ${megabytes} MB, and files of up to 2 MB are read.`);
    }
    const bytes = await file.readFile({ signal });
    const text = bytes.length > MAX_FILE_BYTES ? undefined : decoded(bytes);
    return text === undefined
      ? failed("bad_input", `"${name}" is no text: it can't be read here.`)
      : success(text.replace(/\r\n?/g, "\n"));
  } catch (error) {
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    return failed("tool_failed", `"${name}" could not be read.`, { cause: describeError(error) });
  } finally {
    await file?.close().catch(() => undefined);
  }
}

async function statOf(file: { stat(): Promise<{ size: number; isFile(): boolean }> }) {
  const found = await file.stat();
  return { size: found.size, isFile: found.isFile() };
}

/** UTF-8, and UTF-16 where its mark says so; undefined for what holds signs that no text has. */
function decoded(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return bytes.subarray(0, LOOKED_AT).includes(0) ? undefined : new TextDecoder("utf-8").decode(bytes);
}
