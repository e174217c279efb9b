import { namesOf, weigh } from "./dom.ts";
import type { PageType } from "./signals.ts";

/** Parts that are no content by their own word, with the largest share of the page's text they may hold. */
const ROLES: readonly (readonly [selector: string, share: number])[] = [
  ["nav,footer,[role=navigation],[role=contentinfo]", 0.8],
  ["aside,dialog,[role=banner],[role=complementary],[role=dialog],[role=alertdialog],[aria-modal=true]", 0.5],
  [
    "button,select,input,textarea,[role=search],[role=menu],[role=menubar],[role=tablist],[role=toolbar]",
    0.4,
  ],
  ["form", 0.2],
];

/** Words that sites name the parts around their content with. */
const AROUND =
  /(^|[\s_-])(nav|navbar|navigation|menu|megamenu|breadcrumbs?|footer|sidebar|share|sharing|social|related|recommend(ed|ations?|er)?|newsletter|subscribe|advert(isement)?|ads?|promo|popup|modal|pagination|pager|toolbar|skip-?(link|to\S*)|masthead|copyright|widget|toc|signup|login|drawer|minicart|cart|flyout|offcanvas|tooltip|lightbox)($|[\s_-])/i;
/** The same on product pages: what others say and what else is sold. */
const AROUND_PRODUCT =
  /(^|[\s_-])(reviews?|ratings?|carousel|slider|swiper|upsell|cross-?sell|also|similar|questions|q-?and-?a|faqs?|compare|bundle|recently|you-may|instagram|ugc|testimonials?|shipping|returns|size-?(chart|guide)|price|prices|swatch(es)?|variants?|quantity|notify|financing|afterpay|klarna)($|[\s_-])/i;
/** The same in forums: who wrote it, and what can be done with it. */
const AROUND_POST =
  /(^|[\s_-])(signature|sig|avatar|author-?(pane|stats|info|details)|user-?(info|stats|title|details|extras)|postprofile|post-?(controls|actions|buttons|footer|menu)|message-(user|actionbar|footer|attribution)|reactions?|reputation|likes?|badges?|stats|controls|actions|members?-?(list|online)|similar|suggested|online)($|[\s_-])/i;

/** No part named as if it were around the content is removed when it holds more of the text than this. */
const NAMED_SHARE = 0.25;

/** Removes what stands around a page's content: navigation, footers, forms, offers. */
export function dropBoilerplate(body: Element, type: PageType): void {
  const weights = weigh(body);
  const whole = weights.get(body)?.text ?? 0;
  const drop = (element: Element, share: number): void => {
    if ((weights.get(element)?.text ?? 0) <= whole * share) element.remove();
  };
  for (const [selector, share] of ROLES) {
    for (const element of [...body.querySelectorAll(selector)]) drop(element, share);
  }
  for (const element of [...body.querySelectorAll("header")]) {
    if (!element.closest("article,main,[role=main]")) drop(element, 0.4);
  }
  dropNamed(body, type);
}

/** Removes the parts of a page that are named as standing around the content. */
export function dropNamed(root: Element, type: PageType): void {
  const weights = weigh(root);
  const most = (weights.get(root)?.text ?? 0) * NAMED_SHARE;
  for (const element of [...root.querySelectorAll("[class],[id]")]) {
    if (/^(ARTICLE|MAIN|A|H1|H2)$/.test(element.tagName)) continue;
    const names = namesOf(element);
    const around =
      AROUND.test(names) ||
      (type === "product" && AROUND_PRODUCT.test(names)) ||
      (type === "forum" && AROUND_POST.test(names));
    if (around && (weights.get(element)?.text ?? 0) <= most) element.remove();
  }
}
