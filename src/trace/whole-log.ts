import { readFile } from "node:fs/promises";
import { describeError, failed, success, type Result } from "../agent/failure.ts";

/** Why a session that lives in its window alone is not kept elsewhere. */
export const PRIVATE = failed(
  "bad_input",
  "This session is private. Save it first (Conclave: Save Private Session), then it can be kept elsewhere.",
);

/** A log as its file holds it; empty when there is none. */
export async function wholeLog(path: string): Promise<Result<Uint8Array>> {
  try {
    return success(await readFile(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return success(new Uint8Array());
    return failed("internal", "The trace can't be read.", { cause: describeError(error) });
  }
}
