import { z } from "zod";
import { AGREEMENT_MODES, MAX_ROUNDS, STRATEGIES } from "../../../agent/committee/settings.ts";
import { FEATURES } from "../../../trace/eval/report.ts";
import { fields, flag, line, list, number, pattern, patterns, prose, whole, word } from "./parts.ts";
import { SCRIPT } from "./script.ts";

/*
 * A case as its YAML file says it. What a field means stands in `docs/evaluation.md`; completion comes from
 * `json-schema.ts`, which a test holds together with this.
 */

const name = line(200);
const text = prose(20_000);

/** A value of any kind, as the file has it. */
const any = z.json();

/** A call that is expected: a tool's name, or that and what its arguments must hold. */
const expectedCall = z.preprocess(
  (value) => (typeof value === "string" ? { tool: value } : value),
  fields(
    {
      tool: name,
      /** By the name of the argument: what its value must hold. */
      arguments: z
        .record(name, pattern, "must be fields: an argument's name and what it must hold")
        .optional(),
      /** What its result must hold. */
      result: patterns.optional(),
      /** The call must have failed, or must not; left out: either. */
      fails: flag.optional(),
    },
    "a tool's name, or `tool` and `arguments`",
  ),
);

const calls = list(expectedCall, 50, "a list of tools");

/** `none`; a list of calls; or calls with what else may be. */
const expectedTools = z.preprocess(
  (value) => {
    if (value === "none") return { calls: [], others: "false" };
    return Array.isArray(value) || typeof value === "string"
      ? { calls: Array.isArray(value) ? value : [value] }
      : value;
  },
  fields(
    {
      calls: calls.default([]),
      /** In the order given (others may stand between), or in any. */
      order: word(["given", "any"]).default("given"),
      /** Whether calls beside these are right too. */
      others: flag.default(false),
      at_least: whole(0, 100).optional(),
      at_most: whole(0, 100).optional(),
    },
    "`none`, a list of tools, or `calls` with `order` and `others`",
  ),
);

/** What is said of a text: `contains` and `not_contains`; a bare text or list is what it must contain. */
const expectedText = z.preprocess(
  (value) => (typeof value === "string" || Array.isArray(value) ? { contains: value } : value),
  fields(
    { contains: patterns.optional(), not_contains: patterns.optional() },
    "texts that it must contain, or `contains` and `not_contains`",
  ),
);

const expectedThinking = z.preprocess(
  (value) => (typeof value === "string" && /^(?:true|false)$/u.test(value) ? { present: value } : value),
  fields(
    { present: flag.optional(), contains: patterns.optional(), not_contains: patterns.optional() },
    "`true`, `false`, or `contains` and `not_contains`",
  ),
);

const range = z.preprocess(
  (value) => (value === "any" ? {} : value),
  fields({ from: number(1, 5).default(1), to: number(1, 5).default(5) }, "`any`, or `from` and `to`"),
);

/** An episode that must be in memory when all is over. */
const expectedEpisode = fields(
  {
    question: patterns.optional(),
    answer: patterns.optional(),
    agent: name.optional(),
    respondent: word(["A", "B"]).optional(),
    /** The critic's grade. */
    score: range.optional(),
    verdict: word(["winner", "loser", "tie", "any"]).optional(),
    reward: word(["positive", "negative", "any"]).optional(),
    feedback: word(["up", "down"]).optional(),
  },
  "what an episode of memory must be like",
);

/** What is expected of a turn. */
const EXPECT = fields(
  {
    outcome: word(["answered", "failed", "cancelled"]).default("answered"),
    answer: expectedText.optional(),
    /** What the model thought, apart from its answer. */
    thinking: expectedThinking.optional(),
    tools: expectedTools.optional(),
    /** Types of events that must come in this order, others between; `tool.request web_search` names a tool or an agent too. */
    events: list(line(200), 100, "a list of kinds of events").optional(),
    /** Types of events that must not come. */
    no_events: list(line(200), 100, "a list of kinds of events").optional(),
    /** What stood in what the models were given. */
    prompt: expectedText.optional(),
    grade: range.optional(),
    /** Of the comparison: who must have won, or `any`. */
    pairwise: word(["A", "B", "tie", "any"]).optional(),
    /** The failure's sentence. */
    error: expectedText.optional(),
  },
  "what is expected of the turn",
);

/** What the user does once the turn is over. */
const AFTER = fields(
  {
    feedback: word(["up", "down"]).optional(),
    note: text.optional(),
    /** Has the critic grade it. */
    grade: flag.optional(),
    /** Has respondent B answer too, and both compared. */
    compare: flag.optional(),
  },
  "`feedback`, `note`, `grade` or `compare`",
);

const TURN = fields(
  {
    ask: text,
    /** `new`, or the name of a session; left out: the same one as before. */
    session: name.optional(),
    /** Times it is asked; `{{n}}` in it is the number, from 1. What is expected is expected of each. */
    times: whole(1, 200).default(1),
    private: flag.optional(),
    agent: name.optional(),
    /** The turn is cancelled as soon as this event was seen. */
    cancel_after: line(200).optional(),
    expect: EXPECT.optional(),
    reference: text.optional(),
    then: AFTER.optional(),
  },
  "a turn: `ask`, and what is expected",
);

const MEMORY = fields(
  {
    turns: list(
      fields(
        {
          question: text,
          answer: text,
          agent: name.optional(),
          session: name.optional(),
          /** Days before now. */
          days_ago: number(0, 36_500).default(1),
          score: number(1, 5).optional(),
          reward: number(-1, 1).optional(),
          verdict: word(["winner", "loser", "tie"]).optional(),
        },
        "a remembered turn: `question` and `answer`",
      ),
      1_000,
    ).default([]),
    facts: list(
      z.preprocess(
        (value) => (typeof value === "string" ? { text: value } : value),
        fields(
          {
            text: line(1_000),
            subject: name.default("user"),
            kind: word(["preference", "event", "fact", "relationship"]).default("fact"),
            /** `user`, or the agent that it belongs to. */
            owner: name.default("user"),
            days_ago: number(0, 36_500).default(1),
          },
          "a sentence, or `text`, `subject` and `kind`",
        ),
      ),
      1_000,
    ).default([]),
    relations: list(
      fields(
        {
          from: name,
          to: name,
          type: line(100),
          text: line(1_000).optional(),
          owner: name.default("user"),
          days_ago: number(0, 36_500).default(1),
        },
        "a relation: `from`, `type`, `to`",
      ),
      1_000,
    ).default([]),
  },
  "`turns`, `facts` and `relations`",
);

const PAGE = z.preprocess(
  (value) => (typeof value === "string" ? { html: value } : value),
  fields(
    {
      html: prose(500_000).optional(),
      text: prose(500_000).optional(),
      /** A file beside the case. */
      file: line(300).optional(),
      type: line(100).optional(),
      status: whole(100, 599).default(200),
      /** The server takes so long, in milliseconds. */
      delay: whole(0, 60_000).default(0),
    },
    "HTML, or `text`, `html` or `file`",
  ),
);

const SEARCH = fields(
  {
    /** What the query must hold; left out: any query. */
    query: patterns.optional(),
    results: list(
      fields(
        { title: line(300), url: line(2_000), snippet: prose(4_000).default(" ") },
        "a result: `title`, `url`, `snippet`",
      ),
      50,
    ).default([]),
    status: whole(100, 599).default(200),
  },
  "`query` and `results`",
);

const COMMITTEE = z.preprocess(
  (value) => (typeof value === "string" ? (value === "true" ? {} : { strategy: value }) : value),
  fields(
    {
      strategy: word(STRATEGIES).optional(),
      personas: list(name, 20).optional(),
      rounds: whole(1, MAX_ROUNDS).optional(),
      synthesizer: name.optional(),
      steps: whole(1, 50).optional(),
      samples: whole(2, 25).optional(),
      agreement: word(AGREEMENT_MODES).optional(),
      models: z.record(name, name).optional(),
    },
    "`true`, a strategy, or a committee's settings",
  ),
);

/** A case's fields. `question` with `expect` is short for a dialogue of one turn. */
export const CASE = fields(
  {
    name: line(200),
    description: prose(4_000).optional(),
    tags: list(line(60), 20, "a list of words").default([]),
    question: text.optional(),
    expect: EXPECT.optional(),
    reference: text.optional(),
    then: AFTER.optional(),
    dialogue: list(TURN, 100, "a list of turns").optional(),
    memory: MEMORY.optional(),
    pages: z.record(line(500), PAGE, "must be paths, each with a page").optional(),
    search: list(SEARCH, 50).optional(),
    /** Tools that are on; left out: all, the web ones where there are pages or search results. */
    tools: list(name, 100, "a list of tools; [] for none").optional(),
    agent: name.optional(),
    /** Agents: files beside the case, or the fields of such files. */
    agents: list(
      z.union([line(300), z.record(line(200), any)], "must be an agent's file, or its fields"),
      50,
      "a list of agents",
    ).optional(),
    committee: COMMITTEE.optional(),
    /** The product's settings by their full names. */
    settings: z.record(name, any, "must be settings, by their names").optional(),
    budgets: fields(
      {
        steps: whole(1, 1_000).optional(),
        tokens: whole(1, 100_000_000).optional(),
        seconds: number(0.01, 86_400).optional(),
      },
      "`steps`, `tokens` or `seconds`",
    ).optional(),
    /** What memory must hold in the end. */
    episodes: list(expectedEpisode, 100).optional(),
    script: SCRIPT.optional(),
    /** Configurations in which the case makes sense; left out: any. */
    configurations: list(name, 20).optional(),
    /** Features whose use is measured in the bare run too. */
    compare: list(word(FEATURES), FEATURES.length).default([]),
  },
  "fields: a name, a colon, a value",
);

/** What is expected of a turn. */
export type Expect = z.output<typeof EXPECT>;
/** A call that is expected. */
export type ExpectedCall = z.output<typeof expectedCall>;
/** What is expected of a text. */
export type ExpectedText = z.output<typeof expectedText>;
/** An episode that is expected in memory. */
export type ExpectedEpisode = z.output<typeof expectedEpisode>;
/** One turn of a case. */
export type CaseTurn = z.output<typeof TURN>;
/** What memory holds at the start. */
export type CaseMemory = z.output<typeof MEMORY>;
/** A page that is served. */
export type CasePage = z.output<typeof PAGE>;
/** What a search gives. */
export type CaseSearch = z.output<typeof SEARCH>;
/** A case's fields as they were read. */
export type CaseFields = z.output<typeof CASE>;
