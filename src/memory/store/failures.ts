import type { Failure } from "../../agent/failure.ts";
import { describeError, failure } from "../../agent/failure.ts";
import { shortCause } from "../causes.ts";

/** The failure for a table that can't be read; nothing of it is changed. */
export function damaged(uri: string, cause: unknown): Failure {
  if (
    /HTTP error|error sending request|dns error|connect error|InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied/i.test(
      describeError(cause),
    )
  ) {
    return failure(
      "memory_unavailable",
      `The memory store in ${uri} can't be reached. Check its address, the network and the keys.`,
      { action: "open_settings", target: "conclave.memory.uri", cause: shortCause(cause) },
    );
  }
  return failure(
    "memory_unavailable",
    `The memory store in ${uri} can't be read. Nothing in it was changed: restore the folder from a backup, or move it away to begin anew.`,
    { cause: shortCause(cause) },
  );
}

/** The failure for a write that did not come about; what was there before still is. */
export function notWritten(uri: string, cause: unknown): Failure {
  return failure("memory_unavailable", reason(uri, describeError(cause)), { cause: shortCause(cause) });
}

/** The failure for a change of a table that a newer version of the extension wrote. */
export function newerStore(): Failure {
  return failure(
    "memory_unavailable",
    "This memory was written by a newer version of Conclave: it can be read, but not changed. Update the extension.",
  );
}

/** Whether a file is missing that a version of a table names: another window has cleaned that version away. */
export function isVersionGone(error: unknown): boolean {
  return /not found: .*\.(lance|manifest|arrow|idx|txn)|LanceFileNotFound|object at location .* not found/is.test(
    describeError(error),
  );
}

function reason(uri: string, cause: string): string {
  if (/no space left|ENOSPC|quota exceeded|EDQUOT|os error 28|storage ?full/i.test(cause)) {
    return `The memory could not be written: the disk that holds ${uri} is full. What was remembered before is safe; make room and try again.`;
  }
  if (/read-only file system|EROFS|permission denied|EACCES|EPERM|os error 30|os error 13/i.test(cause)) {
    return `The memory could not be written: ${uri} is read-only. What is there can still be searched.`;
  }
  return "The memory could not be written. What was remembered before is safe.";
}
