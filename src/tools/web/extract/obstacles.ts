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
  /** True when the page has a field for a password. */
  readonly asksPassword: boolean;
  /** True when the page carries the parts of a product that keeps programs out. */
  readonly isGuarded: boolean;
}

const CHALLENGE_TITLE =
  /^(just a moment|attention required|checking your browser|access denied|are you a robot|(vercel )?security check(point)?|one moment, please|ddos-guard|human verification|bot verification|making sure you[’']re not a bot|access to this page has been denied|pardon our interruption|robot check)/i;
const CHALLENGE_TEXT =
  /verify(ing)? (that )?you are (a )?human|checking (if the site connection is secure|your browser)|enable javascript and cookies to continue|complete the (security check|captcha)|press (and|&) hold|unusual traffic from|verifying your browser|enable js and disable any ad blocker|you are using automation tools|incapsula incident/i;
const NEEDS_SCRIPT =
  /(enable|requires?|turn on|activate|needs?) javascript|javascript (is )?(disabled|required|aktivieren)|without javascript/i;

const LOGIN_TITLE =
  /^(please )?(sign|log)[ -]?in\b|^(login|anmeld(en|ung)|einloggen|connexion|se connecter|iniciar sesi[oó]n|accedi)\b/i;
const LOGIN_TEXT =
  /(sign|log)[ -]?in (to|in order to) (continue|read|view|see|access)|(must|need to|have to|please) (be logged in|log ?in|sign ?in)|melden sie sich an, um|connectez-vous pour|inicia sesi[oó]n para/i;
const PAYWALL_LINE =
  /(subscribe|sign up|join|register) (now |today )?to (continue|keep|read)|already a (subscriber|member)|(article|story|content|post) is (only )?(for|available to) (\w+ )?(subscribers|members)|subscribers only|réservé aux abonnés|weiterlesen mit|nur für abonnenten|exclusivo para su[bs]+criptores/i;

/** A page's main text is at least this long, or it is worth a look whether it is one. */
const SHORT_TEXT = 1500;
const LITTLE_TEXT = 200;
const MUCH_SCRIPT = 500;
/** What a request to log in may have beside it. */
const LOGIN_PAGE = 400;
const SHORT_LINE = 160;
const SENTENCE = /[^\n]{50,}?[.!?。？！…]|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{20,}/u;

/** Names what was served instead of a text, in a sentence for the model; nothing when the text can be used. */
export function obstacle(facts: PageFacts): string | undefined {
  const { title, text, isWall, consentLength, scriptLength, asksPassword, isGuarded } = facts;
  const short = text.length < SHORT_TEXT;
  const guarded = isGuarded && text.length < LITTLE_TEXT && !SENTENCE.test(text);
  if (guarded || (short && (CHALLENGE_TITLE.test(title) || CHALLENGE_TEXT.test(text)))) {
    return "The site asks whether a human is there (challenge page), page not served.";
  }
  if (isWall || (consentLength > 0 && text.length < LITTLE_TEXT && !SENTENCE.test(text))) {
    return "Consent wall, article not served: the site shows a request for consent instead of the page.";
  }
  if (text.length < LOGIN_PAGE && ((asksPassword && LOGIN_TITLE.test(title)) || LOGIN_TEXT.test(text))) {
    return "The site asks for a log-in, page not served.";
  }
  const fewWords = text.length < LITTLE_TEXT && !SENTENCE.test(text.replace(NEEDS_SCRIPT, ""));
  if (text === "" || (fewWords && (scriptLength > MUCH_SCRIPT || NEEDS_SCRIPT.test(text)))) {
    return scriptLength > 0 || NEEDS_SCRIPT.test(text)
      ? "The page is made by script and has no text of its own, so it can't be read here."
      : "The page has no text.";
  }
  return undefined;
}

/** Parts of products that keep programs out; where the page is otherwise empty, it is their test. */
const GUARD_MARK =
  /_Incapsula_Resource|captcha-delivery\.com|px-captcha|awsWafCookieDomainList|\/cdn-cgi\/challenge-platform|techaro\/anubis/i;
const GUARD_REACH = 200_000;

/** True when a page's HTML, scripts included, carries the parts of a product that keeps programs out. */
export function hasGuard(html: string): boolean {
  return GUARD_MARK.test(html.slice(0, GUARD_REACH));
}

/** True when a page says that its text is for those who pay: what is there may be only its beginning. */
export function isForSubscribers(document: Document, text: string): boolean {
  const stated = [...document.querySelectorAll('script[type="application/ld+json"]')].some((script) =>
    /"isAccessibleForFree"\s*:\s*"?false/i.test(script.textContent),
  );
  return stated || text.split("\n").some((line) => line.length < SHORT_LINE && PAYWALL_LINE.test(line));
}
