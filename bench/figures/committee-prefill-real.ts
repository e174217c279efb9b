import { request } from "undici";
import { z } from "zod";
import type { ToolSet } from "../../src/agent/tool.ts";
import type { Figure, Measured } from "../frame.ts";
import { recordedChats } from "../support/committee-chats.ts";
import { speech } from "../support/committee-script.ts";
import { offeredTools } from "../support/offered-tools.ts";
import {
  countTokens,
  personaFirst,
  prefillOf,
  renderAll,
  uniqueText,
  type SentChat,
} from "../support/prompts.ts";
import { startRealServer } from "../support/real-server.ts";

/** The model has no more, and it is slow without a graphics card: it is told of one tool, and speeches are short. */
const CONTEXT = 8_192;
const TOOLS: readonly string[] = ["search_memory"];
const SPEECH_WORDS = 40;
const OPTIONS = { num_ctx: CONTEXT, num_predict: 1, temperature: 0 };
/** Calls in the naive order that are made: each takes as long as the first, so two tell enough. */
const NAIVE_CALLS = 2;

const Answer = z.looseObject({
  prompt_eval_count: z.int().optional(),
  /** Nanoseconds; left out where nothing had to be computed. */
  prompt_eval_duration: z.int().optional(),
});

/** Milliseconds that the server took for the part of a prompt that it had not cached. */
async function promptMs(host: string, path: string, body: object): Promise<number> {
  const sent = JSON.stringify({ ...body, options: OPTIONS, stream: false, keep_alive: "5m" });
  // On a busy machine the first byte of an answer takes longer than `fetch` waits for it.
  const patient = { headersTimeout: 0, bodyTimeout: 0 };
  const response = await request(host + path, { method: "POST", body: sent, ...patient });
  if (response.statusCode !== 200) throw new Error(await response.body.text());
  const { prompt_eval_duration = 0, prompt_eval_count = 0 } = Answer.parse(await response.body.json());
  if (prompt_eval_count >= CONTEXT) throw new Error("a prompt did not fit the context");
  return prompt_eval_duration / 1e6;
}

async function sumMs(host: string, chats: readonly SentChat[]): Promise<number> {
  let sum = 0;
  for (const chat of chats) sum += await promptMs(host, "/api/chat", chat);
  return sum;
}

/** The requests of a committee as the real model is sent them; their answers are not waited for. */
async function chatsFor(model: string): Promise<readonly SentChat[]> {
  const offered = offeredTools();
  const tools: ToolSet = {
    schemas: offered.schemas.filter(({ name }) => TOOLS.includes(name)),
    find: (name) => offered.find(name),
  };
  const chats = await recordedChats((view) => speech(view, SPEECH_WORDS), tools);
  return chats.map(({ messages, tools: told }) => {
    return { model, messages, tools: told, think: false, truncate: false, options: OPTIONS };
  });
}

async function measure(): Promise<Measured> {
  const { host, full: model, close } = await startRealServer();
  try {
    const chats = await chatsFor(model);
    const naive = chats.map(personaFirst);
    const ours = await renderAll(host, chats);
    const unique = uniqueText(ours);
    // The first words are new each time, so that nothing of it is cached.
    const prefill = (mark: string): Promise<number> =>
      promptMs(host, "/api/generate", { model, raw: true, prompt: `${mark} ${unique}` });
    const before = await prefill("One.");
    console.log(`  one prefill of the unique tokens: ${before.toFixed(0)} ms`);
    const ownMs = await sumMs(host, chats);
    console.log(`  the prompts of a committee: ${ownMs.toFixed(0)} ms`);
    const after = await prefill("Two.");
    const naiveMs = await sumMs(host, naive.slice(0, NAIVE_CALLS));
    const once = (before + after) / 2;
    const naiveAll = (naiveMs * chats.length) / NAIVE_CALLS;
    const [own, other] = [prefillOf(ours), prefillOf(await renderAll(host, naive))];
    const count = countTokens(unique);
    return {
      value: ownMs / once,
      reference: { name: "the persona in front", value: naiveAll / once, unit: "ratio" },
      rounds: chats.length,
      spread: [ownMs / Math.max(before, after), ownMs / Math.min(before, after)],
      note:
        `${chats.length} calls: ${ownMs.toFixed(0)} ms for their prompts; one prefill of what is unique: ` +
        `${before.toFixed(0)} ms before, ${after.toFixed(0)} ms after; with the persona in front ` +
        `${naiveMs.toFixed(0)} ms for ${NAIVE_CALLS} calls\n` +
        `  by the prompts that this server renders: ${(own.oneSlot / count).toFixed(2)}, ` +
        `with the persona in front ${(other.oneSlot / count).toFixed(2)}`,
    };
  } finally {
    await close();
  }
}

/** What the order of a committee's prompts is worth on a real server. */
export const committeePrefillReal: Figure = {
  name: "committee.prefill.real.ratio",
  unit: "ratio",
  goal: 1.2,
  about: "time that a real server takes for the prompts of a committee, to one prefill of the unique tokens",
  measure,
};
