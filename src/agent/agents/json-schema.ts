import type { JsonObject } from "../models/types.ts";
import { AGENT_KINDS } from "./definition.ts";
import { MAX_PROMPT, MAX_TOOLS } from "./fields.ts";

const word = { type: "string", minLength: 1, maxLength: 200 } as const;
const share = { type: "number", minimum: 0, maximum: 1, default: 0.5 } as const;

/** What each field of an agent file is for, as completion and hover say it, and which values it takes. */
export const AGENT_FIELD_SCHEMAS = {
  name: {
    description: "What the agent is called. One line; no two agents have the same name.",
    ...{ type: "string", minLength: 1, maxLength: 100 },
  },
  description: {
    description:
      "What the agent is for, in a line, for you and for other agents. Stands in for a missing prompt.",
    ...{ type: "string", maxLength: 2_000 },
  },
  kind: {
    description:
      "persona: a voice in a committee. agent: answers by itself, or for others. synthesizer: sums a committee up.",
    enum: [...AGENT_KINDS],
  },
  prompt: {
    description: "The agent's instruction. It stands at the very end of what the model is given.",
    ...{ type: "string", maxLength: MAX_PROMPT },
  },
  tools: {
    description: "The tools that the agent may use. Left out: all that are on. []: none.",
    ...{ type: "array", maxItems: MAX_TOOLS },
    items: {
      anyOf: [
        word,
        {
          type: "object",
          properties: {
            name: { ...word, description: "The tool's name." },
            description: {
              type: "string",
              description: "What this agent is told the tool is for, in place of the tool's own words.",
            },
          },
          required: ["name"],
          additionalProperties: false,
        },
      ],
    },
  },
  model: {
    description:
      "The model that answers, by its name in Ollama, such as qwen3:8b; or several, of which the first that is installed is taken. Left out: the chat model.",
    anyOf: [
      { type: "string", maxLength: 300 },
      { type: "array", items: { type: "string", maxLength: 300 }, maxItems: 20 },
    ],
  },
  temperature: {
    description: "How freely the model chooses its words, from 0 to 2. Left out: that of the settings.",
    ...{ type: "number", minimum: 0, maximum: 2 },
  },
  think: {
    description: "Whether, or how much, the model thinks before it answers. Left out: as the settings say.",
    enum: [true, false, "low", "medium", "high", "max"],
  },
  limits: {
    description: "How much the agent may use. What is left out has the limit of the settings.",
    type: "object",
    properties: {
      steps: {
        type: "integer",
        minimum: 1,
        maximum: 50,
        description: "Steps with tools before it has to answer.",
      },
      tokens: {
        type: "integer",
        minimum: 1,
        maximum: 1_000_000_000,
        description: "Tokens, in and out together.",
      },
      seconds: {
        type: "integer",
        minimum: 1,
        maximum: 86_400,
        description: "Seconds from its start to its end.",
      },
    },
    additionalProperties: false,
  },
  properties: {
    description:
      "Fields of the answer by name, each a JSON schema or a text that describes it. Aides to thinking; with structured_output the answer's own fields.",
    type: "object",
    additionalProperties: { type: ["object", "string", "boolean", "array"] },
  },
  required: {
    description: "Names of the fields of `properties` that must be there.",
    ...{ type: "array", items: word, maxItems: 100 },
  },
  structured_output: {
    description: "true: the answer is an object with the fields of `properties`, checked.",
    type: "boolean",
  },
  chained_tool: {
    description:
      "A tool that is called with the answer once that is valid. Only together with structured_output.",
    ...word,
  },
  bio: { description: "Who the persona is, in a few sentences.", type: "string", maxLength: 2_000 },
  job: { description: "What the persona does for a living.", ...word },
  family: {
    description: "The persona's family: names, or relation and name.",
    ...{ type: "array", maxItems: 20 },
    items: {
      anyOf: [
        word,
        {
          type: "object",
          properties: { relation: word, name: word },
          required: ["relation", "name"],
          additionalProperties: false,
        },
      ],
    },
  },
  traits: {
    description: "What the persona is like, in single words.",
    type: "array",
    maxItems: 20,
    items: word,
  },
  interests: {
    description: "What the persona cares for: names, or name and score from 0 to 1.",
    ...{ type: "array", maxItems: 20 },
    items: {
      anyOf: [
        word,
        {
          type: "object",
          properties: { name: word, score: share },
          required: ["name"],
          additionalProperties: false,
        },
      ],
    },
  },
  relationships: {
    description: "Whom the persona knows, and how.",
    ...{ type: "array", maxItems: 20 },
    items: {
      type: "object",
      properties: {
        to: { ...word, description: "Whom." },
        type: { ...word, description: "What that one is to the persona, such as rival of." },
        strength: { ...share, description: "How much, from 0 to 1." },
        since: {
          type: "string",
          pattern: String.raw`^\d{4}(-\d{2}(-\d{2})?)?$`,
          description: "Since when, such as 2024-03.",
        },
      },
      required: ["to", "type"],
      additionalProperties: false,
    },
  },
} as const satisfies Readonly<Record<string, JsonObject & { readonly description: string }>>;

/** The JSON schema of agent files in our own form; `media/agent.schema.json` holds it for editors. */
export const AGENT_FILE_SCHEMA: JsonObject = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Conclave agent",
  description: "An agent, a persona of a committee or a synthesizer.",
  type: "object",
  properties: {
    ...AGENT_FIELD_SCHEMAS,
    type: { description: "May stand here as in a JSON schema; means nothing more.", const: "object" },
    $schema: { type: "string" },
  },
  required: ["name"],
  additionalProperties: false,
};
