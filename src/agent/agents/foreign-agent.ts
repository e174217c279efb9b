import { isJsonList } from "../json.ts";
import type { Json, JsonObject } from "../models/types.ts";
import type { AgentFileForm } from "./file-form.ts";
import { CLAUDE_TOOLS, ourTools, serverTool, TRANSLATED_TOOLS, VSCODE_TOOLS } from "./foreign-tools.ts";
import { commaList, tidyFields, type Note } from "./tidy.ts";
import { shown, type Path } from "./yaml-tree.ts";

/** Fields of other products that change nothing about an answer, and are passed over without a word. */
const HARMLESS = [
  "color",
  "argument-hint",
  "user-invocable",
  "user-invokable",
  "target",
  "infer",
  "background",
];
/** Fields of other products that do change something, and are named. */
const UNUSED = [
  ...[
    "handoffs",
    "hooks",
    "mcp-servers",
    "mcpServers",
    "agents",
    "disable-model-invocation",
    "permissionMode",
  ],
  ...["skills", "initialPrompt", "memory", "effort", "isolation"],
];
const TRANSLATED = ["tools", "disallowedTools", "model", "maxTurns", "prompt"];

/** Models of another product, by the names its files have for them. */
const CLAUDE_MODEL = /^(?:sonnet|opus|haiku|best|default|opusplan)\b|^claude[- ]/iu;
/** The vendor that VS Code puts behind the name of a model. */
const VENDOR = /\s*\((?<vendor>[^()]*)\)\s*$/u;
/** Vendors whose models are Ollama's. */
const LOCAL_VENDORS = ["conclave", "ollama"];

/** Fields in our own form, and where the tools they name stand. */
export interface Translated {
  readonly fields: JsonObject;
  readonly toolPaths: readonly Path[];
}

/**
 * Turns the front matter of another product's agent file, and the text below it, into our fields. Tools and models that
 * there are none of here are named; a restriction of tools never widens by that.
 */
export function translateForeign(
  form: AgentFileForm,
  fields: JsonObject,
  body: string,
  note: Note,
): Translated {
  const own: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (UNUSED.includes(name))
      note("warning", [name], `\`${name}\` has no meaning here and is not used.`, "key");
    else if (![...HARMLESS, ...TRANSLATED].includes(name)) own[name] = value;
  }
  const models = modelsOf(form, fields["model"], note);
  const { names, paths } = toolsOf(form, fields, note);
  const steps = fields["maxTurns"];
  return {
    fields: {
      ...tidyFields(own, note),
      ...(body !== "" && { prompt: body }),
      ...(models.length > 0 && { model: models }),
      ...(names && { tools: names.map((name) => ({ name })) }),
      ...(typeof steps === "string" &&
        /^[1-9]\d*$/u.test(steps) && { limits: { steps: Math.min(Number(steps), 50) } }),
    },
    toolPaths: paths,
  };
}

function modelsOf(form: AgentFileForm, written: Json | undefined, note: Note): readonly string[] {
  const list = isJsonList(written) ? written : written === undefined ? [] : [written];
  return list.flatMap((item, at) => {
    const name = typeof item === "string" ? item.trim() : "";
    if (name === "" || name === "inherit") return [];
    const vendor = VENDOR.exec(name)?.groups?.["vendor"]?.toLowerCase();
    if (vendor !== undefined && LOCAL_VENDORS.includes(vendor)) return [name.replace(VENDOR, "")];
    const elsewhere = form === "claude.md" ? CLAUDE_MODEL.test(name) : vendor === "copilot";
    if (!elsewhere) return [name];
    const path = isJsonList(written) ? ["model", at] : ["model"];
    note("warning", path, `\`${shown(name)}\` is no model of Ollama: the chat model answers in its place.`);
    return [];
  });
}

interface Tools {
  /** Undefined: all that are on. */
  readonly names: readonly string[] | undefined;
  readonly paths: readonly Path[];
}

function toolsOf(form: AgentFileForm, fields: JsonObject, note: Note): Tools {
  const table = form === "claude.md" ? CLAUDE_TOOLS : VSCODE_TOOLS;
  const denied = new Set(
    namesOf(fields["disallowedTools"], "disallowedTools").flatMap(
      ({ name }) => ourTools(name, table) ?? [serverTool(name)],
    ),
  );
  const written = namesOf(fields["tools"], "tools");
  if (fields["tools"] === undefined || written.some(({ name }) => name === "*")) {
    if (denied.size === 0) return { names: undefined, paths: [] };
    const message =
      "Some tools are kept from this agent, so it gets only those of Claude's that there are here too.";
    note("warning", ["disallowedTools"], message);
    return { names: TRANSLATED_TOOLS.filter((name) => !denied.has(name)), paths: [] };
  }
  const found = new Map<string, Path>();
  for (const { name, path } of written) {
    const ours = ourTools(name, table) ?? [serverTool(name)];
    if (ours.length === 0)
      note("warning", path, `There is no tool like \`${shown(name)}\` here; the agent does without.`);
    for (const one of ours) if (!denied.has(one) && !found.has(one)) found.set(one, path);
  }
  return { names: [...found.keys()], paths: [...found.values()] };
}

function namesOf(
  value: Json | undefined,
  field: string,
): readonly { readonly name: string; readonly path: Path }[] {
  if (typeof value === "string") return commaList(value).map((name) => ({ name, path: [field] }));
  if (!isJsonList(value)) return [];
  return value.flatMap((name, at) => (typeof name === "string" ? [{ name, path: [field, at] }] : []));
}
