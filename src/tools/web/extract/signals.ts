/** What kind of page it is, by what it says of itself. */
export type PageType = "article" | "forum" | "product" | "page";

const ARTICLE_TYPE = /^(\w*Article|\w*BlogPosting|Report|Review|Recipe|HowTo)$/;
const FORUM_TYPE = /^(DiscussionForumPosting|QAPage)$/;
const FORUM_SOFTWARE = /discourse|phpbb|vbulletin|xenforo|invision|flarum|nodebb|mybb|smf|vanilla/i;
const FORUM_ADDRESS =
  /\/(forums?|threads?|topics?|boards?|discuss(ions?)?|questions|t)\/|showthread|viewtopic|^https?:\/\/(forums?|community|boards?|discuss)\./i;

/** Guesses the type of a page from its metadata and address. */
export function pageType(document: Document, url: string): PageType {
  const types = statedTypes(document);
  const generator = metaOf(document, 'meta[name="generator"]');
  if (
    types.some((type) => FORUM_TYPE.test(type)) ||
    FORUM_SOFTWARE.test(generator) ||
    FORUM_ADDRESS.test(url)
  ) {
    return "forum";
  }
  const og = metaOf(document, 'meta[property="og:type"]').toLowerCase();
  const isProduct =
    /product/.test(og) ||
    types.some((type) => type === "Product" || type === "ProductGroup") ||
    document.querySelector('[itemtype$="schema.org/Product"]') !== null;
  if (isProduct) return "product";
  const isArticle =
    /^(article|news|blog)/.test(og) ||
    types.some((type) => ARTICLE_TYPE.test(type)) ||
    document.querySelector('meta[property="article:published_time"],[itemprop="articleBody"]') !== null;
  return isArticle ? "article" : "page";
}

/** The types that the page's linked data names, of all its parts. */
function statedTypes(document: Document): readonly string[] {
  const types: string[] = [];
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    const data = script.textContent.slice(0, 200_000);
    for (const [, type] of data.matchAll(/"@type"\s*:\s*\[?\s*"(\w+)"/g))
      if (type !== undefined) types.push(type);
  }
  return types;
}

/** The content of a `<meta>`, empty when there is none. */
export function metaOf(document: Document, selector: string): string {
  return document.querySelector(selector)?.getAttribute("content")?.trim() ?? "";
}
