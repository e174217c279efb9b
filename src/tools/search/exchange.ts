import { describeError, failed, success, type Result } from "../../agent/failure.ts";
import { httpRequest, type HttpResponse } from "../web/http.ts";
import type { z } from "zod";

/** A request to a search engine. */
export interface EngineRequest {
  readonly label: string;
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly proxy?: string | undefined;
}

/** An engine's answer, not yet judged. */
export interface EngineResponse extends HttpResponse {
  readonly text: string;
  /** True for a page where data was asked for: a login, an error, or a test of humanity. */
  readonly isHtml: boolean;
}

/** Search results are small; what is longer is not one. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Sends one request. Redirects are not followed: a key must not travel to another server. */
export async function askEngine(
  request: EngineRequest,
  signal: AbortSignal,
): Promise<Result<EngineResponse>> {
  const { label, ...rest } = request;
  const response = await httpRequest({ ...rest, maxBytes: MAX_BYTES, maxRedirects: 0 }, signal);
  if (!response.ok) {
    const { failure } = response;
    if (failure.code === "cancelled") return response;
    return { ok: false, failure: { ...failure, message: `${label} could not be asked: ${failure.message}` } };
  }
  const type = response.value.headers["content-type"] ?? "";
  const text = response.value.body.toString("utf8");
  const isHtml = /html/i.test(type) || /^\s*<(!doctype|html|head|body)\b/i.test(text);
  return success({ ...response.value, text, isHtml });
}

/** Reads an engine's JSON by its schema; what does not fit is a failure that names the engine. */
export function readJson<T>(label: string, text: string, schema: z.ZodType<T>): Result<T> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return failed("tool_failed", `${label} answered with something that is not JSON.`, {
      cause: describeError(error),
    });
  }
  const checked = schema.safeParse(parsed);
  if (checked.success) return success(checked.data);
  return failed("tool_failed", `${label} answered in a form that is not known here.`, {
    cause: checked.error.message,
  });
}
