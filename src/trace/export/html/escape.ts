import { wellFormed } from "../../../agent/text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Signs that an HTML page can't hold, apart from line ends and tabs; those that turn what follows are shown as text. */
const CONTROLS = /(?![\n\t])\p{Cc}/gu;

/** A text within an element or an attribute: no sign of it is markup, in whichever way a browser reads the page. */
export function html(text: string): string {
  return wellFormed(text)
    .replace(/\r\n?/g, "\n")
    .replace(CONTROLS, "\ufffd")
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
}
