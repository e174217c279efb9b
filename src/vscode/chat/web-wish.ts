import type { Settings } from "../settings-schema.ts";

/**
 * Guesses whether a question needs the web. Only used to offer a button while web tools are off, so that a wrong guess
 * costs one line; it never turns anything on.
 */

const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"]+/i;

/** Words that ask for the web by name. */
const ASKS_FOR_WEB =
  /\b(search (the )?(web|internet|online)|look (it |this |that )?up online|google|on the (web|internet)|browse|web ?search)\b/i;

/** Words about what changes from day to day. */
const FRESH =
  /\b(latest|newest|most recent|current(ly)?|right now|today('s)?|tonight|yesterday|this (week|month|year)|breaking|news|headlines?)\b/i;

/** What people look up: without one of these, "today" is as likely about their own work. */
const LOOKED_UP =
  /\b(news|headlines?|weather|forecast|price|stock|exchange rate|version|release(d|s)?|score|result|winner|president|minister|ceo|schedule|timetable|law|vulnerabilit(y|ies)|cves?|docs|documentation)\b/i;

/** Things of the user's own that the web knows nothing of. */
const OWN = /\b(we|our|us|my|i|this (file|function|repo|project|code|branch)|selection)\b/i;

/** Which web tool a question seems to want; undefined when it can do without. */
export function webWish(question: string): "fetch" | "search" | undefined {
  if (URL_IN_TEXT.test(question)) return "fetch";
  if (ASKS_FOR_WEB.test(question)) return "search";
  const fresh = FRESH.test(question) && LOOKED_UP.test(question);
  return fresh && !OWN.test(question) ? "search" : undefined;
}

/** What the settings say of the web. */
export type WebSettings = Pick<Settings, "webFetchEnabled" | "webSearchEnabled" | "webSearchProvider">;

/** What a question seems to need of the web and can't have; undefined when it needs nothing, or has it. */
export function missingWeb(question: string, settings: WebSettings): string | undefined {
  const wish = webWish(question);
  if (wish === "fetch" && !settings.webFetchEnabled) return "a web page, and web tools are off";
  if (wish !== "search") return undefined;
  if (!settings.webSearchEnabled) return "something from the web, and web tools are off";
  return settings.webSearchProvider === "none"
    ? "something from the web, and no search engine is chosen"
    : undefined;
}
