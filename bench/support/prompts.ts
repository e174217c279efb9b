import { z } from "zod";
import { BUILT_IN_AGENTS } from "../../src/agent/agents/built-in/index.ts";
import { ownPart } from "../../src/agent/committee/words.ts";

/** What is sent to `/api/chat`, as far as the order of its parts goes. */
export interface SentChat {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly [key: string]: unknown;
}

/** A prompt cut into tokens: runs of letters and digits as long as a usual token, spaces with the word behind them. */
export function tokensOf(text: string): readonly string[] {
  return text.match(/ ?[\p{L}\p{N}]{1,7}|\s|[^\s\p{L}\p{N}]/gu) ?? [];
}

/** How many tokens a text has. */
export function countTokens(text: string): number {
  return tokensOf(text).length;
}

/** What sets each speaker apart, as it stands at the end of its prompts. */
const OWN_PARTS: readonly string[] = BUILT_IN_AGENTS.map(({ name, prompt }) => ownPart(name, prompt));

/** How much of a list of prompts has to be computed. Tokens. */
export interface Prefill {
  /** With one slot: what goes beyond the beginning that a prompt shares with the one before it. */
  readonly oneSlot: number;
  /** With a slot for each: beyond the longest beginning that it shares with any before it. */
  readonly manySlots: number;
  /** All prompts from their first token. */
  readonly uncached: number;
}

/** What a server computes that has these prompts one after the other. */
export function prefillOf(prompts: readonly string[]): Prefill {
  const all = prompts.map(tokensOf);
  let [oneSlot, manySlots, uncached] = [0, 0, 0];
  all.forEach((tokens, index) => {
    const shared = all.slice(0, index).map((before) => commonStart(before, tokens));
    oneSlot += tokens.length - (shared.at(-1) ?? 0);
    manySlots += tokens.length - Math.max(0, ...shared);
    uncached += tokens.length;
  });
  return { oneSlot, manySlots, uncached };
}

function commonStart(one: readonly string[], other: readonly string[]): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/**
 * What a server has to compute in whatever order it comes: the first prompt, and each line of the others that none
 * before it had.
 */
export function uniqueText([first = "", ...others]: readonly string[]): string {
  const known = new Set(first.split("\n"));
  const more = new Set(others.flatMap((prompt) => prompt.split("\n")).filter((line) => !known.has(line)));
  return [first, ...more].join("\n");
}

/**
 * A request in the order that comes to mind first: who speaks stands in the system message, before all that the
 * speakers share.
 */
export function personaFirst(chat: SentChat): SentChat {
  const own = OWN_PARTS.find((part) => chat.messages.some(({ content }) => content.includes(part)));
  if (own === undefined) return chat;
  return {
    ...chat,
    messages: chat.messages.map((message) => {
      if (message.role === "system") return { ...message, content: `${own}\n\n${message.content}` };
      return { ...message, content: message.content.replace(`\n\n${own}`, "") };
    }),
  };
}

const Rendered = z.looseObject({ _debug_info: z.looseObject({ rendered_template: z.string() }) });

/** The prompt that a server makes of a request. */
export async function renderOn(host: string, chat: SentChat): Promise<string> {
  const body = JSON.stringify({ ...chat, _debug_render_only: true });
  const response = await fetch(`${host}/api/chat`, { method: "POST", body });
  if (!response.ok) throw new Error(await response.text());
  return Rendered.parse(await response.json())._debug_info.rendered_template;
}

/** All prompts, one after the other. */
export async function renderAll(host: string, chats: readonly SentChat[]): Promise<readonly string[]> {
  const prompts: string[] = [];
  for (const chat of chats) prompts.push(await renderOn(host, chat));
  return prompts;
}
