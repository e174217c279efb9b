import { Readability } from "@mozilla/readability";
import { dropBoilerplate, dropNamed } from "./extract/boilerplate.ts";
import { dropConsent, isConsentWall } from "./extract/consent.ts";
import { parsePage, textOf } from "./extract/dom.ts";
import { dropHidden } from "./extract/hidden.ts";
import { linkedText } from "./extract/linked-data.ts";
import { toMarkdown } from "./extract/markdown.ts";
import { hasGuard, isForSubscribers, obstacle } from "./extract/obstacles.ts";
import { mainRegion } from "./extract/region.ts";
import { metaOf, pageType, type PageType } from "./extract/signals.ts";
import { dropAfterword, tidyArticle } from "./extract/tidy.ts";
import { trimHtml } from "./html-trim.ts";

/** The main text of a page. */
export interface MainText {
  /** Empty when the page has none. */
  readonly title: string;
  /** The main text with headings, lists, tables, code and absolute links. */
  readonly markdown: string;
  /** The same without any markup, a line per block. */
  readonly text: string;
  readonly pageType: PageType;
  /** Things to know about the text, a sentence each. */
  readonly notes: readonly string[];
  /** Said when something else than a text was served: a consent wall, a challenge, a page of script. */
  readonly problem?: string;
}

/** How many times longer than the article the main region must be to count as the content, by type of page. */
const ARTICLE_TRUST = 8;
const PLAIN_TRUST = 1.6;
/** Readability tries again, less strictly and at the same cost, until it has this much text. */
const FOUND_ARTICLE = 150;
/** An article shorter than this was hardly found: it takes less to prefer the region. */
const SHORT_ARTICLE = 200;
const SHORT_TRUST = 3;

/**
 * The main text of a page of HTML. Articles are found by Readability and tidied; listings, forums and products, where
 * an article is only a part of what counts, by dropping what stands around the content. Pure: no network, no clock.
 * @param url where the page is from; links are made absolute against it
 */
export function extractMainText(html: string, url: string): MainText {
  const trimmed = trimHtml(html);
  const document = parsePage(trimmed.html);
  const type = pageType(document, url);
  const title = titleOf(document);
  const linked = linkedText(document);
  dropHidden(document);
  const consentLength = dropConsent(document);
  const whole = textOf(document.body);
  const asksPassword = document.querySelector('input[type="password"]') !== null;
  const forSubscribers = isForSubscribers(document, whole);
  const root = contentOf(document, type);
  const text = textOf(root);
  const notes = [
    ...(trimmed.cut ? ["The page is very long; only its first part was read."] : []),
    ...(forSubscribers ? ["The page is for subscribers; this may be only its beginning."] : []),
  ];
  const problem = obstacle({
    title,
    text,
    isWall: isConsentWall(whole),
    consentLength,
    scriptLength: trimmed.scriptLength,
    asksPassword,
    isGuarded: hasGuard(html),
  });
  if (problem === undefined) {
    return { title, markdown: toMarkdown(root, baseOf(document, url)), text, pageType: type, notes };
  }
  if (linked && linked.text.length > text.length && linked.text.length > SHORT_ARTICLE) {
    const about = "The page's own text is not there; this is what it says of itself for search engines.";
    const plain = textOf(parsePage(linked.text).body);
    return {
      title: title === "" ? linked.title : title,
      markdown: plain,
      text: plain,
      pageType: type,
      notes: [...notes, about],
    };
  }
  return { title, markdown: "", text: "", pageType: type, notes, problem };
}

/** The element that holds the content. Takes parts out of the document. */
function contentOf(document: Document, type: PageType): Element {
  const { body } = document;
  // Readability forgets the names of what it rewrites, so what is known by name goes first.
  if (type === "article") dropAfterword(body);
  if (type === "forum") dropNamed(body, type);
  const article = articleOf(document);
  if (article && type === "article") tidyArticle(article);
  dropBoilerplate(body, type);
  const region = mainRegion(body);
  if (!article) return region;
  const inArticle = textOf(article).length;
  const inRegion = textOf(region).length;
  return inRegion > trustIn(type, inArticle) * inArticle ? region : article;
}

function trustIn(type: PageType, articleLength: number): number {
  if (type !== "article") return PLAIN_TRUST;
  return articleLength < SHORT_ARTICLE ? SHORT_TRUST : ARTICLE_TRUST;
}

/** What Readability takes for the article, in a copy of its own. */
function articleOf(document: Document): Element | undefined {
  const copy = document.cloneNode(true) as Document;
  const reader = new Readability<Element>(copy, {
    serializer: (node) => node as Element,
    charThreshold: FOUND_ARTICLE,
    keepClasses: true,
  });
  return reader.parse()?.content ?? undefined;
}

function titleOf(document: Document): string {
  const stated = metaOf(document, 'meta[property="og:title"]');
  const title = stated === "" ? (document.querySelector("title")?.textContent ?? "") : stated;
  const heading = title.trim() === "" ? (document.querySelector("h1")?.textContent ?? "") : title;
  return heading.replace(/\s+/g, " ").trim().slice(0, 300);
}

function baseOf(document: Document, url: string): string {
  const stated = document.querySelector("base[href]")?.getAttribute("href") ?? "";
  return URL.canParse(stated, url) ? new URL(stated, url).href : url;
}
