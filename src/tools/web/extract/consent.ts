import { namesOf, textOf } from "./dom.ts";

/** Names that consent dialogs go by: the words themselves, and the products that most sites use. */
const CONSENT_NAME =
  /(^|[\s_-])(cookies?|consent|gdpr|ccpa|cmp|privacy-?(dialog|banner|popup|notice|modal|wall|overlay|manager))([\s_-]|$)|cookie-?(banner|bar|notice|consent|law|policy-popup)|onetrust|didomi|usercentrics|cookiebot|quantcast|qc-cmp|sp_message|truste|cmp-?(box|container|wrapper|ui)|iubenda|klaro|osano|termly|borlabs/i;

const VOCABULARY = [
  /\bcookies?\b|cookie|クッキー/i,
  /\bconsent\b|einwilligung|consentement|consentimi?ento|zustimmung|consenso|toestemming|samtycke|zgod[ayęą]\b|同意/i,
  /\b(partners|vendors|third parties|partner(n|i|ów)?|partenaires|socios|parceiros|fornitori)\b/i,
  /legitimate interest|berechtigte(s|n)? interesse|intérêt légitime|interés legítimo|legittimo interesse|gerechtvaardigd belang/i,
  /(personal|personenbezogene|personnelles) (data|daten|donn)|données personnelles|dati personali|datos personales|dados pessoais|persoonsgegevens|personuppgifter|dan(e|ych) osobow/i,
  /personali[sz]ed (ads|advertising|content)|personalisierte|publicité|publicidade?|pubblicità|gepersonaliseerde|tracking/i,
  /(store|access|stor(e|ing) and\/or access) .{0,30}(information|device)|\bdevice\b/i,
  /privacy (policy|settings|choices|preferences)|your privacy|datenschutz|vie privée|privacidade?|informativa privacy/i,
];
const ASKS =
  /accept( all)?|agree|reject( all)?|allow all|manage (preferences|options|settings|choices)|akzeptieren|zustimmen|einverstanden|ablehnen|accepter|refuser|aceptar|rechazar|aceitar|akkoord|accepteren|weigeren|accetta|rifiuta|godkänn|akceptuj|zgadzam|同意|continue without/i;
/** A sentence that only says that cookies are used: on a page with nothing else it is the wall. */
const NOTICE =
  /(\buses?|\busing|enable|accept|allow|verwende[tn]|nutz(t|en)|utilis\w+|usa(mos)?|utilizza(no)?|gebruikt) (\w+ ){0,3}cookies/i;
const SHORT_NOTICE = 300;
/** How many buttons of a page are looked at. */
const MAX_BUTTONS = 40;
/** No dialog is longer than this. */
const LONGEST_DIALOG = 60_000;

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
  return dropped + dropUnnamed(document.body);
}

/** Removes consent dialogs that no name gives away: found by what there is to press, and all around it that goes with it. */
function dropUnnamed(body: Element): number {
  let dropped = 0;
  const buttons = [...body.querySelectorAll("button,a,[role=button],input[type=submit]")].filter((button) =>
    asks(textOf(button) || (button.getAttribute("value") ?? "")),
  );
  for (const pressed of buttons.slice(0, MAX_BUTTONS)) {
    if (!pressed.isConnected) continue;
    let dialog: Element | undefined;
    let element = pressed.parentElement;
    while (element && element !== body && !element.matches("main,article,[role=main]")) {
      const text = textOf(element);
      if (speaksOfConsent(text, 3) && isMostlyConsent(text, 0.8)) dialog = element;
      else if (dialog || text.length > LONGEST_DIALOG) break;
      element = element.parentElement;
    }
    if (!dialog || dialog.querySelector('main,article,[role="main"]')) continue;
    dropped += textOf(dialog).length;
    dialog.remove();
  }
  return dropped;
}

function asks(line: string): boolean {
  return line.length < 40 && ASKS.test(line);
}

/**
 * True for a page whose text is nothing but a request for consent. Prose about cookies is not: it has paragraphs that
 * speak of other things, and nothing to accept.
 */
export function isConsentWall(text: string): boolean {
  if (text.length < SHORT_NOTICE && NOTICE.test(text)) return isMostlyConsent(text, 0.8);
  return text.split("\n").some(asks) && speaksOfConsent(text, 3) && isMostlyConsent(text, 0.6);
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
