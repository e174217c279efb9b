import { failed, type Result } from "../../agent/failure.ts";
import type { FetchedBody, ReadDocument } from "./reader.ts";

export function readPdf(_body: FetchedBody, _signal: AbortSignal): Promise<Result<ReadDocument>> {
  return Promise.resolve(failed("tool_failed", "PDF, not readable here."));
}
