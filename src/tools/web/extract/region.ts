import { textOf } from "./dom.ts";

/** Where sites put their content, the surest first. */
const REGIONS = ["main,[role=main]", "#main-content,#content,#main,.main-content", "article"];
/** A region must hold this share of the text to be all that counts. */
const LEAST_SHARE = 0.4;

/** The part of a cleaned body that holds its content; the body itself when no part stands out. */
export function mainRegion(body: Element): Element {
  const whole = textOf(body).length;
  for (const selector of REGIONS) {
    let best: Element | undefined;
    let most = whole * LEAST_SHARE;
    for (const element of body.querySelectorAll(selector)) {
      const length = textOf(element).length;
      if (length > most) {
        best = element;
        most = length;
      }
    }
    if (best) return best;
  }
  return body;
}
