import type { Rubric, RubricCatalog } from "./types.ts";

/** The name of the rubric that is taken where nothing else is said. */
export const USUAL_RUBRIC = "helpfulness";

const ALL = { agents: [], source: "built-in" } as const;

/** The product's own rubrics. */
export const BUILT_IN_RUBRICS: readonly Rubric[] = [
  {
    ...ALL,
    name: USUAL_RUBRIC,
    criterion:
      "Does the answer give the person who asked what they need: the very thing they asked for, right as far as can be told, and so that they can use it?",
    levels: [
      "It does not answer the question: it is about something else, refuses without a reason, or is wrong in what matters.",
      "It touches the question, but what was asked for is mostly missing or mistaken; whoever asked must look elsewhere.",
      "It answers in part: the main point is there, with gaps, mistakes at the edges, or steps that can't be followed as they stand.",
      "It answers the question rightly and usably; only a detail, an exception or a reason that would help is missing.",
      "It answers exactly what was asked, rightly and completely, and can be used as it stands; what is uncertain is said to be.",
    ],
  },
  {
    ...ALL,
    name: "grounding",
    criterion:
      "Does everything that the answer states rest on the sources that were given, without adding to them or turning them round?",
    levels: [
      "It contradicts the sources, or names sources and facts that are not among them.",
      "Most of what it states is not in the sources, though it reads as if it were.",
      "Its main points are in the sources, but some claims that matter are not, or say more than the sources do.",
      "All that matters is in the sources; a minor claim goes beyond them, or it is not clear which source it rests on.",
      "Every claim is in the sources and true to them; it shows what rests on which, and says where the sources are silent.",
    ],
  },
  {
    ...ALL,
    name: "code-correctness",
    criterion:
      "Would the code in the answer, put in the place it is meant for, run and do what was asked, in ordinary cases and at the edges?",
    levels: [
      "There is no code where it was wanted, or it can't run: wrong syntax, names or interfaces that do not exist.",
      "It runs in part or does something else: the ordinary case gives a wrong result or an error.",
      "The ordinary case works, but likely inputs, errors or resources are handled wrongly, or a needed step is left out.",
      "It does what was asked; only a rare case is open, or an import or a version must be filled in.",
      "It does what was asked in ordinary cases and at the edges, handles failure, fits what it is put into, and breaks nothing else.",
    ],
  },
  {
    ...ALL,
    name: "brevity",
    criterion:
      "Does the answer say what is needed in as few words as that takes, without losing anything that was asked for?",
    levels: [
      "What was asked for is lost in text that nobody needs, or so short that it is not there at all.",
      "More than half could go: it repeats itself and the question, and explains what was not asked.",
      "What was asked for is found at once, among introductions, repetitions or a summary that add nothing.",
      "It is to the point; a sentence or two could go.",
      "Every sentence is needed, and nothing that was asked for is missing.",
    ],
  },
];

/** The rubrics there are where no files are read. */
export function builtInRubrics(): RubricCatalog {
  return { rubrics: BUILT_IN_RUBRICS, problems: [] };
}
