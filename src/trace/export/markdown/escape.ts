import { wellFormed } from "../../../agent/text.ts";

/*
 * Signs that keep a page's own tools from taking a text for theirs: a name after `@` would be told that it was
 * mentioned, a number after `#` would be linked, and closed when it stands behind the right word.
 */
const GAP = "\u200b";
/** A name after `@`; in an address it is a part of that. */
const MENTION = /(?<![\p{L}\p{N}])https?:\/\/\w[^\s()[\]<>"\u200b]*|(?<![\p{L}\p{N}_])@(?=[A-Za-z0-9])/gu;
const ISSUE = /(?<![\p{L}\p{N}_])(#|GH-)(?=\d)/giu;
const REPOSITORY_ISSUE = /([\w.-]{1,100}\/[\w.-]{1,100})#(?=\d)/g;
/** The address of an issue, of a request to merge or the like: a link to it is noted there, behind some words it closes it. */
const ISSUE_ADDRESS =
  /(https?:\/\/|(?<![\p{L}\p{N}])www\.)(?=[\w.-]{1,250}(?::\d{1,5})?(?:\/[\w.~%+@-]{1,100}){1,12}\/(?:issues|pulls?|merge_requests|discussions|commits?|work_items|epics)\/[\w-])/giu;

/** Signs that nobody sees, and those that turn the direction of what follows; joiners stay. */
const INVISIBLE = /(?![\n\t\u200c\u200d])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Line ends as Markdown has them; without signs that hide or turn text; valid in any encoding. */
export function plainText(text: string): string {
  return wellFormed(text).replace(/\r\n?/g, "\n").replace(INVISIBLE, "");
}

/** A text that mentions nobody and links no issue. Addresses in it lead where they led. */
export function withoutMentions(text: string): string {
  return withoutIssueAddresses(text)
    .replace(MENTION, (found) => (found === "@" ? `@${GAP}` : found))
    .replace(REPOSITORY_ISSUE, `$1#${GAP}`)
    .replace(ISSUE, `$1${GAP}`);
}

/** Addresses of issues so that a page's own tools don't know them; a browser passes over the sign in the host's name. */
export function withoutIssueAddresses(text: string): string {
  return text.replace(ISSUE_ADDRESS, `$1${GAP}`);
}

/** What begins a heading, a list or a rule at the start of a line. */
const LINE_START = /^(?:[-+#=>:]|\d{1,9}(?=[.)](?:\s|$)))/;

/** A text on one line within Markdown, where none of its signs is markup. */
export function inline(text: string): string {
  const line = plainText(text).replace(/\s+/g, " ").trim();
  const escaped = line
    .replace(/[\\`*_{}[\]()!|~$^]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(LINE_START, (start) => (/\d/.test(start) ? `${start}\u200b` : `\\${start}`));
  return withoutMentions(escaped);
}

/** A text on one line within an element of HTML, where Markdown is not read. */
export function inHtml(text: string): string {
  const line = plainText(text).replace(/\s+/g, " ").trim();
  return withoutMentions(line).replace(/[&<>"`[\]]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A text in a fence that nothing in it can close. */
export function fenced(text: string, language = ""): string {
  const plain = plainText(text);
  const longest = (plain.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${plain}\n${fence}`;
}

/** A block of lines as a quotation: whatever begins in it ends with it. */
export function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}
