/** What a leaked tag does. */
export type LeakKind =
  /** Thinking begins. */
  | "open"
  /** Thinking ends; alone, it says that all before it was thinking. */
  | "close"
  /** A channel's name follows: thinking or answer begins. */
  | "channel"
  /** Ends a channel; means nothing unless a channel was seen. */
  | "frame";

/** A tag that models leak into their answer. */
export interface LeakTag {
  readonly text: string;
  readonly kind: LeakKind;
}

/** Words that name thinking, as a tag or as a channel. */
const THINKING_NAMES = ["think", "thinking", "thought", "thoughts", "reasoning", "antthinking", "seed:think"];

/** Square brackets are in capitals only: `[think](...)` is a link. All others count in any case. */
const TAGS: readonly LeakTag[] = [
  ...THINKING_NAMES.flatMap((name): LeakTag[] => [
    { text: `<${name}>`, kind: "open" },
    { text: `</${name}>`, kind: "close" },
  ]),
  ...["<|think|>", "<|thinking|>", "<|begin_of_thought|>", "[THINK]", "◁think▷"].map((text): LeakTag => ({
    text,
    kind: "open",
  })),
  ...[
    "<|/think|>",
    "</|think|>",
    "<|/thinking|>",
    "<|end_think|>",
    "<|end_of_thought|>",
    "[/THINK]",
    "◁/think▷",
    "<channel|>",
  ].map((text): LeakTag => ({ text, kind: "close" })),
  { text: "<|channel|>", kind: "channel" },
  { text: "<|channel>", kind: "channel" },
  { text: "<|start|>assistant<|channel|>", kind: "channel" },
  { text: "<|start|>assistant", kind: "frame" },
  { text: "<|end|>", kind: "frame" },
  { text: "<|return|>", kind: "frame" },
];

const LONGEST = Math.max(...TAGS.map((tag) => tag.text.length));

/**
 * The longest tag at a place of a text; `partial` when the text may go on and that would tell; nothing when there is
 * none.
 */
export function tagAt(text: string, at: number, isAll: boolean): LeakTag | "partial" | undefined {
  const exact = text.slice(at, at + LONGEST);
  const lower = exact.toLowerCase();
  const reachesEnd = !isAll && at + exact.length >= text.length;
  let longest: LeakTag | undefined;
  for (const tag of TAGS) {
    const length = tag.text.length;
    if (length <= exact.length) {
      const isHere = lower.startsWith(tag.text) || exact.startsWith(tag.text);
      if (isHere && length > (longest?.text.length ?? 0)) longest = tag;
    } else if (reachesEnd && (tag.text.startsWith(lower) || tag.text.startsWith(exact))) return "partial";
  }
  return longest;
}

/** How long the part between a channel tag and its text may be. */
const MAX_HEADER = 120;

/** What follows a channel tag: where its text goes, and how many characters the header takes. */
export interface ChannelHeader {
  readonly target: "thinking" | "content" | "call";
  readonly length: number;
}

/**
 * Reads what stands after a channel tag: a name, perhaps a recipient, then `<|message|>` or the end of the line.
 * `partial` when more text is needed; nothing when it is no header.
 */
export function channelHeader(text: string, isAll: boolean): ChannelHeader | "partial" | undefined {
  const match = /^[ \t]*([a-z_]+)([^\n]*?)(?:<\|message\|>|\r?\n)/i.exec(text.slice(0, MAX_HEADER));
  if (match === null) return isAll || text.length >= MAX_HEADER ? undefined : "partial";
  const [whole, name = "", rest = ""] = match;
  if (/\bto=/.test(rest)) return { target: "call", length: whole.length };
  const thinks = name.toLowerCase() === "analysis" || THINKING_NAMES.includes(name.toLowerCase());
  return { target: thinks ? "thinking" : "content", length: whole.length };
}
