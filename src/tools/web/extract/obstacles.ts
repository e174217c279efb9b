/** What stands between a reader and a page's text. */
export interface PageFacts {
  readonly title: string;
  /** The text that was found as the page's main text. */
  readonly text: string;
  /** True when the whole page is a request for consent. */
  readonly isWall: boolean;
  /** Characters that were removed as consent dialogs. */
  readonly consentLength: number;
  /** Characters of script on the page. */
  readonly scriptLength: number;
}

const CHALLENGE_TITLE =
  /^(just a moment|attention required|checking your browser|access denied|are you a robot|security check|one moment, please|ddos-guard|human verification|bot verification)/i;
const CHALLENGE_TEXT =
  /verify(ing)? (that )?you are (a )?human|checking (if the site connection is secure|your browser)|enable javascript and cookies to continue|complete the (security check|captcha)|press (and|&) hold|unusual traffic from/i;
const NEEDS_SCRIPT =
  /(enable|requires?|turn on|activate|needs?) javascript|javascript (is )?(disabled|required|aktivieren)|without javascript/i;

/** A page's main text is at least this long, or it is worth a look whether it is one. */
const SHORT_TEXT = 1500;
const LITTLE_TEXT = 200;
const MUCH_SCRIPT = 500;
const SENTENCE = /[^\n]{50,}?[.!?。？！…]|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{20,}/u;

/** Names what was served instead of a text, in a sentence for the model; nothing when the text can be used. */
export function obstacle(facts: PageFacts): string | undefined {
  const { title, text, isWall, consentLength, scriptLength } = facts;
  const short = text.length < SHORT_TEXT;
  if (short && (CHALLENGE_TITLE.test(title) || CHALLENGE_TEXT.test(text))) {
    return "The site asks whether a human is there (challenge page), page not served.";
  }
  if (isWall || (consentLength > 0 && text.length < LITTLE_TEXT && !SENTENCE.test(text))) {
    return "Consent wall, article not served: the site shows a request for consent instead of the page.";
  }
  const fewWords = text.length < LITTLE_TEXT && !SENTENCE.test(text.replace(NEEDS_SCRIPT, ""));
  if (text === "" || (fewWords && (scriptLength > MUCH_SCRIPT || NEEDS_SCRIPT.test(text)))) {
    return scriptLength > 0 || NEEDS_SCRIPT.test(text)
      ? "The page is made by script and has no text of its own, so it can't be read here."
      : "The page has no text.";
  }
  return undefined;
}
