import { AGREEMENT_MODES, MAX_ROUNDS, STRATEGIES } from "../../../agent/committee/settings.ts";
import type { Json, JsonObject } from "../../../agent/models/types.ts";
import { EVENT_TYPES } from "../../../trace/event-schema.ts";
import { FEATURES } from "../../../trace/eval/report.ts";
import { CASE_SETTINGS } from "../../settings/case-settings.ts";

/*
 * The JSON schema of case files, for completion and hover in editors; `media/eval-case.schema.json` holds it. It takes
 * what `schema.ts` takes, which a test holds together field by field.
 */

type Fields = Readonly<Record<string, JsonObject>>;

const text: JsonObject = { type: "string", minLength: 1 };
const truth: JsonObject = { type: "boolean" };
const number: JsonObject = { type: "number" };
const count: JsonObject = { type: "integer", minimum: 0 };

const about = (description: string, schema: JsonObject): JsonObject => ({ description, ...schema });
const one = (...values: readonly string[]): JsonObject => ({ enum: [...values] });
const object = (properties: Fields, ...required: readonly string[]): JsonObject => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...(required.length > 0 && { required: [...required] }),
});
const listOf = (items: JsonObject): JsonObject => ({ anyOf: [items, { type: "array", items }] });
const either = (...anyOf: readonly JsonObject[]): JsonObject => ({ anyOf: [...anyOf] as Json[] });
const map = (values: JsonObject): JsonObject => ({ type: "object", additionalProperties: values });

const PATTERN = about("Words, whatever their case, or a regular expression between slashes: /.../i", text);
const PATTERNS = listOf(either(PATTERN, number));
const TEXT = either(PATTERNS, object({ contains: PATTERNS, not_contains: PATTERNS }));
const EVENT = about("A kind of event; a tool's or an agent's name may follow.", {
  anyOf: [{ enum: [...EVENT_TYPES] }, { type: "string", pattern: String.raw`^[a-z_.]+\s+\S` }],
});

const CALL = either(
  text,
  object(
    {
      tool: text,
      arguments: about("What arguments must hold, by their names.", map(either(PATTERN, number, truth))),
      result: about("What the call's result must hold.", PATTERNS),
      fails: about("The call must fail, or must not.", truth),
    },
    "tool",
  ),
);
const CALLS: JsonObject = { type: "array", items: CALL };
const TOOLS = either(
  about("No tool may be called.", { const: "none" }),
  CALLS,
  text,
  object({
    calls: CALLS,
    order: about("given: in this order, others between. any: in any order.", one("given", "any")),
    others: about("Calls beside these are right too.", truth),
    at_least: count,
    at_most: count,
  }),
);
const RANGE = either({ const: "any" }, object({ from: number, to: number }));

const EXPECT = object({
  outcome: about("How the turn ends; answered when left out.", one("answered", "failed", "cancelled")),
  answer: about("What the answer must hold, and what not.", TEXT),
  thinking: about(
    "Whether the model thinks, apart from its answer, or what that holds.",
    either(truth, object({ present: truth, contains: PATTERNS, not_contains: PATTERNS })),
  ),
  tools: about("The calls that are right: none, a list, or more exactly.", TOOLS),
  events: about("Events that must come in this order, others between.", listOf(EVENT)),
  no_events: about("Events that must not come.", listOf(EVENT)),
  prompt: about("What must stand in what the models are given, and what not.", TEXT),
  grade: about("The critic's grade, which is waited for.", RANGE),
  pairwise: about("Who must win a comparison.", one("A", "B", "tie", "any")),
  error: about("What the failure's sentence must hold.", TEXT),
});
const AFTER = object({
  feedback: one("up", "down"),
  note: text,
  grade: about("Has the critic grade the answer.", truth),
  compare: about("Has another respondent answer, and both compared.", truth),
});
const TURN = object(
  {
    ask: text,
    session: about("new, or a session's name; left out: as before.", text),
    times: about("It is asked so often; {{n}} in it is the number.", count),
    private: truth,
    agent: text,
    cancel_after: about("The turn is cancelled once this event has come.", EVENT),
    expect: EXPECT,
    reference: text,
    then: about("What the user does after the answer.", AFTER),
  },
  "ask",
);

const MEMORY = object({
  turns: listOf(
    object(
      {
        ...{ question: text, answer: text, agent: text, session: text, days_ago: number, score: number },
        ...{ reward: number, verdict: one("winner", "loser", "tie") },
      },
      "question",
      "answer",
    ),
  ),
  facts: listOf(
    either(
      text,
      object(
        {
          ...{ text, subject: text, kind: one("preference", "event", "fact", "relationship") },
          ...{ owner: about("user, or an agent's name.", text), days_ago: number },
        },
        "text",
      ),
    ),
  ),
  relations: listOf(
    object({ from: text, to: text, type: text, text, owner: text, days_ago: number }, "from", "to", "type"),
  ),
});
const PAGE = either(
  text,
  object({
    html: text,
    text,
    file: about("A file beside the case.", text),
    type: about("Its content type.", text),
    status: count,
    delay: about("The server takes so long, in milliseconds.", count),
  }),
);
const SEARCH = object({
  query: about("What the query must hold; left out: any.", PATTERNS),
  results: listOf(object({ title: text, url: text, snippet: text }, "title", "url")),
  status: about("What the engine answers with; 200 when left out.", count),
});
const COMMITTEE = either(
  one("true", ...STRATEGIES),
  truth,
  object({
    strategy: one(...STRATEGIES),
    personas: listOf(text),
    rounds: { type: "integer", minimum: 1, maximum: MAX_ROUNDS },
    synthesizer: text,
    steps: count,
    samples: count,
    agreement: one(...AGREEMENT_MODES),
    models: map(text),
  }),
);
const EPISODE = object({
  ...{ question: PATTERNS, answer: PATTERNS, agent: text, respondent: one("A", "B"), score: RANGE },
  ...{ verdict: one("winner", "loser", "tie", "any"), reward: one("positive", "negative", "any") },
  feedback: one("up", "down"),
});
const WHEN = object({
  last: about("Found in the last message.", PATTERNS),
  question: about("Found in the user's latest message.", PATTERNS),
  prompt: about("Found anywhere in the request.", PATTERNS),
  not_prompt: about("Found nowhere in the request.", PATTERNS),
  after: about("The last message is the result of this tool.", text),
  offers: listOf(text),
  not_offers: listOf(text),
  schema: about(
    "An answer in a form is asked for: true, false, or what its schema holds.",
    either(truth, PATTERNS),
  ),
  model: text,
  seed: count,
  temperature: either(text, number),
});
const RULE = either(
  text,
  object({
    when: about("Without it, rules reply in their order, each once.", WHEN),
    times: count,
    think: text,
    say: text,
    call: listOf(either(text, object({ tool: text, arguments: { type: "object" } }, "tool"))),
    json: about("Said as JSON.", {}),
    error: text,
    status: count,
    cut: about("The answer stops at the limit of its length.", truth),
    hang: about("Nothing more comes until the client gives up.", truth),
    input_tokens: count,
    output_tokens: count,
  }),
);

/** What each field of a case is for, as completion and hover say it, and which values it takes. */
export const CASE_FIELD_SCHEMAS: Fields = {
  name: about("What the case is called. No two cases have the same name.", text),
  description: about("What it is for.", text),
  tags: about("Words to choose cases by.", listOf(text)),
  question: about("What is asked.", text),
  expect: about("What is expected of the answer.", EXPECT),
  reference: about("What a right answer says, for the critic.", text),
  then: about("What the user does after the answer.", AFTER),
  dialogue: about("Several turns, in place of question and expect.", { type: "array", items: TURN }),
  memory: about("What memory holds at the start.", MEMORY),
  pages: about(
    "Pages served on this machine, by their paths; {{pages}} stands for their address.",
    map(PAGE),
  ),
  search: about("What web_search finds.", listOf(SEARCH)),
  tools: about("The tools that are on; left out: all. []: none.", listOf(text)),
  agent: about("The agent that answers.", text),
  agents: about("Agents: files beside the case, or their fields.", listOf(either(text, { type: "object" }))),
  committee: about("A committee answers: true, a strategy, or its settings.", COMMITTEE),
  settings: about("Settings of the product, by their full names.", {
    type: "object",
    properties: Object.fromEntries(CASE_SETTINGS.map((name) => [name, {}])),
    additionalProperties: false,
  }),
  budgets: about("What a run may take.", object({ steps: count, tokens: count, seconds: number })),
  episodes: about("What memory must hold in the end.", listOf(EPISODE)),
  script: about("What is replied where no model is asked.", listOf(RULE)),
  configurations: about("Configurations in which the case makes sense; left out: any.", listOf(text)),
  compare: about("Features that are measured with and without.", listOf(one(...FEATURES))),
};

/** The JSON schema of case files. */
export const CASE_SCHEMA: JsonObject = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Conclave evaluation case",
  description: "A question or a dialogue, what it begins with, and what is expected.",
  type: "object",
  properties: CASE_FIELD_SCHEMAS,
  required: ["name"],
  additionalProperties: false,
};
