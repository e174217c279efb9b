import type { KnownNames } from "../../agent/agents/check-names.ts";
import { KNOWN_FIELDS, THINK_WORDS } from "../../agent/agents/fields.ts";
import { AGENT_FIELD_SCHEMAS } from "../../agent/agents/json-schema.ts";
import { AGENT_KINDS } from "../../agent/agents/definition.ts";

/** Something that can be written at a place of an agent file. */
export interface Proposal {
  readonly label: string;
  /** What is put in the place of the word that has been begun. */
  readonly insert: string;
  readonly kind: "field" | "value" | "tool" | "model";
  readonly help?: string;
}

const HELP: Readonly<Record<string, { readonly description: string }>> = AGENT_FIELD_SCHEMAS;
/** Fields that begin a block of lines below them. */
const BLOCKS = ["limits", "properties", "relationships", "interests", "family", "traits"];

/** What a field is for; undefined for a word that is no field. */
export function fieldHelp(name: string): string | undefined {
  return Object.hasOwn(HELP, name) ? HELP[name]?.description : undefined;
}

/**
 * What can be written at the end of a text: fields, words that a field takes, names of tools and models.
 *
 * @param before the file up to the cursor
 */
export function proposals(
  before: string,
  known: KnownNames,
  written: readonly string[] = [],
): readonly Proposal[] {
  const lines = before.split(/\r?\n/u);
  const line = lines.at(-1) ?? "";
  if (/#|:\s*[|>]/u.test(line)) return [];
  const value = /^(\s*(?:- +)?)([\w$]+):\s*(.*)$/u.exec(line);
  // Only fields at the top take words that are known; further in it may be the text of a prompt.
  if (value !== null) return value[1] === "" ? valuesOf(value[2] ?? "", value[3] ?? "", known) : [];
  const indent = /^ */u.exec(line)?.[0].length ?? 0;
  const holder =
    indent === 0 && !line.startsWith("-")
      ? ""
      : holderOf(lines.slice(0, -1), indent, line.trimStart().startsWith("-"));
  if (holder === undefined) return [];
  const item = /^\s*- *[\w.:/-]*$/u.test(line);
  if (item && holder === "tools") return tools(known);
  if (item && holder === "model") return models(known);
  if (!/^\s*(?:- +)?\w*$/u.test(line)) return [];
  return fieldsOf(holder, holder === "" ? written : []);
}

/** Whether the name of a model can be written at the end of a text. */
export function takesModel(before: string): boolean {
  return proposals(before, { models: [""] }).some(({ kind }) => kind === "model");
}

/** The top field that a line belongs to. */
function holderOf(above: readonly string[], indent: number, item: boolean): string | undefined {
  for (const line of [...above].reverse()) {
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    const found = /^([\w$]+):\s*(.*)$/u.exec(line);
    if (found === null) continue;
    // What stands below a text of several lines is that text's own.
    if (/^[|>]/u.test(found[2] ?? "") || (indent === 0 && !item)) return undefined;
    return found[1];
  }
  return undefined;
}

function fieldsOf(holder: string, written: readonly string[]): readonly Proposal[] {
  const fields = KNOWN_FIELDS[holder] ?? KNOWN_FIELDS[`${holder}.*`] ?? [];
  return fields
    .filter((name) => !written.includes(name) && name !== "$schema" && !(holder === "" && name === "type"))
    .map((name) => {
      const help = holder === "" ? fieldHelp(name) : undefined;
      const block = holder === "" && BLOCKS.includes(name);
      const insert = block ? `${name}:\n  ` : name === "prompt" ? "prompt: |\n  " : `${name}: `;
      return { label: name, insert, kind: "field", ...(help !== undefined && { help }) };
    });
}

function valuesOf(field: string, begun: string, known: KnownNames): readonly Proposal[] {
  switch (field) {
    case "kind":
      return AGENT_KINDS.map((label) => ({ label, insert: label, kind: "value" }));
    case "think":
      return THINK_WORDS.map((label) => ({ label, insert: label, kind: "value" }));
    case "structured_output":
      return ["true", "false"].map((label) => ({ label, insert: label, kind: "value" }));
    case "model":
      return models(known);
    case "chained_tool":
      return tools(known);
    case "tools":
      return begun.startsWith("[") && !begun.includes("]") ? tools(known) : [];
    default:
      return [];
  }
}

function tools({ tools: names = [] }: KnownNames): readonly Proposal[] {
  return names.map((label) => ({ label, insert: label, kind: "tool" }));
}

function models({ models: names = [] }: KnownNames): readonly Proposal[] {
  return names.map((label) => ({ label, insert: label, kind: "model" }));
}
