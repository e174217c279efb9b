import { agentFileName } from "../agents/agent-text.ts";

/** The text of a new rubric's file: valid as it stands, to be written over. */
export function newRubricText(name: string): string {
  return `# A rubric of Conclave: what the critic grades answers by. It can be named as soon as the file is saved.
name: ${name}
criterion: Does the answer do what this rubric is about?
# What each grade means, from the worst to the best.
levels:
  1: It does not, or does harm.
  2: It does a little of it.
  3: It does the main part, with gaps.
  4: It does nearly all of it.
  5: It does all of it.

# Names of the agents whose answers it is for; it goes before the rubric of the settings then.
# agents: [Reviewer]
`;
}

/** A rubric's name made of what somebody typed: small letters, digits and single dashes, at most 60. */
export function rubricName(typed: string): string {
  const plain = agentFileName(typed.normalize("NFKD").replace(/\p{M}/gu, "")).replace(/[^a-z0-9]+/gu, "-");
  const name = plain
    .replace(/^-+|-+$/gu, "")
    .slice(0, 60)
    .replace(/-+$/u, "");
  return name === "" ? "rubric" : name;
}
