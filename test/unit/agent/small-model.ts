import { z } from "zod";
import { success } from "../../../src/agent/failure.ts";
import type { MemoryHit, MemoryPort } from "../../../src/agent/memory/port.ts";
import type { Fact } from "../../../src/agent/memory/types.ts";
import type { TokenLogprob } from "../../../src/agent/models/types.ts";
import type { Persona } from "../../../src/agent/persona.ts";
import type { EngineSettings } from "../../../src/agent/settings.ts";
import { emptyMemory } from "./memory.ts";
import {
  answers,
  ask,
  engineOver,
  gives,
  makeTool,
  playModel,
  type PlayedOptions,
  type Reply,
  toolSet,
} from "./support.ts";

export const HIT: MemoryHit = {
  episode: {
    ...{ id: "e1", sessionId: "s1", turnId: "t1", kind: "turn", agent: "conclave", respondent: "A" },
    ...{ model: "", scope: "", time: Date.UTC(2026, 0, 2) },
    question: "The parser is looked after by Ines.",
    answer: "Noted.",
  },
  score: 0.9,
  parts: {},
};

/** What the user said once: `at` tells which of them is newer. */
export const noted = (question: string, at = 0): MemoryHit => ({
  ...HIT,
  episode: { ...HIT.episode, id: question, time: HIT.episode.time + at, question },
});

const FACT = { id: "f1", text: "The user likes tea.", validFrom: 0, validTo: null } as Fact;

export const SMALL: PlayedOptions = { parameters: 1.5e9 };
export const MIDDLING: PlayedOptions = { parameters: 4e9 };

/** Asks a model with a memory that holds one turn, and tools to look with. */
export async function askWith(
  replies: readonly Reply[],
  options: PlayedOptions,
  { question = "Who looks after the parser?", memory = {}, hits = [HIT], persona, port = {} }: Given = {},
) {
  const searched: string[] = [];
  const holding: MemoryPort = emptyMemory({
    search: ({ query }) => {
      searched.push(query);
      return Promise.resolve(success({ hits, searched: hits.length }));
    },
    card: () => Promise.resolve(success({ relationships: [], facts: [FACT], pinned: [], interests: [] })),
    ...port,
  });
  const tools = toolSet(
    ...["search_memory", "web_fetch", "read_file"].map((name) =>
      makeTool({
        name,
        parameters: z.looseObject({}),
        run: () => Promise.resolve(gives("Ines runs the harbor.")),
      }),
    ),
  );
  const model = playModel(replies, options);
  const engine = engineOver(model, {
    memory: holding,
    tools,
    settings: { memory: { learning: "off", ...memory }, ...(persona && { persona }) },
  });
  const turn = await ask(engine, question);
  const prompts = model.requests.map(({ messages }) => messages.map(({ content }) => content).join("\n"));
  return { ...turn, engine, searched, prompts, requests: model.requests };
}

interface Given {
  readonly question?: string;
  readonly memory?: EngineSettings["memory"];
  readonly hits?: readonly MemoryHit[];
  readonly persona?: Persona;
  readonly port?: Partial<MemoryPort>;
}

const put = (token: string, logprob: number, top: readonly TokenLogprob[] = []) => ({
  token,
  logprob,
  top: [{ token, logprob }, ...top],
});

/** A word that the model said with some likelihood of yes, the other with what is left of it. */
export const likelyFits = (likelihood: number) => {
  const [yes, no] = [Math.log(likelihood), Math.log(1 - likelihood)];
  const [first, second] = likelihood < 0.5 ? ["No", "Yes"] : ["Yes", "No"];
  const place = put(first, Math.max(yes, no), [{ token: second, logprob: Math.min(yes, no) }]);
  return [{ type: "logprobs", places: [place] } as const, ...answers(first)];
};

/** A word in an object that the model put with some likelihood of true. */
export const likely = (name: string, likelihood: number) => {
  const [yes, no] = [Math.log(likelihood), Math.log(1 - likelihood)];
  const [first, second] = likelihood < 0.5 ? ["false", "true"] : ["true", "false"];
  const places = [
    ...[put('{"', 0), put(name, 0), put('":', 0)],
    put(` ${first}`, Math.max(yes, no), [{ token: ` ${second}`, logprob: Math.min(yes, no) }]),
    put("}", 0),
  ];
  return [{ type: "logprobs", places } as const, ...answers(`{"${name}": ${first}}`)];
};
export const asks = (asked: boolean) => answers(`{"asks_for_information": ${asked}}`);
/** What it says of a note: whether that answers the question. */
export const fits = (yes: boolean) => answers(yes ? "Yes." : "No");
export const knows = (known: boolean) => answers(`{"i_know": ${known}}`);
