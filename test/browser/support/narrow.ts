import assert from "node:assert/strict";
import type { PanelPage } from "./panel-page.ts";

/** What reaches out of the box it stands in, sideways: each as its class and its beginning. */
const OUT_OF_SIGHT = `(root) => {
  const found = [];
  for (const element of document.querySelectorAll(root + ", " + root + " *")) {
    const style = getComputedStyle(element);
    const isCut = style.overflowX === "hidden" && style.textOverflow === "ellipsis";
    const isHidden = style.clipPath !== "none" || element.closest(".sr-only, thead") !== null;
    if (isCut || isHidden || element.clientWidth === 0) continue;
    if (element.scrollWidth > element.clientWidth + 1)
      found.push(element.tagName + "." + element.className + ": " + (element.textContent ?? "").slice(0, 60));
  }
  return found;
}`;

/** Nothing within `root` is wider than the box it stands in: nothing has to be scrolled to sideways, nothing is cut off. */
export async function fitsSideways(panel: PanelPage, root: string): Promise<void> {
  assert.deepEqual(await panel.evaluate(`(${OUT_OF_SIGHT})(${JSON.stringify(root)})`), []);
}
