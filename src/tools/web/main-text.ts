import { Readability } from "@mozilla/readability";
import { dropBoilerplate } from "./extract/boilerplate.ts";
import { dropConsent, isConsentWall } from "./extract/consent.ts";
import { parsePage, textOf, weigh } from "./extract/dom.ts";
import { dropAfterword, tidyArticle } from "./extract/tidy.ts";
import { dropHidden } from "./extract/hidden.ts";
import { mainRegion } from "./extract/region.ts";
import { metaOf, pageType, type PageType } from "./extract/signals.ts";
import { trimHtml } from "./html-trim.ts";

/** The main text of a page. */
export interface MainText {
  readonly title: string;
  readonly markdown: string;
  readonly text: string;
  readonly pageType: PageType;
  readonly notes: readonly string[];
  readonly problem?: string;
}

/** Gives the main text of a page. */
export function extractMainText(html: string, url: string): MainText {
  const trimmed = trimHtml(html);
  const document = parsePage(trimmed.html);
  const type = pageType(document, url);
  dropHidden(document);
  const consent = dropConsent(document);
  const body = document.body;
  if (type === "article") dropAfterword(body);
  const article = articleOf(document);
  if (article && type === "article") tidyArticle(article);
  dropBoilerplate(body, type);
  const region = mainRegion(body);
  const regionText = textOf(region);
  const articleText = article ? textOf(article) : "";
  const LA=Number(process.env.LA??8), LP=Number(process.env.LP??1.6), D=Number(process.env.D??0.8);const limit = type === "article" ? LA : LP; const dd= type==="article"?D:0; const am=article?prose(article,dd):0;
  const useRegion = prose(region,dd) > limit * am || (type==="article" && am<Number(process.env.AM??200) && prose(region,dd)>3*am);
  const text = useRegion ? regionText : articleText;
  void consent; void isConsentWall; void metaOf;
  return { title: "", markdown: text, text, pageType: type, notes: [] };
}
function prose(e: Element,d:number): number { const w = weigh(e).get(e); return w ? w.text - d*w.link : 0; }
function articleOf(document: Document): Element | undefined {
  const copy = document.cloneNode(true) as Document;
  const found = new Readability<Element>(copy, { serializer: (node) => node as Element }).parse();
  return found?.content ?? undefined;
}
