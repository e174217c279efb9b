/** The longest tag that is looked at, attributes included. */
export const MAX_TAG = 160;

/** Tags that open a call, in their plain form (see `plainTag`). */
const OPENING = new Set([
  "tool_call",
  "tool_calls",
  "toolcall",
  "toolcalls",
  "tool_call_begin",
  "tool_calls_begin",
  "tool_call_start",
  "tool_calls_start",
  "tool_calls_section_begin",
  "start_function_call",
  "function_call",
  "function_calls",
  "functions",
  "tool_request",
  "tool_use",
  "tools",
  "python_tag",
  "start_action",
  "action_start",
  "plugin",
]);

/** The same for tokens in square brackets. */
const OPENING_TOKENS = ["TOOL_CALLS", "TOOL_CALL", "TOOL_REQUEST"];

/** Tags that carry the tool's name as a value: `<function=x>`, `<invoke name="x">`. */
const NAMING = new Set(["function", "invoke", "tool_call", "function_call", "tool_use", "tool"]);

/** Tags between the parts of a call. */
const SEPARATING = new Set([
  "tool_sep",
  "tool_call_argument_begin",
  "message",
  "constrain",
  "args",
  "call_id",
]);

/** Tags that end a call or a message, beside those that begin with a slash or end in `_end`. */
const CLOSING = new Set(["call", "end", "eot_id", "eom_id", "im_end", "eot", "end_of_turn", "s", "eos"]);

/** Tags behind which a model makes up the tool's result. */
const RESULT = new Set(["tool_response", "tool_result", "tool_results", "tool_output", "tool_outputs_begin"]);

/** What a tag is for. */
export type TagRole = "open" | "separate" | "close" | "result" | "other";

/** A tag or special token in a text. */
export interface Tag {
  /** Lower case, without brackets, bars, slash and namespace. */
  readonly name: string;
  /** The tool it names, for `<function=x>` and the like. */
  readonly value: string | undefined;
  readonly role: TagRole;
  /** Behind its last character. */
  readonly end: number;
}

/** The bare name of a tag: `<｜tool▁call▁begin｜>` and `<minimax:tool_call>` are `tool_call_begin` and `tool_call`. */
function plainTag(inner: string): string {
  return inner
    .replace(/[|｜]/g, "")
    .replace(/[▁\s_-]+/g, "_")
    .toLowerCase()
    .replace(/^(\/?)(?:dsml|minimax:|seed:|antml:)/, "$1");
}

/** Reads the tag or `[TOKEN]` that begins at `at`; `undefined` when there is none. */
export function readTag(text: string, at: number): Tag | undefined {
  const close = text.charAt(at) === "<" ? ">" : text.charAt(at) === "[" ? "]" : "";
  if (close === "") return undefined;
  const slice = text.slice(at, at + MAX_TAG);
  const end = slice.indexOf(close);
  if (end < 2) return undefined;
  const inner = slice.slice(1, end);
  if (/[\n{}]/.test(inner)) return undefined;
  return close === ">" ? tagOf(inner, at + end + 1) : tokenOf(inner, at + end + 1);
}

function tokenOf(inner: string, end: number): Tag | undefined {
  if (!/^\/?[A-Z][A-Z_]{2,30}$/.test(inner)) return undefined;
  const name = plainTag(inner);
  const role = roleOf(name, undefined);
  return {
    name,
    value: undefined,
    role: role === "open" && !OPENING_TOKENS.includes(inner) ? "other" : role,
    end,
  };
}

function tagOf(inner: string, end: number): Tag {
  const attribute = /^([^\s=]{1,40}?)(?:\s*=\s*|\s+name\s*=\s*)["']?([\w.:/-]{1,128})["']?/.exec(inner);
  const head = attribute === null ? (/^[^\s]+/.exec(inner)?.[0] ?? "") : (attribute[1] ?? "");
  const isClosing = /^[^|｜/].*[|｜]$/.test(inner);
  const plain = plainTag(attribute === null && !/[="]/.test(inner) ? inner : head);
  const name = isClosing ? `/${plain}` : plain;
  const value = attribute !== null && NAMING.has(name) ? attribute[2] : undefined;
  return { name, value, role: roleOf(name, value), end };
}

function roleOf(name: string, value: string | undefined): TagRole {
  if (value !== undefined || OPENING.has(name)) return "open";
  if (SEPARATING.has(name)) return "separate";
  if (RESULT.has(name)) return "result";
  const isEnd = name.startsWith("/") || name.startsWith("end_") || name.endsWith("_end");
  return isEnd || CLOSING.has(name) ? "close" : "other";
}

/** Whether the beginning of a tag (no closing bracket yet) may become one that opens a call. */
export function mayOpenTag(partial: string, toolNames: readonly string[]): boolean {
  if (/^.[^A-Za-z|｜]/s.test(partial)) return false;
  if (partial.length >= MAX_TAG || /[\n{}]/.test(partial)) return false;
  if (partial.startsWith("[")) return OPENING_TOKENS.some((token) => `[${token}`.startsWith(partial));
  const name = plainTag(partial.slice(1));
  if (name === "" || "dsml".startsWith(name)) return true;
  if (["minimax:", "seed:", "antml:"].some(startsWith(name))) return true;
  const head = name.replace(/(?:_name)?_?=.*$/, "");
  if (head !== name) return NAMING.has(head);
  const known = [...OPENING, ...[...NAMING].map((tag) => `${tag}_name`), "channel", "start", ...toolNames];
  return known.some(startsWith(name));
}

function startsWith(partial: string): (whole: string) => boolean {
  return (whole) => whole.startsWith(partial);
}

/** Where the text goes on behind white space and tags that close a call or a message. */
export interface Trailer {
  readonly end: number;
  /** A tag was met behind which the model makes up a result: nothing after it is to be trusted. */
  readonly inventsResult: boolean;
  /** A closing tag was met: what stands before it was not cut off. */
  readonly closed: boolean;
}

/** Skips what may follow a call: white space, closing tags, stray brackets, the end of a fence. */
export function skipTrailer(text: string, start: number): Trailer {
  let at = start;
  let closed = false;
  for (;;) {
    const char = text.charAt(at);
    if (char !== "" && (char.trim() === "" || "}],;".includes(char))) {
      at += 1;
      continue;
    }
    if (char === "`" && /^`(?:\s|$)/.test(text.slice(at, at + 2))) {
      at += 1;
      continue;
    }
    if (text.startsWith("```", at) && !/\w/.test(text.charAt(at + 3))) {
      at += 3;
      continue;
    }
    const tag = readTag(text, at);
    if (tag?.role === "result") return { end: at, inventsResult: true, closed };
    if (tag?.role !== "close") return { end: at, inventsResult: false, closed };
    closed = true;
    at = tag.end;
  }
}
