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

async function measure(): Promise<Measured> {
  const server = await startScriptedOllama();
  try {
    const { calls, unique, ours, naive } = await computed(speech, server.host);
    const restless = await computed(restlessSpeech, server.host);
    const value = ours.oneSlot / unique;
    return {
      value,
      reference: { name: "the persona in front", value: naive.oneSlot / unique, unit: "ratio" },
      rounds: calls,
      spread: [value, value],
      note:
        `${calls} calls, ${ours.uncached} prompt tokens, ${unique} of them unique; ` +
        `${ours.oneSlot} are computed with one slot (${ours.manySlots} if every earlier prompt were kept), ` +
        `with the persona in front ${naive.oneSlot} (${naive.manySlots})\n` +
        `  where all use up their tool steps: ${restless.calls} calls, ${restless.unique} unique tokens, ` +
        `${(restless.ours.oneSlot / restless.unique).toFixed(2)} with one slot ` +
        `(${(restless.ours.manySlots / restless.unique).toFixed(2)}), ` +
        `with the persona in front ${(restless.naive.oneSlot / restless.unique).toFixed(2)}`,
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
  measure,
};
