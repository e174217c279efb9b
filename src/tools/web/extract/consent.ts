import { namesOf, textOf } from "./dom.ts";

/** Names that consent dialogs go by: the words themselves, and the products that most sites use. */
const CONSENT_NAME =
  /(^|[\s_-])(cookies?|consent|gdpr|ccpa|cmp|privacy-?(dialog|banner|popup|notice|modal|wall|overlay|manager))([\s_-]|$)|cookie-?(banner|bar|notice|consent|law|policy-popup)|onetrust|didomi|usercentrics|cookiebot|quantcast|qc-cmp|sp_message|truste|cmp-?(box|container|wrapper|ui)|iubenda|klaro|osano|termly|borlabs/i;

const VOCABULARY = [
  /\bcookies?\b|cookie/i,
  /\bconsent\b|einwilligung|consentement|consentimiento|zustimmung/i,
  /\b(partners|vendors|third parties|partner(n)?|partenaires|socios)\b/i,
  /legitimate interest|berechtigte(s|n)? interesse|intérêt légitime|interés legítimo/i,
  /(personal|personenbezogene|personnelles) (data|daten|donn)|personal data|données personnelles/i,
  /personali[sz]ed (ads|advertising|content)|personalisierte|publicité|tracking/i,
  /(store|access|stor(e|ing) and\/or access) .{0,30}(information|device)|\bdevice\b/i,
  /privacy (policy|settings|choices|preferences)|your privacy|datenschutz|vie privée|privacidad/i,
];
const ASKS =
  /accept( all)?|agree|reject( all)?|allow all|manage (preferences|options|settings|choices)|alle akzeptieren|zustimmen|tout accepter|accepter|aceptar|akkoord|accetta/i;

/**
 * Removes consent dialogs: parts that are named so, or are dialogs, and speak of it.
 * @returns how many characters of text went
 */
export function dropConsent(document: Document): number {
  let dropped = 0;
  for (const element of [...document.body.querySelectorAll("[class],[id],[role]")]) {
    if (!element.isConnected || /^(BODY|HTML|MAIN|ARTICLE|H1)$/.test(element.tagName)) continue;
    const named = CONSENT_NAME.test(namesOf(element));
    const isDialog = /^(dialog|alertdialog)$/.test(element.getAttribute("role") ?? "");
    if (!named && !isDialog) continue;
    if (element.querySelector('main,article,[role="main"]')) continue;
    const text = textOf(element);
    if (speaksOfConsent(text, named ? 1 : 2) && isMostlyConsent(text, named ? 0.4 : 0.6)) {
      dropped += text.length;
      element.remove();
    }
  }
  return dropped;
}

/**
 * True for a page whose text is nothing but a request for consent. Prose about cookies is not: it has paragraphs that
 * speak of other things, and nothing to accept.
 */
export function isConsentWall(text: string): boolean {
  const buttons = text.split("\n").some((line) => line.length < 40 && ASKS.test(line));
  if (!buttons || !speaksOfConsent(text, 3)) return false;
  return isMostlyConsent(text, 0.6);
}

/** True when this share of the longer lines speaks of consent; a text of short lines only is judged by all of them. */
function isMostlyConsent(text: string, share: number): boolean {
  const all = text.split("\n");
  const long = all.filter((line) => line.length > 40);
  const lines = long.length > 0 ? long : all;
  const about = lines.filter((line) => VOCABULARY.some((pattern) => pattern.test(line)));
  return length(about) > length(lines) * share;
}

function length(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}

function speaksOfConsent(text: string, words: number): boolean {
  return VOCABULARY.filter((pattern) => pattern.test(text)).length >= words;
}
