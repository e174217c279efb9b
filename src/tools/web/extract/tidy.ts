import { isBlock, isElement, namesOf, textOf, weigh } from "./dom.ts";

/** Names of the parts below an article that are not the article. */
const AFTERWORD =
  /(^|[\s_-])(comments?(-?(list|area|section|wrapper))?|respond|disqus\S*|author-?(bio|box|card)|read-?(more|next)|more-?(on|from|stories|news)|tags?|byline|dateline|timestamp|trending|most-?(read|popular)|photo-?credit|credits?)($|[\s_-])/i;
const CAPTION = /(^|[\s_-])(wp-)?caption(-text)?($|[\s_-])|image-?credit|media-?credit/i;
/** Short lines that lead elsewhere or speak of the page itself. */
const ASIDE_LINE =
  /^(read (more|also|next)|see (more|also)|watch( now| more)?|more (from|on|news|stories)|related( articles| stories| content)?|recommended|don[’']?t miss|you may (also )?like|continue reading|advertisement|sponsored|share (this|on)|follow (us|him|her|me|them)|sign up|subscribe|get (the|our) (latest|free)|click here|tags?:|filed under|posted (in|on|by)|published|updated|last (updated|modified)|copyright|©|\(?(photo|image|picture|credit)s?( by|:| credit)|leave a (comment|reply)|comments? (are )?closed|print this|back to top|loading|skip to|by [A-Z]\S+ [A-Z]\S+$|\|)/i;
const LEAST_PROSE = 80;
const LONGEST_ASIDE = 200;
const LEAF = "p,div,span,li,h2,h3,h4,h5,h6,em,strong,time,a,small,section,dd,dt,td";

/** Removes comments and the like from a page's article before it is looked for. */
export function dropAfterword(body: Element): void {
  const weights = weigh(body);
  const whole = weights.get(body)?.text ?? 0;
  for (const element of [...body.querySelectorAll("[class],[id]")]) {
    if (/^(BODY|ARTICLE|MAIN|A|H1|H2)$/.test(element.tagName)) continue;
    const names = namesOf(element);
    const comments = /comment|respond|disqus/i.test(names);
    if (!AFTERWORD.test(names) || element.querySelector("article,main,h1")) continue;
    if ((weights.get(element)?.text ?? 0) <= whole * (comments ? 0.97 : 0.2)) element.remove();
  }
}

/** Removes captions, pointers to other pages and lines about the page from an article. */
export function tidyArticle(root: Element): void {
  for (const element of [...root.querySelectorAll("figcaption,[class]")]) {
    const isCaption = element.tagName === "FIGCAPTION" || CAPTION.test(element.getAttribute("class") ?? "");
    if (isCaption && !element.querySelector("pre,table") && textOf(element).length < 600) element.remove();
  }
  const weights = weigh(root);
  for (const list of [...root.querySelectorAll("ul,ol")]) {
    const weight = weights.get(list);
    if (weight && weight.text > 0 && weight.link / weight.text > 0.85 && list.children.length > 1)
      list.remove();
  }
  for (const leaf of [...root.querySelectorAll(LEAF)]) {
    if (!leaf.isConnected || !isLeaf(leaf)) continue;
    const text = textOf(leaf);
    if (text.length > LONGEST_ASIDE || text === "") continue;
    const weight = weights.get(leaf);
    const linked = weight !== undefined && weight.text > 0 && weight.link / weight.text > 0.9;
    const alone = isBlock(leaf) || leaf.parentNode === root;
    if (alone && (ASIDE_LINE.test(text) || (linked && leaf.tagName !== "LI" && leaf.tagName !== "TD")))
      leaf.remove();
  }
  dropLead(root);
}

/** Short lines before the first paragraph are section names, dates and names, unless they are headings. */
function dropLead(root: Element): void {
  for (const leaf of [...root.querySelectorAll(LEAF)]) {
    if (!isLeaf(leaf) || !isBlock(leaf)) continue;
    const text = textOf(leaf);
    if (text.length >= LEAST_PROSE) return;
    if (!/^H\d$/.test(leaf.tagName) && text.length < 60 && !/[.!?…:"”]$/.test(text)) leaf.remove();
  }
}

function isLeaf(element: Element): boolean {
  for (const child of element.children) {
    if (isElement(child) && isBlock(child) && child.tagName !== "BR") return false;
  }
  return true;
}
