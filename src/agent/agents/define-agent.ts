import type { JsonObject, Think } from "../models/types.ts";
import type { Persona } from "../persona.ts";
import type { AgentFileForm } from "./file-form.ts";
import { answerFields } from "./answer-schema.ts";
import type { AgentDefinition, AgentKind, AgentLimits, AgentSource } from "./definition.ts";
import { AGENT_FILE, WHO_FIELDS, type AgentFields } from "./fields.ts";
import { translateForeign } from "./foreign-agent.ts";
import { tidyFields, type Note } from "./tidy.ts";
import { shown, type Path } from "./yaml-tree.ts";
import type { YamlReading } from "./yaml-read.ts";

/** What an agent is made of. */
export interface AgentParts {
  readonly form: AgentFileForm;
  readonly fields: JsonObject;
  readonly reading: YamlReading & { readonly body?: string };
  /** What the file's name calls it. */
  readonly name?: string;
  readonly source: AgentSource;
}

/** An agent, and where the names stand that are to be checked against what there is. */
export interface Defined {
  readonly definition?: AgentDefinition;
  readonly models: readonly string[];
  readonly modelPaths: readonly Path[];
  readonly toolPaths: readonly Path[];
}

/** Makes an agent of a file's fields; with an error among the notes there is none. */
export function defineAgent({ form, fields, reading, name, source }: AgentParts, tell: Note): Defined {
  const state = { failed: false };
  const note: Note = (severity, path, message, about) => {
    state.failed ||= severity === "error";
    tell(severity, path, message, about);
  };
  for (const path of reading.empty) noteEmpty(path, note);
  const foreign = form === "agent.md" || form === "claude.md";
  const translated = foreign ? translateForeign(form, fields, reading.body ?? "", note) : undefined;
  const tidied = translated?.fields ?? tidyFields(fields, note);
  const named = withName(tidied, name, foreign, note);
  const checked = AGENT_FILE.safeParse(named);
  if (!checked.success) {
    for (const { path, message } of checked.error.issues)
      note(
        "error",
        path.filter((part) => typeof part !== "symbol"),
        faultOf(path, message),
      );
    return { models: [], modelPaths: [], toolPaths: [] };
  }
  const definition = agentOf(checked.data, source, foreign ? "agent" : undefined, note);
  const models = checked.data.model ?? [];
  return {
    ...(!state.failed && { definition }),
    models,
    modelPaths: models.map((_, at) => (Array.isArray(fields["model"]) ? ["model", at] : ["model"])),
    toolPaths: translated?.toolPaths ?? (definition.tools ?? []).map((_, at) => toolPath(fields, at)),
  };
}

function toolPath({ tools }: JsonObject, at: number): Path {
  return Array.isArray(tools) ? ["tools", at] : ["tools"];
}

function noteEmpty(path: Path, note: Note): void {
  if (path[0] === "tools" && path.length === 1) {
    const message =
      "`tools` has no value, so all tools that are on are meant. Write `tools: []` for none, or leave the field out.";
    note("warning", path, message, "key");
  } else
    note("warning", path, `\`${shown(path.map(String).join("."))}\` has no value and is not used.`, "key");
}

/** A file that names no agent has its own name; in our own form that is said. */
function withName(fields: JsonObject, name: string | undefined, foreign: boolean, note: Note): JsonObject {
  if (fields["name"] !== undefined || name === undefined) return fields;
  if (!foreign)
    note("warning", ["name"], `The field \`name\` is missing; the agent is called ${name}, as its file.`);
  return { ...fields, name };
}

function faultOf(path: readonly PropertyKey[], message: string): string {
  const where = path.map(String).join(".");
  const missing = message.startsWith("must") ? message : `must be right (${message})`;
  return where === "" ? `The file ${missing}.` : `\`${where}\` ${missing}.`;
}

function agentOf(
  fields: AgentFields,
  source: AgentSource,
  standard: AgentKind | undefined,
  note: Note,
): AgentDefinition {
  const { name, description = "", tools, temperature, think, required = [] } = fields;
  const isPersona = WHO_FIELDS.some((field) => hasContent(fields[field as keyof AgentFields]));
  const kind = fields.kind ?? standard ?? (isPersona ? "persona" : "agent");
  const answer = fields.properties && answerFields(fields.properties as JsonObject, required, note);
  const structured = fields.structured_output === true;
  checkAnswer(fields, note);
  const [model] = fields.model ?? [];
  return {
    name,
    description: oneLine(description),
    kind,
    prompt: promptOf(fields, isPersona, note),
    ...(tools && {
      tools: tools.map(({ description: own, ...tool }) => ({
        ...tool,
        ...(own !== undefined && { description: own }),
      })),
    }),
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
    ...(think !== undefined && { think: think satisfies Think }),
    limits: limitsOf(fields),
    ...(answer && { properties: answer.properties }),
    required: answer?.required ?? [],
    structuredOutput: structured,
    ...(fields.chained_tool !== undefined && { chainedTool: fields.chained_tool }),
    ...(isPersona && { persona: personaOf(fields) }),
    source,
  };
}

function hasContent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== "";
}

function promptOf(
  { name, prompt = "", description = "" }: AgentFields,
  isPersona: boolean,
  note: Note,
): string {
  const own = prompt.trim();
  if (own !== "") return own;
  if (description !== "") return description;
  if (!isPersona)
    note(
      "warning",
      ["prompt"],
      "There is neither a prompt nor a description: the agent answers like the chat itself.",
    );
  return `You are ${name}.`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

function limitsOf({ limits = {} }: AgentFields): AgentLimits {
  const { steps, tokens, seconds } = limits;
  return {
    ...(steps !== undefined && { steps }),
    ...(tokens !== undefined && { tokens }),
    ...(seconds !== undefined && { seconds }),
  };
}

function personaOf({ name, bio, job, family, traits, interests, relationships }: AgentFields): Persona {
  const texts = { ...(bio !== undefined && { bio }), ...(job !== undefined && { job }) };
  return { name, kind: "persona", ...texts, family, traits, interests, relationships };
}

/** Fields of the answer that mean nothing by themselves. */
function checkAnswer(
  { structured_output, properties, required, chained_tool }: AgentFields,
  note: Note,
): void {
  const fields = Object.keys(properties ?? {}).length;
  if (structured_output === true && fields === 0)
    note(
      "error",
      ["structured_output"],
      "`structured_output` needs `properties`: the fields that the answer has.",
    );
  if (chained_tool !== undefined && structured_output !== true)
    note(
      "warning",
      ["chained_tool"],
      "`chained_tool` is called only together with `structured_output: true`; it is not used.",
    );
  if (required !== undefined && properties === undefined)
    note("warning", ["required"], "`required` means nothing without `properties`; it is not used.");
}
