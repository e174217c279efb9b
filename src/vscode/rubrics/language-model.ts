import { RUBRIC_FIELD_SCHEMAS, RUBRIC_FIELDS } from "../../agent/critic/rubric-fields.ts";

/** Something that can be written at a place of a rubric file. */
export interface RubricProposal {
  readonly label: string;
  /** What is put in the place of the word that has been begun. */
  readonly insert: string;
  readonly kind: "field" | "agent";
  readonly help?: string;
}

const HELP: Readonly<Record<string, { readonly description: string }>> = RUBRIC_FIELD_SCHEMAS;
const GRADES = ["1", "2", "3", "4", "5"];
const INSERTS: Readonly<Record<string, string>> = {
  levels: `levels:\n${GRADES.map((grade) => `  ${grade}: `).join("\n")}`,
  agents: "agents: []",
};

/** What a field of a rubric file is for; undefined for a word that is no field. */
export function rubricFieldHelp(name: string): string | undefined {
  return Object.hasOwn(HELP, name) ? HELP[name]?.description : undefined;
}

/**
 * What can be written at the end of a text: fields that are not there yet, levels, names of agents.
 *
 * @param before the file up to the cursor
 * @param whole the whole file
 */
export function rubricProposals(
  before: string,
  whole: string,
  agents: readonly string[],
): readonly RubricProposal[] {
  const lines = before.split(/\r?\n/u);
  const line = lines.at(-1) ?? "";
  if (/^\w*$/u.test(line)) return fields(whole);
  const holder = lines.findLast((one) => /^\w+:/u.test(one)) ?? "";
  if (/^agents:/u.test(holder) && (holder === line ? line.includes("[") : /^\s*-\s/u.test(line))) {
    return agents.map((label) => ({ label, insert: label, kind: "agent" }));
  }
  if (/^levels:\s*$/u.test(holder) && /^\s+\w*$/u.test(line)) {
    const written = [...whole.matchAll(/^\s+([1-5]):/gmu)].map(([, grade]) => grade);
    return GRADES.filter((grade) => !written.includes(grade)).map((grade) => {
      return { label: grade, insert: `${grade}: `, kind: "field", help: `What a ${grade} means.` };
    });
  }
  return [];
}

function fields(whole: string): readonly RubricProposal[] {
  const written = [...whole.matchAll(/^(\w+):/gmu)].map(([, name]) => name);
  return RUBRIC_FIELDS.filter((name) => !written.includes(name)).map((name) => {
    return {
      label: name,
      insert: INSERTS[name] ?? `${name}: `,
      kind: "field",
      help: RUBRIC_FIELD_SCHEMAS[name].description,
    };
  });
}
