import { z } from "zod";
import { fields, flag, line, list, patterns, prose, whole } from "./parts.ts";

/*
 * What a scripted server replies, in place of a model. Of the rules with a `when`, the first that fits a request
 * replies; else the rules without one reply in their order, each once.
 */

const WHEN = fields(
  {
    /** Found in the last message. */
    last: patterns.optional(),
    /** Found in the latest message of the user. */
    question: patterns.optional(),
    /** Found anywhere in what the model is given. */
    prompt: patterns.optional(),
    /** None of these is found anywhere in it. */
    not_prompt: patterns.optional(),
    /** The last message is the result of this tool. */
    after: line(200).optional(),
    /** These tools are offered. */
    offers: list(line(200), 100).optional(),
    /** None of these tools is offered. */
    not_offers: list(line(200), 100).optional(),
    /** An answer in a form is asked for: `true`, `false`, or what that form's schema holds. */
    schema: patterns.optional(),
    model: line(300).optional(),
    /** The request's seed. */
    seed: whole(0, 2_147_483_647).optional(),
    temperature: line(20).optional(),
  },
  "what the request must be like",
);

const CALL = z.preprocess(
  (value) => (typeof value === "string" ? { tool: value } : value),
  fields(
    { tool: line(200), arguments: z.record(z.string(), z.json(), "must be fields").default({}) },
    "a tool's name, or `tool` and `arguments`",
  ),
);

const RULE = z.preprocess(
  (value) => (typeof value === "string" ? { say: value } : value),
  fields(
    {
      when: WHEN.optional(),
      /** Requests that it replies to; left out: one without `when`, any number with it. */
      times: whole(1, 10_000).optional(),
      think: prose(100_000).optional(),
      say: prose(100_000).optional(),
      call: list(CALL, 20, "a list of calls").optional(),
      /** Said as JSON. */
      json: z.json().optional(),
      /** The server fails with this; with what came before, in mid-stream. */
      error: prose(2_000).optional(),
      status: whole(400, 599).default(500),
      /** The answer stops at the limit of its length. */
      cut: flag.optional(),
      /** After what it says, nothing more comes until the client gives up. */
      hang: flag.optional(),
      /** What the server says it counted. */
      input_tokens: whole(0, 100_000_000).optional(),
      output_tokens: whole(0, 100_000_000).optional(),
    },
    "what is replied: `say`, `think`, `call`, `json` or `error`",
  ),
);

/** The rules of a scripted server, in their order. */
export const SCRIPT = list(RULE, 500, "a list of replies");

/** A rule of a scripted server. */
export type ScriptRule = z.output<typeof RULE>;
/** What a request must be like. */
export type ScriptWhen = z.output<typeof WHEN>;
/** A call that a reply makes. */
export type ScriptCall = z.output<typeof CALL>;
