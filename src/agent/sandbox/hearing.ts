import type { PastTurn } from "../sessions/history-port.ts";
import type { ChatMessage } from "../models/types.ts";
import { filled } from "./words.ts";
import type { SandboxLine } from "./types.ts";

/** What one persona goes by when it speaks. */
export interface Hearing {
  /** What was said to it since it spoke itself. */
  readonly heard: string;
  /** The same as it is asked: in the template, behind what else it must know. */
  readonly asked: string;
  /** What went before, as its own conversation: what others said is said to it. */
  readonly turns: readonly PastTurn[];
}

/** How a persona hears. */
export interface HearingOptions {
  readonly name: string;
  /** How many take part: among more than two it is said who spoke. */
  readonly speakers: number;
  readonly historyWindow: number;
  readonly template: string;
}

/** How the opening line is told to whom the window no longer shows it. */
const BEGAN = "The talk began with:";

/**
 * What a persona hears of what was said, the opening line first. Roles take turns, user first, whatever the window cuts
 * off: that is what chat templates want.
 */
export function hearingOf(said: readonly SandboxLine[], options: HearingOptions): Hearing {
  const { name, historyWindow, template } = options;
  const next = said.findLastIndex(({ speaker, role }) => speaker === name && role === "assistant") + 1;
  const since = said.slice(next);
  // Who speaks late in the first round answers those before it, not the line that they answered.
  const replies = since.filter(({ role }) => role === "assistant");
  const heardLines = replies.length > 0 ? replies : since;
  const end = said.length - heardLines.length;
  const before = said.slice(Math.max(0, end - historyWindow), end);
  const heard = told(heardLines, options);
  const [opening] = said;
  const shown = before.some(({ round }) => round === 0);
  const isAnswered = heardLines.some(({ round }) => round === 0);
  const pinned =
    opening === undefined || shown || isAnswered || historyWindow === 0
      ? []
      : [`${BEGAN}\n${opening.content}`];
  const { messages, open } = conversationOf(before, pinned, options);
  return { heard, asked: [...open, filled(template, heard)].join("\n\n"), turns: turnsOf(messages) };
}

function told(lines: readonly SandboxLine[], { speakers }: HearingOptions): string {
  return lines.map((line) => labelled(line, speakers)).join("\n\n");
}

function labelled({ speaker, role, content }: SandboxLine, speakers: number): string {
  return speakers > 2 && role === "assistant" ? `${speaker}: ${content}` : content;
}

/** What others said in a row is one message; what was last said to it and not answered is left open. */
function conversationOf(
  lines: readonly SandboxLine[],
  pinned: readonly string[],
  { name, speakers }: HearingOptions,
): { readonly messages: readonly ChatMessage[]; readonly open: readonly string[] } {
  const messages: ChatMessage[] = [];
  let open = [...pinned];
  for (const line of lines) {
    if (line.speaker !== name || line.role !== "assistant") {
      open.push(line.round === 0 ? `${BEGAN}\n${line.content}` : labelled(line, speakers));
      continue;
    }
    messages.push({ role: "user", content: open.join("\n\n") }, { role: "assistant", content: line.content });
    open = [];
  }
  return { messages, open };
}

function turnsOf(messages: readonly ChatMessage[]): readonly PastTurn[] {
  const turns: PastTurn[] = [];
  for (let at = 0; at < messages.length; at += 2) {
    turns.push({
      turnId: `exchange-${at / 2}`,
      parentTurnId: at === 0 ? null : `exchange-${at / 2 - 1}`,
      messages: messages.slice(at, at + 2),
    });
  }
  return turns;
}
