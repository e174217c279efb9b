import { namesOf, weigh } from "./dom.ts";

const HIDDEN_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]))/i;
/** Moved further out than any slide of a row of pictures, or cut down to nothing. */
const AWAY_STYLE =
  /(?:^|[;\s])(?:left|right|top|bottom|text-indent|margin-(?:left|top))\s*:\s*-(?:(?:[5-9]\d{3}|\d{5,})(?:\.\d+)?px|\d{3,}(?:\.\d+)?(?:r?em|v[wh]))|(?:^|[;\s])clip(?:-path)?\s*:\s*(?:rect\(\s*(?:0|1px)\b|inset\(\s*(?:50|100)%)/i;
/** Text may also be see-through; where something moves, that is how it enters. */
const CLEAR_STYLE = /(?:^|[;\s])opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)/i;
const MOVING_STYLE = /transform|transition|animation|translate/i;
/** Classes for text that only screen readers are given. */
const HIDDEN_CLASS = /(^|\s)(sr-only|visually-?hidden|screen-reader(-text)?|a11y-hidden|offscreen)(\s|$)/i;

/** A part that holds more than this share of the text, in this many characters and blocks, is the page itself. */
const PAGE_SHARE = 0.6;
const PAGE_CHARACTERS = 800;
const PAGE_BLOCKS = 4;

/**
 * Removes what a reader can't see. A page that hides all of itself until its script has run is not hidden: `<body>`,
 * what holds the page's `<main>`, and a part that is most of the page stay.
 */
export function dropHidden(document: Document): void {
  const weights = weigh(document.body);
  const whole = weights.get(document.body)?.text ?? 0;
  const isPage = (element: Element): boolean => {
    const { text = 0 } = weights.get(element) ?? {};
    return (
      text > PAGE_CHARACTERS &&
      text > whole * PAGE_SHARE &&
      element.querySelectorAll("p,li,h1,h2,h3,tr,pre").length >= PAGE_BLOCKS
    );
  };
  reveal(document.body);
  const marked = document.body.querySelectorAll('[hidden],[aria-hidden="true"],[style],[class],dialog');
  for (const element of [...marked]) {
    if (!isHidden(element)) continue;
    if (holdsMain(element) || isPage(element)) reveal(element);
    else element.remove();
  }
}

function isHidden(element: Element): boolean {
  if (element.tagName === "DIALOG") return !element.hasAttribute("open");
  const hidden = element.getAttribute("hidden");
  // "until-found" is text that a search in the page reveals: it is meant to be read.
  if (hidden !== null && hidden !== "until-found") return true;
  if (element.getAttribute("aria-hidden") === "true") return true;
  const style = element.getAttribute("style") ?? "";
  if (HIDDEN_STYLE.test(style) || AWAY_STYLE.test(style)) return true;
  if (CLEAR_STYLE.test(style) && !MOVING_STYLE.test(style)) return true;
  return HIDDEN_CLASS.test(namesOf(element));
}

/** Takes off what hides an element, so that no later reader takes it for hidden. */
function reveal(element: Element): void {
  for (const name of ["hidden", "aria-hidden", "style"]) element.removeAttribute(name);
}

function holdsMain(element: Element): boolean {
  return element.tagName === "MAIN" || element.querySelector('main,[role="main"]') !== null;
}
