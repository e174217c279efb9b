import type { Segment, SegmentSource } from "./segments.ts";

/** One message of a request as a line of a list; its text comes apart, by its place in the log. */
export interface MessageHead {
  /** From 0. */
  readonly index: number;
  readonly role: string;
  /** Of a tool's result. */
  readonly tool?: string;
  /** Names of the tools that it calls. */
  readonly calls?: readonly string[];
  /** Characters of the content, of thinking that goes with it, and of its calls as JSON; 0 where there is none. */
  readonly length: number;
  readonly thinking: number;
  readonly callsLength: number;
  readonly segments: readonly Segment[];
  /** The content, when that is short; else its beginning. */
  readonly text: string;
}

/** What one source takes of a request. */
export interface SourceShare {
  readonly source: SegmentSource | "offered_tools";
  /** Characters (UTF-16 units). */
  readonly characters: number;
  /** An estimate, made up to what the server counted where it did. */
  readonly tokens: number;
}

/** A tool that went with a request. */
export interface SentTool {
  readonly name: string;
  readonly description: string;
}

/** How a request begins like the one before it, for people. */
export interface PrefixView {
  /** The request that it is compared with. */
  readonly before: { readonly turnId: string; readonly eventId: string; readonly agent: string };
  /** It belongs to an earlier turn. */
  readonly earlierTurn: boolean;
  readonly sameMessages: number;
  readonly messages: number;
  readonly sameCharacters: number;
  readonly characters: number;
  /** An estimate. */
  readonly sameTokens: number;
  /** What else differs that a server renders into the prompt, or that makes it load the model anew. */
  readonly otherwise: readonly ("tools" | "thinking" | "context length")[];
  readonly place?: {
    /** The index of the message, from 0. */
    readonly message: number;
    readonly role: string;
    readonly what: string;
    readonly skipped: number;
    readonly words: readonly WordPiece[];
  };
  /** The server took as long as it takes to read again what it had read before. */
  readonly readAgain?: { readonly promptMs: number; readonly expectedMs: number; readonly loaded: boolean };
}

/** How far the prompts of a turn begin alike: a server that keeps what it has read reads only the rest. Tokens. */
export interface PrefillView {
  /** Requests of the turn. */
  readonly prompts: number;
  /** Tokens of those that another request to the same model came before. */
  readonly tokens: number;
  /** How many of these begin as that one did. */
  readonly shared: number;
  /** Of the latest request; absent where none came before it. */
  readonly latest?: { readonly tokens: number; readonly shared: number };
  /** Agents that asked. */
  readonly speakers: number;
  /** What the first prompts of all speakers cost to read, in those of one; absent where one speaks. */
  readonly times?: number;
}

/** A piece of two texts that were compared word by word. */
export interface WordPiece {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** What one request to a model was. */
export interface RequestView {
  readonly eventId: string;
  /** Messages there are, and characters of all of them. */
  readonly messages: number;
  readonly characters: number;
  readonly shares: readonly SourceShare[];
  /** What it was sent with beside its messages, as names and values. */
  readonly options: readonly (readonly [name: string, value: string])[];
  readonly tools: readonly SentTool[];
  /** How many tools went with it; the list may be shorter. */
  readonly toolCount: number;
  /** The event that holds their schemas. */
  readonly toolsEventId?: string;
  /** The JSON schema that the answer was held to. */
  readonly format?: string;
  readonly raw: { readonly length: number; readonly exact: boolean };
  readonly prefix?: PrefixView;
  /** The call has ended: nothing of this changes any more. */
  readonly ended: boolean;
}

/** How a turn of a conversation is sent to the model: as it was, with its results trimmed, in a summary, or not at all. */
export type TurnStanding = "whole" | "trimmed" | "summed_up" | "left_out";

/** A message of the conversation, and where in the log its text stands. */
export interface ConversationLine extends MessageHead {
  /** The event that holds it. */
  readonly eventId: string;
  readonly eventType: "turn.end" | "model.start";
  readonly turnId: string;
}

/** One turn of a conversation. */
export interface ConversationTurn {
  readonly turnId: string;
  readonly question: string;
  readonly standing: TurnStanding;
  /** Why it is not sent as it was, in a sentence; empty where it is. */
  readonly why: string;
  /** Its messages, as far as they are on this page. */
  readonly lines: readonly ConversationLine[];
  /** How many it has. */
  readonly messages: number;
}

/** A conversation as it stands after one of its turns. */
export interface ConversationView {
  readonly turns: readonly ConversationTurn[];
  /** The system message of the latest request, which stands before all others. */
  readonly system?: ConversationLine;
  /** What stands in the place of the turns that were summed up. */
  readonly summary?: { readonly text: string; readonly model?: string };
  /** Messages that the next question is sent with, those of the system and the question itself left out. */
  readonly messages: number;
  /** The turn that is shown still runs: it stands as far as it got with its latest request. */
  readonly running: boolean;
}
