import { startScriptedOllama } from "../../test/support/ollama/index.ts";
import type { Figure, Measured } from "../frame.ts";
import { recordedChats } from "../support/committee-chats.ts";
import { restlessSpeech, speech } from "../support/committee-script.ts";
import {
  countTokens,
  personaFirst,
  prefillOf,
  renderAll,
  uniqueText,
  type Prefill,
} from "../support/prompts.ts";

/** What a server computes of a committee's prompts, in our order and with the persona in front; and what it must. */
interface Computed {
  readonly calls: number;
  readonly unique: number;
  readonly ours: Prefill;
  readonly naive: Prefill;
}

async function computed(script: typeof speech, host: string): Promise<Computed> {
  const chats = await recordedChats(script);
  const ours = await renderAll(host, chats);
  const naive = await renderAll(host, chats.map(personaFirst));
  return {
    calls: chats.length,
    unique: countTokens(uniqueText(ours)),
    ours: prefillOf(ours),
    naive: prefillOf(naive),
  };
}

async function measure(script: typeof speech): Promise<Measured> {
  const server = await startScriptedOllama();
  try {
    const { calls, unique, ours, naive } = await computed(script, server.host);
    const value = ours.oneSlot / unique;
    return {
      value,
      reference: { name: "the persona in front", value: naive.oneSlot / unique, unit: "ratio" },
      rounds: calls,
      spread: [value, value],
      note:
        `${calls} calls, ${ours.uncached} prompt tokens, ${unique} of them unique; ` +
        `${ours.oneSlot} are computed with one slot (${ours.manySlots} if every earlier prompt were kept), ` +
        `with the persona in front ${naive.oneSlot} (${naive.manySlots})`,
    };
  } finally {
    await server.close();
  }
}

/** What the order of a committee's prompts is worth, by the prompts alone. */
export const committeePrefill: Figure = {
  name: "committee.prefill.ratio",
  unit: "ratio",
  goal: 1.2,
  about:
    "prompt tokens that extend no cached beginning, of four personas and a synthesizer in two rounds, to the unique tokens",
  measure: () => measure(speech),
};

/** The same where every member uses up its tool steps and is then asked to answer. */
export const committeePrefillSteps: Figure = {
  name: "committee.prefill.steps.ratio",
  unit: "ratio",
  goal: 2,
  about: "the same as committee.prefill.ratio, for members who all use up their tool steps",
  measure: () => measure(restlessSpeech),
};
