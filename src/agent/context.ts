import type { ChatMessage, ToolSchema } from "./models/types.ts";
import { oncePer } from "./once-per.ts";
import { toldTool } from "./told-schema.ts";
import { cutAtGrapheme } from "./text.ts";

/** UTF-8 bytes to a token: low, so that estimates are rather too large than too small. */
const BYTES_PER_TOKEN = 3.5;

/** Tokens that a template adds around a message: role, separators. */
const TOKENS_PER_MESSAGE = 6;

/** What a cut result keeps at least, in tokens, however little room there is. */
const SMALLEST_RESULT = 128;

/** What a cut leaves of the room for earlier turns. */
const KEPT_PART = 0.6;

/** An estimate of a text's tokens. */
export function textTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** An estimate of a message's tokens; kept with the message, which never changes. */
export const messageTokens = oncePer((message: ChatMessage): number => {
  let tokens = TOKENS_PER_MESSAGE + textTokens(message.content);
  if (message.role === "assistant") {
    if (message.thinking !== undefined) tokens += textTokens(message.thinking);
    if (message.toolCalls !== undefined) tokens += textTokens(JSON.stringify(message.toolCalls));
  }
  return tokens;
});

/** An estimate of some messages' tokens. */
export function messagesTokens(messages: readonly ChatMessage[]): number {
  let tokens = 0;
  for (const message of messages) tokens += messageTokens(message);
  return tokens;
}

/** `messagesTokens` of a list that never changes, kept with the list. */
export const listTokens = oncePer(messagesTokens);

/** An estimate of the tokens that a tool, or a list of them, takes in the prompt; kept with it. */
export const toolTokens = oncePer((schemas: ToolSchema | readonly ToolSchema[]): number =>
  textTokens(JSON.stringify([schemas].flat().map(toldTool))),
);

/**
 * How many of the oldest groups (turns) must go when all take more than `room` tokens. Then more go at once than must:
 * a cut ends the use of the server's cached prompt, so that the next one should be many turns away.
 */
export function groupsToDrop(groups: readonly (readonly ChatMessage[])[], room: number): number {
  const sizes = groups.map(messagesTokens);
  let used = sizes.reduce((sum, size) => sum + size, 0);
  if (used <= room) return 0;
  let drop = 0;
  for (const [at, size] of sizes.entries()) {
    // The newest turn stays where it just fits.
    const enough = at === sizes.length - 1 ? room : room * KEPT_PART;
    if (used <= enough) break;
    used -= size;
    drop += 1;
  }
  return drop;
}

/** A text cut to about so many tokens, with a line that says so. */
export interface CutText {
  readonly text: string;
  /** Characters (UTF-16 units) that were kept and that there were; absent when nothing was cut. */
  readonly cut?: { readonly kept: number; readonly of: number };
}

/** Cuts a tool's result to `tokens`, at a grapheme edge; the model is told how much it was given. */
export function cutResult(text: string, tokens: number): CutText {
  const allowed = Math.max(tokens, SMALLEST_RESULT);
  const needed = textTokens(text);
  if (needed <= allowed) return { text };
  const kept = cutAtGrapheme(text, Math.floor((text.length * allowed) / needed));
  const note = `[cut: ${kept.length} of ${text.length} characters are given here, for want of room]`;
  return { text: `${kept}\n${note}`, cut: { kept: kept.length, of: text.length } };
}
