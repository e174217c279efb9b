import type { OptionTable } from "../arguments.ts";

/** What `conclave eval` takes. */
export const EVAL_OPTIONS = {
  live: { type: "string" },
  host: { type: "string" },
  config: { type: "string", multiple: true },
  tag: { type: "string", multiple: true },
  repeat: { type: "string" },
  seed: { type: "string" },
  "equal-tokens": { type: "boolean" },
  judge: { type: "boolean" },
  "judge-set": { type: "string" },
  "judge-model": { type: "string" },
  report: { type: "string" },
  format: { type: "string" },
  settings: { type: "string" },
  set: { type: "string", multiple: true },
  check: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const satisfies OptionTable;

/** How `conclave eval` is used. */
export const EVAL_HELP = `conclave eval [options] [FILES OR FOLDERS]

Runs evaluation cases and reports how they came out. Left out: the cases in .conclave/evals.

      --live MODEL       a real model answers
      --host ADDRESS     its Ollama server; left out: OLLAMA_HOST, else http://127.0.0.1:11434
      --config NAME,...  configurations: as-written, single, blind, sequential, ring, council, self-consistency,
                         each with -memory, -tools, -critic or +critic behind it
      --tag WORD         only cases with this tag; may be given several times
      --repeat N         runs each case N times, with N seeds
      --seed N           the first seed (1)
      --equal-tokens     also asks each committee's case of one agent, and of as many samples as the committee's
                         tokens buy
      --judge            judges the judge: runs it over a labelled set; without files nothing else is run
      --judge-set FILE   the labelled set
      --judge-model NAME the judge; left out: conclave.critic.model, else the model of --live
      --report DIR       writes the report and all traces into this folder
      --format LIST      of md, json, junit; left out: all three with --report, else md on standard output
      --settings FILE    settings of the editor's names, as JSON
      --set NAME=VALUE   one setting; may be given several times
      --check            only reads the cases and says what is wrong with them
  -h, --help             this text

Ends with 0 when all passed, 1 when some failed, 2 for arguments or cases that can't be used, 130 when it was stopped.
`;
