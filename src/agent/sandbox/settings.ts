import { z } from "zod";

/** Where the partner's words stand in a reply template. */
export const PARTNER_MESSAGE = "{partner_message}";

/** Personas of one talk, and characters (UTF-16 units) of its opening line, its scenario and its template. */
export const MAX_PERSONAS = 12;
const MAX_OPENING = 20_000;
const MAX_SCENARIO = 20_000;
const MAX_TEMPLATE = 4_000;

/** Rounds of a talk. */
export const MAX_SANDBOX_ROUNDS = 100;

/** How personas talk to each other. */
export interface SandboxSettings {
  /** Rounds at most; in each every persona speaks once. */
  readonly rounds: number;
  /** The talk is written to the log and its facts to memory; off: it lives in this window alone. */
  readonly persist: boolean;
  /** Facts on a speaker's card that fit what it answers; 0: none. */
  readonly memories: number;
  /** Facts on a speaker's card that it learnt last; 0: none. */
  readonly recents: number;
  /** Messages that a speaker is given of what went before what it answers. */
  readonly historyWindow: number;
  /** Seconds between two messages. */
  readonly delay: number;
  /** Words of a message; longer ones are cut at the end of a sentence. 0: no limit. */
  readonly wordLimit: number;
  /** What a speaker is asked; `{partner_message}` stands for what was said to it. */
  readonly template: string;
}

/** The defaults of the product. */
export const DEFAULT_SANDBOX: SandboxSettings = {
  rounds: 4,
  persist: true,
  memories: 5,
  recents: 3,
  historyWindow: 4,
  delay: 0,
  wordLimit: 120,
  template: PARTNER_MESSAGE,
};

/** What of the settings a talk may bring itself, and what each may be. */
const ownSettings = z.object({
  rounds: z.int().min(1).max(MAX_SANDBOX_ROUNDS).exactOptional(),
  persist: z.boolean().exactOptional(),
  memories: z.int().min(0).max(50).exactOptional(),
  recents: z.int().min(0).max(50).exactOptional(),
  historyWindow: z.int().min(0).max(100).exactOptional(),
  delay: z.number().min(0).max(3_600).exactOptional(),
  wordLimit: z.int().min(0).max(10_000).exactOptional(),
  template: z.string().max(MAX_TEMPLATE).exactOptional(),
}) satisfies z.ZodType<Partial<SandboxSettings>>;

/** What a talk is begun with, as callers pass it; the names of personas are looked up among the agents. */
export const sandboxRequestSchema = z.object({
  /** Two or more; the order is that in which they speak. */
  personas: z
    .array(
      z.object({
        name: z.string().trim().min(1, "must not be empty").max(200),
        /** Left out: its file's, else the chat model. */
        model: z.string().trim().min(1, "must not be empty").max(200).exactOptional(),
        /** Address of its server; left out: the first one. */
        host: z.string().max(2_000).exactOptional(),
      }),
    )
    .min(2, "a talk needs at least two personas")
    .max(MAX_PERSONAS, `a talk has at most ${MAX_PERSONAS} personas`),
  /** What is said to the first persona. */
  opening: z.string().trim().min(1, "there is no opening line").max(MAX_OPENING),
  /** Where and why they talk. */
  scenario: z.string().trim().max(MAX_SCENARIO).exactOptional(),
  /** What is left out has the product's default. */
  settings: ownSettings.exactOptional(),
  door: z.enum(["chat", "command", "panel", "cli", "notebook", "test"]),
});
