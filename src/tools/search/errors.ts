import { failed, failure, type Failure, type Result } from "../../agent/failure.ts";
import { statusCode } from "../web/passing.ts";
import { askedPause, type RateLimits } from "./rate-limit.ts";
import type { EngineResponse } from "./exchange.ts";

/** How an engine's failures are named. */
export interface EngineErrors {
  readonly label: string;
  /** Which pause an answer of this engine starts: its name and address. */
  readonly key: string;
  readonly limits: RateLimits;
  readonly now: () => number;
  /** The engine's own words in an error's body, where they are in a known place. */
  readonly detail?: (text: string) => string | undefined;
}

/** Words of pages that ask whether a human is there. */
const HUMANITY_TEST =
  /captcha|are you (a )?(human|robot)|unusual traffic|verify (that )?you|challenge|too many requests/i;

/** Statuses by which engines say that what was paid for is used up. */
const QUOTA_STATUSES = [402, 432, 433];
/** A quota comes back by the day or month: there is no use in asking every few minutes. */
const QUOTA_PAUSE_MS = 60 * 60_000;

/** True for a page that asks whether a human is there. */
export function isHumanityTest({ isHtml, text }: EngineResponse): boolean {
  return isHtml && HUMANITY_TEST.test(text);
}

/**
 * The failure that an answer means, or nothing for one that can be read as JSON. A page of HTML is never "no results":
 * with a test of humanity in it, whatever the status, it is a rate limit. So is "accepted" without results.
 */
export function engineFailure(response: EngineResponse, errors: EngineErrors): Failure | undefined {
  const { label, key, limits, now } = errors;
  const { status, isHtml, text, headers } = response;
  const busy = status === 503 && headers["retry-after"] !== undefined;
  if (status === 429 || status === 202 || busy || isHumanityTest(response)) {
    return limits.note(key, label, askedPause(headers, now()));
  }
  const words = errors.detail?.(text);
  const said = words === undefined ? "" : `: ${words.slice(0, 200)}`;
  if (QUOTA_STATUSES.includes(status)) {
    const paused = limits.note(key, label, askedPause(headers, now()) ?? QUOTA_PAUSE_MS);
    return { ...paused, message: `The quota of ${label} is used up${said}. ${paused.message}` };
  }
  if (status === 401 || status === 403) {
    return failure(
      "unauthorized",
      `${label} refuses the key (${status}). Check it with "Conclave: Set Search API Key".`,
      {
        action: "open_settings",
        target: "conclave.web.search.provider",
        cause: text.slice(0, 300),
      },
    );
  }
  if (status >= 200 && status < 300) {
    return isHtml
      ? failure("tool_failed", `${label} answered with a web page instead of results; it did not search.`)
      : undefined;
  }
  return failure(statusCode(status), `${label} answered with the error ${status}${said}.`, {
    cause: text.slice(0, 300),
  });
}

/** Says that a setting or key is missing, before anything is asked. */
export function notSetUp(label: string, what: string, setting: string): Result<never> {
  return failed("bad_input", `${label} needs ${what}.`, { action: "open_settings", target: setting });
}
