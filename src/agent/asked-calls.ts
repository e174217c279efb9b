import type { JsonObject } from "./models/types.ts";
import type { ToolSet } from "./tool.ts";

/** Calls that are made of one question at most. */
const MAX_CALLS = 3;

/** An address, in the signs that one is written in, up to the punctuation of the sentence around it. */
const ADDRESS = /\bhttps?:\/\/[\w.~:/?#[\]@!$&()*+,;=%-]*[\w/#&=%-]/gi;
/** A path with a folder in it, looked for where a word begins, or a name between backticks; a lone name may be anything, such as `Node.js`. */
const PATH =
  /(?<![\p{L}\p{N}_.-])(?:\p{L}:)?[\\/]?(?:[\p{L}\p{N}_.-]+[\\/])+[\p{L}\p{N}_-]+\.[a-z][a-z\d]{0,7}(?![a-z\d])|(?<=`)[\p{L}\p{N}_ -]+\.[a-z][a-z\d]{0,7}(?=`)/giu;

/** A call that is to be made. */
export interface AskedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/**
 * The calls that the form of a question asks for, with tools of a set: a page is read where it holds an address, a file
 * where it holds a path. They are made for a model that can't be trusted to call.
 */
export function callsAskedFor(tools: ToolSet, question: string): readonly AskedCall[] {
  const addresses = found(question, ADDRESS).map((url) => ({ name: "web_fetch", arguments: { url } }));
  const paths = found(question.replace(ADDRESS, " "), PATH).map((path) => {
    return { name: "read_file", arguments: { path } };
  });
  const offered = new Set(tools.schemas.map(({ name }) => name));
  return [...addresses, ...paths].filter(({ name }) => offered.has(name)).slice(0, MAX_CALLS);
}

function found(text: string, pattern: RegExp): readonly string[] {
  return [...new Set(text.match(pattern))];
}
