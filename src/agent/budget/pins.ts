import type { ChatMessage, ToolCall } from "../models/types.ts";

/** Identifiers that are kept at most. */
const MAX_IDENTIFIERS = 80;

/** Text that is looked through of one message, in UTF-16 units. */
const MAX_LOOK = 20_000;

/** Longest text that counts as an identifier, in UTF-16 units. */
const MAX_IDENTIFIER = 160;

/**
 * Words with which people correct what was understood, at the beginning of a message or of a sentence. A correction
 * that is missed is still in the model's summary; one too many costs a line.
 */
const CORRECTIONS: readonly RegExp[] = [
  /(?:^|[.!?\n]\s*)(?:no|nope|nah|wrong|incorrect|not quite|sorry|wait|stop|careful)\b[\s,.!:;—–-]/i,
  /\b(?:i|we) (?:actually |really )?(?:meant|mean|said|asked for|wanted)\b/i,
  /\b(?:that|this|it|which)(?:'s| is|’s| was) (?:wrong|not (?:right|correct|true|what|the)|incorrect|a mistake|outdated)\b/i,
  /\b(?:you|this|that) (?:misunderstood|misread|got (?:it|that|this) wrong|made a mistake|are wrong|were wrong)\b/i,
  /(?:^|[.!?\n]\s*)(?:actually|rather|instead|correction)\b/i,
  /\b(?:don't|do not|never|stop) (?:use|do|add|touch|change|call|write|suggest|assume|put|delete|remove)\b/i,
  /\bnot\s+["'`“]?[\w.-]+["'`”]?,?\s+(?:but|use|rather)\b/i,
  /\b(?:should (?:have been|be|read)|must be|it's supposed to)\b[^.?!\n]{0,80}\bnot\b/i,
  /(?:^|[.!?\n]\s*)(?:nein|nicht|falsch|doch nicht|stopp|eigentlich|ich meinte|stattdessen)(?![\p{L}])/iu,
  /(?:^|[.!?\n]\s*)(?:non|pas du tout|faux|plutôt|je voulais dire|en fait)(?![\p{L}])/iu,
  /(?:^|[.!?\n]\s*)(?:me refería|quise decir|en realidad|incorrecto|mejor)(?![\p{L}])/iu,
  /(?:^|[.!?\n]\s*)(?:não|na verdade|errado|eu quis dizer|sbagliato|intendevo|nee|ik bedoelde|nei|jeg mente)(?![\p{L}])/iu,
  /(?:^|[.!?\n]\s*)(?:нет|неправильно|я имел в виду|я имела в виду|на самом деле)(?![\p{L}])/iu,
  /(?:不对|不是|我的意思是|错了|違う|違います|間違|そうじゃ|아니|틀렸)/u,
];

/** Whether a message of the user's corrects what was said or done before. */
export function isCorrection(text: string): boolean {
  const looked = text.slice(0, MAX_LOOK);
  return CORRECTIONS.some((pattern) => pattern.test(looked));
}

/** A call on one line. */
function describeCall({ name, arguments: args }: ToolCall): string {
  return `${name} ${JSON.stringify(args)}`;
}

const FAILED = /^\s*\[(?:error|tool unavailable|cancelled)\]/;
const UNANSWERED = /^\[No answer was given in this turn/;

/** What was tried and did not work: calls with the error they gave, and turns without an answer. */
export function failedAttempts(messages: readonly ChatMessage[]): readonly string[] {
  const calls = new Map<string, ToolCall>();
  const failures: string[] = [];
  let question = "";
  for (const message of messages) {
    if (message.role === "user") question = message.content;
    if (message.role === "assistant") {
      for (const call of message.toolCalls ?? []) calls.set(call.id, call);
      if (UNANSWERED.test(message.content)) failures.push(`no answer to: ${question}`);
    }
    if (message.role !== "tool" || !FAILED.test(message.content)) continue;
    const call = calls.get(message.toolCallId);
    const made = call === undefined ? message.toolName : describeCall(call).slice(0, MAX_IDENTIFIER);
    failures.push(`${made}: ${message.content.slice(0, 300)}`);
  }
  return failures;
}

/** Texts that name one thing and no other, and how much each kind says. */
const IDENTIFIERS: readonly { readonly pattern: RegExp; readonly weight: number }[] = [
  // Error texts and codes.
  { pattern: /\b(?:[A-Z]\w*)?(?:Error|Exception|Warning)\b:?[^\n.;]{0,100}/g, weight: 6 },
  { pattern: /\b(?:E[A-Z]{3,}|TS\d{3,5}|ERR_[A-Z_]+|[A-Z]{2,}-\d+)\b/g, weight: 6 },
  // Addresses and paths.
  { pattern: /\bhttps?:\/\/[^\s<>"'`)\]]{1,200}/g, weight: 5 },
  { pattern: /(?:[A-Za-z]:\\|\.{0,2}\/|~\/|\b[\w.@-]{1,80}[/\\])[\w.@/\\-]{0,150}[\w-]/g, weight: 5 },
  { pattern: /\b[\w-]{1,80}\.(?!\d)[A-Za-z][A-Za-z0-9]{0,5}(?::\d+)?\b/g, weight: 4 },
  // Names in code, and what people put in quotes.
  { pattern: /`([^`\n]{1,120})`/g, weight: 5 },
  { pattern: /["“«]([^"”»\n]{2,60})["”»]/g, weight: 3 },
  {
    pattern: /\b(?:[a-z]+(?:[A-Z][a-z0-9]*)+|[A-Za-z]\w*_\w+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)\b/g,
    weight: 4,
  },
  { pattern: /(?:#\d+|\b[0-9a-f]{7,40}\b|@[\w-]+|--[\w-]+)/g, weight: 3 },
  // Numbers, with their unit.
  {
    pattern:
      /(?<![\w.])[$€£]?\d[\d,.:_/-]{0,40}\d?(?:\s?(?:%|[kKMGT]i?B|ms|s|min|h|px|GHz|MHz|kg|km|°C|€|\$))?(?!\w)/g,
    weight: 3,
  },
  // Names of people, places and products: capitals in mid-sentence.
  { pattern: /(?<=[\p{Ll},;:]\s)\p{Lu}[\p{L}\p{N}'’-]+(?:\s\p{Lu}[\p{L}\p{N}'’-]+){0,3}/gu, weight: 2 },
];

/**
 * Paths, names, numbers and error texts of a conversation, the most telling ones first: what the user said counts more
 * than what a model said, and what is said often more than what is said once. Results of tools give their errors only.
 */
export function identifiersOf(messages: readonly ChatMessage[]): readonly string[] {
  const scores = new Map<string, number>();
  const take = (text: string, worth: number): void => {
    for (const { pattern, weight } of IDENTIFIERS) {
      for (const match of text.slice(0, MAX_LOOK).matchAll(pattern)) {
        const name = (match[1] ?? match[0]).trim().replace(/[,.:;]+$/, "");
        if (name.length < 2 || name.length > MAX_IDENTIFIER) continue;
        scores.set(name, (scores.get(name) ?? 0) + weight * worth);
      }
    }
  };
  for (const message of messages) {
    if (message.role === "user") take(message.content, 3);
    else if (message.role === "assistant") {
      take(message.content, 1);
      for (const { arguments: args } of message.toolCalls ?? []) take(JSON.stringify(args), 1);
    } else if (message.role === "tool" && FAILED.test(message.content)) take(message.content, 2);
  }
  const sorted = [...scores].sort((one, other) => other[1] - one[1]).map(([name]) => name);
  return sorted.slice(0, MAX_IDENTIFIERS);
}

/** Whether a text names something: letter by letter, and not only as a part of a longer name or number. */
export function isNamed(name: string, text: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? " ";
    const after = text[at + name.length] ?? " ";
    const begins = !isWordChar(name[0] ?? "") || !isWordChar(before);
    const ends = !isWordChar(name.at(-1) ?? "") || !isWordChar(after);
    if (begins && ends) return true;
  }
  return false;
}

function isWordChar(char: string): boolean {
  return /[\p{L}\p{N}_]/u.test(char);
}
