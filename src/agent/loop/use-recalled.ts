import { isJsonObject } from "../json.ts";
import { madeOf } from "../message-parts.ts";
import { parseJson } from "../models/capabilities.ts";
import type { ChatRequest } from "../models/types.ts";
import { NOTHING_KNOWN } from "../prompt.ts";
import { PlainReader } from "../protocols/plain-reader.ts";
import { countTokens } from "./ask-model.ts";
import { receive } from "./receive.ts";
import type { Recalled, RecallCheck, Run } from "./types.ts";

/** One word and its braces. */
const CHECK_TOKENS = 24;

/** A question to the model that is answered by yes or no. */
interface YesOrNo {
  readonly name: string;
  readonly words: string;
}

const SAID: YesOrNo = { name: "said", words: "Do the notes say it?" };
const KNOWN: YesOrNo = { name: "i_know", words: "Do you know the answer for sure?" };

/**
 * Puts what was recalled before the question. A small model takes whatever stands there for the answer, and makes one up
 * where nothing does; but asked for one word alone it knows whether the notes say it, and whether it knows it
 * (docs/evidence.md). These questions begin as the answer's own prompt does, so they cost some tens of tokens each. What
 * does not say it is left out; who does not know it either is told to say so.
 */
export async function useRecalled(run: Run, recalled: Recalled | undefined): Promise<void> {
  if (recalled === undefined) return;
  run.recalled = recalled.message;
  const check = recalled.isChecked && run.tape.length === 0 ? await checkRecalled(run) : undefined;
  if (run.deps.signal.aborted) return;
  if (check?.says === false) run.recalled = undefined;
  if (check?.knows === false) run.own.push(madeOf("user", "note", NOTHING_KNOWN));
  recalled.tell(check);
}

/** Asks the model; nothing where it gave no such word. */
async function checkRecalled(run: Run): Promise<RecallCheck | undefined> {
  const { identity } = run.deps;
  const began = identity.now();
  const before = { input: run.inputTokens ?? 0, output: run.outputTokens ?? 0 };
  const says = run.recalled === undefined ? undefined : await yesOrNo(run, SAID);
  if (run.recalled !== undefined && says === undefined) return undefined;
  const knows = says === true ? undefined : await yesOrNo({ ...run, recalled: undefined }, KNOWN, run);
  if (says === undefined && knows === undefined) return undefined;
  return {
    ...(says !== undefined && { says }),
    ...(knows !== undefined && { knows }),
    durationMs: identity.now() - began,
    inputTokens: (run.inputTokens ?? 0) - before.input,
    outputTokens: (run.outputTokens ?? 0) - before.output,
  };
}

/** Asks with the prompt of `run`; what it takes is counted for `counted`. */
async function yesOrNo(run: Run, question: YesOrNo, counted = run): Promise<boolean | undefined> {
  const { deps } = run;
  const leave = await deps.gate.enter(deps.signal);
  if (leave === undefined) return undefined;
  const reader = new PlainReader();
  try {
    const { usage } = await receive(
      run,
      request(run, question),
      reader,
      () => undefined,
      () => reader.retract(),
    );
    countTokens(counted, usage);
    const said = parseJson(reader.finish().reading.answer);
    const word = isJsonObject(said) ? said[question.name] : undefined;
    return typeof word === "boolean" ? word : undefined;
  } finally {
    leave();
  }
}

function request({ input, recalled, think }: Run, { name, words }: YesOrNo): ChatRequest {
  const { prompt, context } = input;
  const ask = `${words} Answer as JSON: {"${name}": true} or {"${name}": false}.`;
  return {
    messages: [
      prompt.system,
      ...context.past.messages,
      ...(recalled === undefined ? [] : [recalled]),
      prompt.question,
      madeOf("user", "note", ask),
    ],
    format: {
      type: "object",
      properties: { [name]: { type: "boolean" } },
      required: [name],
      additionalProperties: false,
    },
    maxTokens: CHECK_TOKENS,
    runner: input.runner,
    temperature: 0,
    ...(think !== undefined && { think: false }),
  };
}
