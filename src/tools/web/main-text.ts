import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { trimHtml } from "./html-trim.ts";

/** The main text of a page. */
export interface MainText {
  readonly title: string;
  readonly markdown: string;
  readonly text: string;
  readonly pageType: string;
  readonly notes: readonly string[];
  readonly problem?: string;
}

/** Gives the main text of a page. */
export function extractMainText(html: string, _url: string): MainText {
  const { document } = parseHTML(trimHtml(html).html);
  const article = new Readability(document).parse();
  const text = article?.textContent ?? "";
  return { title: article?.title ?? "", markdown: text, text, pageType: "page", notes: [] };
}
