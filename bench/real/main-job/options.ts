import { resolve } from "node:path";
import { failed, success, type Result } from "../../../src/agent/failure.ts";
import {
  isSet,
  numberOf,
  readArguments,
  textOf,
  textsOf,
  wordsOf,
  type Given,
  type OptionTable,
} from "../../../src/cli/arguments.ts";
import { HALVES, RECALLS, type Choice, type Half } from "./plan.ts";

const OPTIONS = {
  model: { type: "string", multiple: true },
  recall: { type: "string" },
  half: { type: "string" },
  sample: { type: "string" },
  only: { type: "string", multiple: true },
  seed: { type: "string" },
  set: { type: "string", multiple: true },
  "tell-set": { type: "string", multiple: true },
  host: { type: "string" },
  from: { type: "string" },
  out: { type: "string" },
  fresh: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const satisfies OptionTable;

/** How the part is used. */
export const MAIN_JOB_HELP = `npm run eval:real -- main-job [options]

Tells the product a few weeks of conversations, then asks what was said in them, what was never said, and what needs no
memory at all, with a real model on a real Ollama server. Goes on where the last run was stopped.

      --model NAME       the model that answers; may be given several times (all that are prepared)
      --recall LIST      of ${RECALLS.join(",")}: values of conclave.memory.recall, each a row of the table (auto)
      --half WHICH       first, second or both: which half of the set is asked (first)
      --sample N         N questions of as many kinds as can be, as the seed determines
      --only ID          this question; may be given several times
      --seed N           given to the model with each question (1)
      --set NAME=VALUE   one setting for the questions; may be given several times
      --tell-set NAME=VALUE  one setting for the telling; may be given several times
      --host ADDRESS     an Ollama server that runs already; --model says which of its models answers
      --from DIR         where the halves are, as first.yaml and second.yaml (test/eval/main-job)
      --out DIR          where results, traces and told data are kept (out/eval-real)
      --fresh            begins anew: memory is told again, and all is asked again
  -h, --help             this text

Writes main-job.json and main-job.md. Ends with 0 when all was asked, or when the models can't be had; 1 when it could
not go on, 2 for arguments that can't be used, 130 when it was stopped.
`;

/** What a run of the part is to do. */
export interface MainJobWish {
  readonly models: readonly string[];
  /** Empty: the standard. */
  readonly recalls: readonly (typeof RECALLS)[number][];
  readonly halves: readonly Half[];
  readonly choice: Choice;
  /** For the questions, as `name=value`. */
  readonly settings: readonly string[];
  /** For the telling, as `name=value`. */
  readonly tellSettings: readonly string[];
  readonly host?: string;
  /** Absolute paths: of the folder with the halves, and of that for results. */
  readonly from: string;
  readonly out: string;
  readonly isFresh: boolean;
}

/** Reads the arguments; `help` where they ask for it. */
export function readMainJobWish(
  args: readonly string[],
  { cwd, root }: { readonly cwd: string; readonly root: string },
): Result<MainJobWish | "help"> {
  const given = readArguments(args, OPTIONS);
  if (!given.ok) return given;
  if (isSet(given.value, "help")) return success("help");
  const [stray] = given.value.rest;
  if (stray !== undefined)
    return failed("bad_input", `There is nothing to be done with "${stray}"; --help lists the options.`);
  const recalls = wordsOf(given.value, "recall", RECALLS);
  if (!recalls.ok) return recalls;
  const halves = wordsOf(given.value, "half", [...HALVES, "both"] as const);
  if (!halves.ok) return halves;
  const choice = choiceOf(given.value);
  if (!choice.ok) return choice;
  const [host, from, out] = ["host", "from", "out"].map((name) => textOf(given.value, name));
  return success({
    models: [...new Set(textsOf(given.value, "model"))],
    recalls: [...new Set(recalls.value)],
    halves: halvesOf(halves.value),
    choice: choice.value,
    settings: textsOf(given.value, "set"),
    tellSettings: textsOf(given.value, "tell-set"),
    ...(host !== undefined && { host }),
    from: from === undefined ? resolve(root, "test", "eval", "main-job") : resolve(cwd, from),
    out: out === undefined ? resolve(root, "out", "eval-real") : resolve(cwd, out),
    isFresh: isSet(given.value, "fresh"),
  });
}

/** Left out: the half to work with, so that the other one is looked at on purpose only. */
function halvesOf(words: readonly (Half | "both")[]): readonly Half[] {
  if (words.includes("both")) return HALVES;
  return words.length === 0 ? ["first"] : HALVES.filter((half) => words.includes(half));
}

function choiceOf(given: Given): Result<Choice> {
  const seed = numberOf(given, "seed", 0, 2_000_000_000, 1);
  if (!seed.ok) return seed;
  const only = textsOf(given, "only");
  if (textOf(given, "sample") === undefined) return success({ only, seed: seed.value });
  const sample = numberOf(given, "sample", 1, 1_000, 1);
  return sample.ok ? success({ only, seed: seed.value, sample: sample.value }) : sample;
}
