import {
  AGREEMENT_TASK,
  FIRST_RULE,
  HEARING_RULE,
  LATER_RULE,
  POSITIONS_HEAD,
  roundHead,
  SYNTHESIS_RULE,
} from "../../../src/agent/committee/words.ts";
import { isObject } from "./json.ts";
import type { ChatBody, WireMessage } from "./types.ts";

/** A call that the demo model wants to make. */
export interface DemoCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What the demo model does next: think, then call a tool or answer. */
export interface DemoPlan {
  readonly thought: string;
  readonly call?: DemoCall;
  readonly answer: string;
}

/** A call that was made in this turn, with what came of it. */
export interface MadeCall {
  readonly name: string;
  readonly result: string;
}

/** Where the turn stands. */
export interface DemoState {
  readonly question: string;
  /** Who speaks in a committee; left out: a single agent answers. */
  readonly speaker?: string;
  /** What the committee said is to be summed up. */
  readonly sumsUp?: true;
  /** What the user wanted kept earlier in this conversation: memory does not say it again. */
  readonly told: readonly string[];
  readonly made: readonly MadeCall[];
  readonly offered: readonly string[];
}

const LABEL =
  "\n\n*This answer comes from the demo model: a script, not a language model. Choose a real one with " +
  "**Conclave: Select Model**.*";
const EXAMPLE_PAGE = "https://example.com/";
const QUOTE_LIMIT = 600;

/** Reads out of a request what was asked, what was called since, and which tools are offered. */
export function readState(body: ChatBody): DemoState {
  const at = questionIndex(body.messages);
  const asked = body.messages[at]?.content ?? "";
  const committee = behindQuestion(asked);
  const question =
    asked
      .slice(0, asked.length - committee.length)
      .trim()
      .split(/\n{2,}/)
      .at(-1) ?? "";
  const speaker = /^Your part in this is (?<name>.+):$/m.exec(committee)?.groups?.["name"];
  return {
    question,
    ...(speaker !== undefined && { speaker }),
    ...(committee.includes(SYNTHESIS_RULE) && { sumsUp: true }),
    told: body.messages.slice(0, at).flatMap((message) => toldIn(message)),
    made: madeCalls(body.messages.slice(at + 1)),
    offered: offeredTools(body),
  };
}

/** How the parts begin that stand behind the question in a committee. */
const BEHIND = [
  FIRST_RULE,
  LATER_RULE,
  HEARING_RULE,
  SYNTHESIS_RULE,
  AGREEMENT_TASK,
  POSITIONS_HEAD,
  roundHead(1),
];

/** What a committee puts behind the question; empty for a single agent. */
function behindQuestion(asked: string): string {
  const starts = BEHIND.map((text) => asked.indexOf(`\n\n${text.split("\n", 1)[0] ?? text}`));
  const found = starts.filter((start) => start >= 0);
  return found.length === 0 ? "" : asked.slice(Math.min(...found));
}

/** The user's own message: not a result in the guise of one, and no note that follows results. */
function questionIndex(messages: readonly WireMessage[]): number {
  return messages.findLastIndex((message, index) => {
    if (message.role !== "user" || resultOf(message) !== undefined) return false;
    const before = messages[index - 1];
    return (
      before === undefined || !(before.role === "tool" || isCalling(before) || resultOf(before) !== undefined)
    );
  });
}

function isCalling(message: WireMessage): boolean {
  if (message.role !== "assistant") return false;
  return (message.tool_calls ?? []).length > 0 || calledInText(message.content) !== undefined;
}

/** The name of the tool that a text calls: as JSON of a constrained answer, or in the form of ReAct. */
function calledInText(content: string): string | undefined {
  const action = /^Action:\s*(\S+)/m.exec(content)?.[1];
  if (action !== undefined) return action;
  try {
    const value: unknown = JSON.parse(content);
    const name = isObject(value) ? (value["tool"] ?? value["name"] ?? value["action"]) : undefined;
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}

/** A result that had to travel as a user's message. */
function resultOf(message: WireMessage): string | undefined {
  if (message.role !== "user") return undefined;
  return /^(?:\[Result of [^\]]*\]\n|Observation:\s*|Result of [^:]*:\s*)(?<result>[^]*)$/.exec(
    message.content,
  )?.groups?.["result"];
}

function madeCalls(messages: readonly WireMessage[]): readonly MadeCall[] {
  const names: string[] = [];
  const made: MadeCall[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      names.push(...(message.tool_calls ?? []).map((one) => one.function.name));
      const named = calledInText(message.content);
      if (named !== undefined) names.push(named);
    } else if (message.role !== "system") {
      const name = names[made.length];
      const result = resultOf(message) ?? message.content;
      if (name !== undefined) made.push({ name: message.tool_name ?? name, result });
    }
  }
  return made;
}

const DEMO_TOOLS = ["search_memory", "web_fetch", "web_search", "save_memory"];

/** Tools come natively, as alternatives of a schema, or named in the prompt of ReAct. */
function offeredTools(body: ChatBody): readonly string[] {
  if (body.tools.length > 0) return body.tools.map((tool) => tool.function.name);
  if (body.format !== undefined) {
    const schema = JSON.stringify(body.format);
    return DEMO_TOOLS.filter((name) => schema.includes(`"${name}"`));
  }
  const prompt = body.messages.map((message) => message.content).join("\n");
  return prompt.includes("Action Input:") ? DEMO_TOOLS.filter((name) => prompt.includes(name)) : [];
}

/** Decides what comes next in the turn. */
export function planNext(state: DemoState): DemoPlan {
  const call = nextCall(state);
  if (call !== undefined) return { thought: thoughtBefore(call, state), call, answer: "" };
  return {
    thought: state.made.length === 0 ? "This needs no tool. I answer at once." : "That is enough to answer.",
    answer: `${answerText(state)}${LABEL}`,
  };
}

function nextCall({ question, made, offered }: DemoState): DemoCall | undefined {
  const open = (name: string) => offered.includes(name) && !made.some((one) => one.name === name);
  const noted = /^\s*(?:please\s+)?(?:remember|note)\b[:,]?\s*(?:that\s+)?(?<text>[^]+)/i.exec(
    question,
  )?.groups;
  if (noted?.["text"] !== undefined) {
    return open("save_memory")
      ? { name: "save_memory", arguments: { text: noted["text"].trim() } }
      : undefined;
  }
  if (isAboutThePast(question) && open("search_memory")) {
    return { name: "search_memory", arguments: { query: keywords(question) } };
  }
  const address = findAddress(question) ?? made.map((one) => findAddress(one.result)).find(Boolean);
  if (open("web_fetch") && (address !== undefined || isAboutThePast(question))) {
    return { name: "web_fetch", arguments: { url: address ?? EXAMPLE_PAGE } };
  }
  const searched = /^\s*(?:search|look up|google)\b\s*(?:the web\s*)?(?:for\s+)?(?<query>.+)/i.exec(
    question,
  )?.groups;
  return searched?.["query"] !== undefined && open("web_search")
    ? { name: "web_search", arguments: { query: searched["query"] } }
    : undefined;
}

function thoughtBefore(call: DemoCall, { question, made }: DemoState): string {
  switch (call.name) {
    case "search_memory":
      return `The user asks "${question}". That is about something from before, so I look into memory first.`;
    case "web_fetch":
      return `${made.length > 0 ? "Memory has answered. " : ""}Now I read the page to check it against its source.`;
    case "save_memory":
      return "The user wants this kept. I save it as a note of its own.";
    default:
      return "I do not know this, so I look it up.";
  }
}

/** What a member of a committee says. */
function speech(speaker: string, question: string, parts: readonly string[]): string {
  const said =
    parts.length > 0 ? parts.join("\n\n") : `A real model would now answer "${question}" as ${speaker} does.`;
  return `Position: a script speaks for ${speaker}.\n\n${said}`;
}

function summary(question: string): string {
  return [
    `You asked the committee: "${question}".`,
    "",
    "Each member has spoken, and here a model would weigh what they said. The trace panel shows the rounds side by side: who said what, what it cost, and whether they agreed.",
  ].join("\n");
}

function answerText({ question, told, made, speaker, sumsUp }: DemoState): string {
  const memory = made.find((one) => one.name === "search_memory");
  const page = made.find((one) => one.name === "web_fetch");
  const saved = made.find((one) => one.name === "save_memory");
  const search = made.find((one) => one.name === "web_search");
  if (saved) return "Noted. Ask me about it later, in this conversation or in another.";
  const parts = [
    ...(memory ? [memoryAnswer(memory.result, question, told)] : []),
    ...(page ? [`I also read a page:\n\n${quote(page.result)}`] : []),
    ...(search ? [`The web search brought:\n\n${quote(search.result)}`] : []),
  ];
  if (sumsUp) return summary(question);
  if (speaker !== undefined) return speech(speaker, question, parts);
  if (parts.length > 0) return parts.join("\n\n");
  return [
    `You asked: "${question}".`,
    "",
    "I can show how Conclave works:",
    "- say `remember that the cache lives for 24 hours`, then ask `what did we decide about the cache?`",
    "- open the trace panel to see each step of a turn: thinking, calls, results and times",
  ].join("\n");
}

function memoryAnswer(result: string, question: string, here: readonly string[]): string {
  const told = [...new Set([...here, ...toldBefore(unwrapped(result))])];
  // An earlier answer of this script tells nothing but what it was told itself.
  const isEmpty = told.length === 0 && result.includes("comes from the demo model");
  if (isEmpty || (told.length === 0 && /^no (?:relevant )?memor/i.test(result.trim()))) {
    return (
      `Memory holds nothing about "${keywords(question)}" yet. ` +
      "Tell me, for example: `remember that we decided to keep the cache for 24 hours`, and ask again."
    );
  }
  if (told.length > 0) return `You told me:\n\n${told.map((one) => `- ${one}`).join("\n")}`;
  return `This is what memory holds about it:\n\n${quote(result)}`;
}

const NOTE = /^\[(?<day>\d{4}-\d\d-\d\d)\] \[\w+\] Noted \(note\): (?<text>.+)$/;
const TOLD =
  /^\[(?<day>\d{4}-\d\d-\d\d)\] \[\w+\] Asked: (?:please )?remember (?:that )?(?<text>.+?)\.? Answered: Noted\b/i;
const FACT = /^IS (?<text>.+) \(current[^()]*\)$/;

/** What a message of the user's wants kept. */
function toldIn({ role, content }: WireMessage): readonly string[] {
  const text = /^(?:please )?remember (?:that )?(?<text>.+?)\.?$/i.exec(content.trim())?.groups?.["text"];
  return role === "user" && text !== undefined ? [text] : [];
}

/** What the user had kept, each thing once and with its day where that is told. */
function toldBefore(result: string): readonly string[] {
  const told = new Map<string, string>();
  for (const line of result.split("\n")) {
    const { text, day } = (NOTE.exec(line) ?? TOLD.exec(line) ?? FACT.exec(line))?.groups ?? {};
    if (text === undefined || told.has(text)) continue;
    told.set(text, day === undefined ? text : `${text} *(${day})*`);
  }
  return [...told.values()];
}

/** Without the tags that mark what comes from outside. */
function unwrapped(result: string): string {
  return result.replaceAll(/<\/?untrusted_content[^>]*>\s?/g, "");
}

function quote(wrapped: string): string {
  const result = unwrapped(wrapped);
  const cut = result.length > QUOTE_LIMIT ? `${result.slice(0, QUOTE_LIMIT).toWellFormed()} ...` : result;
  return cut
    .trim()
    .split(/\n+/)
    .map((line) => `> ${line}`)
    .join("\n>\n");
}

function isAboutThePast(question: string): boolean {
  return /\b(?:did|have|had) (?:we|i|you)\b|\bdecid|\bremember\b|\blast (?:time|week|month)\b|\bearlier\b|\brecall\b/i.test(
    question,
  );
}

const SMALL_WORDS = new Set(
  "what which when where who why how did do does have has had we i you our my the a an about of for to in on was were is are that this decide decided it".split(
    " ",
  ),
);

/** The words of a question that a search can use. */
function keywords(question: string): string {
  const words = question.match(/[\p{L}\p{N}_-]+/gu) ?? [];
  const kept = words.filter((word) => !SMALL_WORDS.has(word.toLowerCase()));
  return (kept.length > 0 ? kept : words).join(" ") || "decisions";
}

function findAddress(text: string): string | undefined {
  return /https?:\/\/[^\s<>"')\]]+/.exec(text)?.[0].replace(/[.,;:!?]+$/, "");
}
