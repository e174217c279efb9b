import assert from "node:assert/strict";
import { success } from "../../../src/agent/failure.ts";
import type { MemoryHit, MemoryPort } from "../../../src/agent/memory/port.ts";
import type { Fact } from "../../../src/agent/memory/types.ts";
import type { TokenLogprob } from "../../../src/agent/models/types.ts";
import type { Persona } from "../../../src/agent/persona.ts";
import type { EngineSettings } from "../../../src/agent/settings.ts";
import { emptyMemory } from "./memory.ts";
import {
  all,
  answers,
  ask,
  call,
  callTools,
  end,
  engineOver,
  gives,
  makeTool,
  only,
  playModel,
  type PlayedOptions,
  type Reply,
  toolSet,
} from "./support.ts";

const HIT: MemoryHit = {
  episode: {
    ...{ id: "e1", sessionId: "s1", turnId: "t1", kind: "turn", agent: "conclave", respondent: "A" },
    ...{ model: "", scope: "", time: Date.UTC(2026, 0, 2) },
    question: "The parser is looked after by Ines.",
    answer: "Noted.",
  },
  score: 0.9,
  parts: {},
};

const FACT = { id: "f1", text: "The user likes tea.", validFrom: 0, validTo: null } as Fact;

const SMALL: PlayedOptions = { parameters: 1.5e9 };
const MIDDLING: PlayedOptions = { parameters: 4e9 };

/** Asks a model with a memory that holds one turn, and tools to look with. */
async function askWith(
  replies: readonly Reply[],
  options: PlayedOptions,
  { question = "Who looks after the parser?", memory = {}, hits = [HIT], persona }: Given = {},
) {
  const searched: string[] = [];
  const holding: MemoryPort = emptyMemory({
    search: ({ query }) => {
      searched.push(query);
      return Promise.resolve(success({ hits, searched: hits.length }));
    },
    card: () => Promise.resolve(success({ relationships: [], facts: [FACT], pinned: [], interests: [] })),
  });
  const tools = toolSet(
    ...["search_memory", "web_fetch", "read_file"].map((name) =>
      makeTool({ name, run: () => Promise.resolve(gives("Ines runs the harbor.")) }),
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
  return { ...turn, searched, prompts, requests: model.requests };
}

interface Given {
  readonly question?: string;
  readonly memory?: EngineSettings["memory"];
  readonly hits?: readonly MemoryHit[];
  readonly persona?: Persona;
}

/** A word that the model put with some likelihood, the other with what is left of it. */
const likely = (name: string, likelihood: number) => {
  const [yes, no] = [Math.log(likelihood), Math.log(1 - likelihood)];
  const put = (token: string, logprob: number, top: readonly TokenLogprob[] = []) => ({
    token,
    logprob,
    top: [{ token, logprob }, ...top],
  });
  const [first, second] = likelihood < 0.5 ? ["false", "true"] : ["true", "false"];
  const places = [
    ...[put('{"', 0), put(name, 0), put('":', 0)],
    put(` ${first}`, Math.max(yes, no), [{ token: ` ${second}`, logprob: Math.min(yes, no) }]),
    put("}", 0),
  ];
  return [{ type: "logprobs", places } as const, ...answers(`{"${name}": ${first}}`)];
};
const asks = (asked: boolean) => answers(`{"asks_for_information": ${asked}}`);
const proves = (proven: boolean) => answers(`{"i_told_you": ${proven}}`);
const knows = (known: boolean) => answers(`{"i_know": ${known}}`);

describe("who searches memory: a model that is known to call tools well", () => {
  it("decides for itself, and is given nothing up front", async () => {
    const { searched, prompts, requests, events } = await askWith([answers("Let me think.")], {});
    assert.deepEqual(searched, []);
    assert.ok(!prompts[0]!.includes("Ines"));
    assert.equal(requests[0]!.tools?.length, 3);
    assert.equal(only(events, "tool.schema").data["conclave.recall"], "model");
  });

  it("is given what a search finds where the setting says so, and may still search", async () => {
    const { prompts, requests } = await askWith([answers("Ines.")], {}, { memory: { recall: "first" } });
    assert.match(prompts[0]!, /the user said: "The parser is looked after by Ines\."/);
    assert.equal(requests[0]!.tools?.length, 3);
  });
});

describe("who searches memory: a model that should call well and does not", () => {
  it("is no longer trusted after three turns with wrong calls alone, until it makes a right one", async () => {
    const wrong = [callTools(call("search_memory", { nonsense: 1 })), end()];
    const right = [callTools(call("search_memory", { query: "parser" })), end()];
    const said = answers("Well.");
    const replies = [wrong, said, wrong, said, wrong, said, said, right, said, said];
    const model = playModel(replies, {});
    const tools = toolSet(makeTool({ name: "search_memory" }));
    const engine = engineOver(model, {
      memory: emptyMemory(),
      tools,
      settings: { memory: { learning: "off" } },
    });
    const modes = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const { events } = await ask(engine, `Question ${turn}?`);
      modes.push(only(events, "tool.schema").data["conclave.recall"]);
    }
    assert.deepEqual(modes, ["model", "model", "model", "first", "first", "model"]);
  });

  it("is trusted however many questions need no tool", async () => {
    const model = playModel([answers("Fine.")], {});
    const engine = engineOver(model, {
      memory: emptyMemory(),
      tools: toolSet(makeTool({ name: "search_memory" })),
      settings: { memory: { learning: "off" } },
    });
    let last = "";
    for (let turn = 0; turn < 30; turn += 1) {
      const { events } = await ask(engine, `Question ${turn}?`);
      last = only(events, "tool.schema").data["conclave.recall"] ?? "";
    }
    assert.equal(last, "model");
  });
});

describe("an answer that only names a tool", () => {
  it("is not taken for one: memory is searched, and the model answers again, once", async () => {
    const names = answers("I would use search_memory to find out who looks after it.");
    const { searched, requests, prompts, events } = await askWith([names, answers("Ines does.")], {});
    assert.deepEqual(searched, ["Who looks after the parser?"]);
    assert.equal(requests.length, 2);
    assert.match(prompts[1]!, /looked after by Ines/);
    assert.equal(only(events, "answer.dialog").data.answer, "Ines does.");
    const again = await askWith([names, names], {});
    assert.equal(again.requests.length, 2);
    assert.match(only(again.events, "answer.dialog").data.answer, /search_memory/);
  });

  for (const [what, question, answer] of [
    [
      "speaks of the tool that was asked about",
      "What does search_memory do?",
      "search_memory looks in memory.",
    ],
    ["lists the tools", "What can you do?", "search_memory, web_fetch and read_file."],
    ["names none", "Who looks after the parser?", "I would search the memory."],
  ] as const) {
    it(`is one where it ${what}`, async () => {
      const { requests } = await askWith([answers(answer)], {}, { question });
      assert.equal(requests.length, 1);
    });
  }
});

describe("who searches memory: a model that is not known to call tools well", () => {
  it("is given what a search finds, keeps its tools, and the trace says why", async () => {
    const { searched, prompts, requests, events } = await askWith([answers("Ines.")], MIDDLING);
    assert.deepEqual(searched, ["Who looks after the parser?"]);
    assert.match(prompts[0]!, /looked after by Ines/);
    assert.equal(requests[0]!.tools?.length, 3);
    const { data } = only(events, "tool.schema");
    assert.equal(data["conclave.recall"], "first");
    assert.match(data["conclave.recall_reason"]!, /not known to call tools well/);
  });

  it("decides for itself where the setting says so", async () => {
    const { searched } = await askWith([answers("Ines.")], MIDDLING, { memory: { recall: "model" } });
    assert.deepEqual(searched, []);
  });
});

describe("who searches memory: a small model", () => {
  it("answers from the notes what it does not know by itself, and says whether they prove it", async () => {
    const replies = [knows(false), answers("Ines."), proves(true)];
    const { prompts, requests, events, end: ended } = await askWith(replies, SMALL);
    assert.equal(requests.length, 3);
    assert.ok(requests[0]!.maxTokens <= 32, "the checks are short");
    assert.deepEqual(requests[0]!.runner, requests[1]!.runner, "or the server would load the model anew");
    assert.doesNotMatch(prompts[0]!, /Ines/);
    assert.equal(requests[1]!.messages.length, 2, "notes and question are one message");
    assert.match(prompts[1]!, /- "The parser is looked after by Ines\."\n[^"]*Who looks after the parser\?$/);
    assert.doesNotMatch(prompts[1]!, /Noted/, "old answers are left out");
    const sent = requests[1]!.messages;
    assert.deepEqual(requests[2]!.messages.slice(0, sent.length), sent, "the last prompt is in the cache");
    assert.equal(only(events, "memory.card").data["conclave.check"]?.knows, false);
    assert.equal(only(events, "answer.dialog").data.answer, "Ines.");
    assert.equal(ended.data["conclave.steps"], 1);
  });

  it("is told to say that it doesn't know where the notes don't prove what it answered; that is never shown", async () => {
    const replies = [knows(false), answers("Ben."), proves(false), answers("I don't know.")];
    const { prompts, events } = await askWith(replies, SMALL);
    assert.ok(!prompts[3]!.includes("Ines"), "what does not say it is left out");
    assert.match(prompts[3]!, /parser\?\n\[The notes don't hold the answer/, "it stands behind the question");
    assert.equal(only(events, "answer.dialog").data.answer, "I don't know.");
    const shown = all(events, "model.delta").map(({ data }) => data.text);
    assert.ok(!shown.includes("Ben."));
    assert.match(only(events, "warning").data.message, /notes don't prove/);
  });

  it("answers by itself what it knows", async () => {
    const { prompts, requests } = await askWith([knows(true), answers("Oslo.")], SMALL);
    assert.equal(requests.length, 2);
    assert.ok(!/Ines|hold the answer/.test(prompts[1]!));
  });

  it("is given notes where it is not sure enough that it knows, by the likelihood of its word", async () => {
    for (const [likelihood, isGiven] of [
      [0.9, false],
      [0.55, true],
      [0.2, true],
    ] as const) {
      const replies = [likely("i_know", likelihood), answers("Ines."), proves(true)];
      const { prompts } = await askWith(replies, SMALL);
      assert.equal(prompts[1]!.includes("looked after by Ines"), isGiven, `${likelihood}`);
    }
  });

  it("is not given what the user only asked, however near to the question", async () => {
    const asked = ["Who looks after the parser?", "And the lexer? Who looks after it?"].map(
      (question, at) => ({
        ...HIT,
        episode: { ...HIT.episode, id: `asked${at}`, question },
      }),
    );
    const told = { ...HIT, episode: { ...HIT.episode, question: "It was Ben. Is that still so?" } };
    const { prompts } = await askWith([knows(false), answers("Ines."), proves(true)], SMALL, {
      hits: [...asked, told, HIT],
    });
    assert.ok(!prompts[1]!.includes("lexer"));
    assert.match(prompts[1]!, /"It was Ben\. Is that still so\?"/);
    assert.match(prompts[1]!, /"The parser is looked after by Ines\."/);
  });

  it("is told who it is, and no facts beside what the user told", async () => {
    const persona = {
      name: "Vera",
      kind: "persona",
      traits: [],
      family: [],
      interests: [],
      relationships: [],
    };
    const { prompts } = await askWith([knows(false), answers("Ines."), proves(true)], SMALL, {
      persona: persona as Persona,
    });
    assert.match(prompts[1]!, /You are Vera/);
    assert.doesNotMatch(prompts[1]!, /likes tea/);
  });

  it("is told nothing of tools that it has not", async () => {
    const { prompts } = await askWith([knows(true), answers("Oslo.")], SMALL);
    assert.doesNotMatch(prompts[1]!, /tool/);
  });

  it("is asked only whether it knows where nothing was found", async () => {
    const { prompts, requests } = await askWith([knows(false), answers("I don't know.")], SMALL, {
      hits: [],
    });
    assert.equal(requests.length, 2);
    assert.match(prompts[1]!, /don't hold the answer/);
  });

  for (const question of ["The parser is looked after by Ben now.", "パーサーはベンが見ています。"]) {
    it(`answers "${question}" by confirming it, without notes, which it would only repeat`, async () => {
      const { prompts, requests, events } = await askWith([asks(false), answers("Noted.")], SMALL, {
        question,
      });
      assert.equal(requests.length, 2);
      assert.ok(!prompts.some((prompt) => /Ines|hold the answer/.test(prompt)));
      assert.match(prompts[1]!, /Confirm it/);
      assert.equal(only(events, "memory.card").data["conclave.check"]?.asks, false);
    });
  }

  it("is asked for notes where a request has no question mark, once the model said that it is one", async () => {
    const replies = [asks(true), knows(false), answers("Ines."), proves(true)];
    const { prompts } = await askWith(replies, SMALL, { question: "Tell me who looks after the parser" });
    assert.match(prompts[2]!, /looked after by Ines/);
  });

  it("goes on with a conversation in which none of this stands", async () => {
    const { end: ended } = await askWith(
      [knows(false), answers("Ben."), proves(false), answers("I don't know.")],
      SMALL,
    );
    assert.deepEqual(
      ended.data["conclave.messages"].map(({ content }) => content),
      ["Who looks after the parser?", "I don't know."],
    );
  });

  for (const [what, reply] of [
    ["prose", answers("Yes, I think so")],
    ["another object", answers('{"yes": 1}')],
    ["nothing", answers("")],
    [
      "a failure",
      [{ type: "failure", failure: { code: "server_error", message: "500" }, usage: {} }] as const,
    ],
  ] as const) {
    it(`answers with the notes where the check gave ${what}`, async () => {
      const { prompts, events } = await askWith([reply, answers("Ines.")], SMALL);
      assert.match(prompts[1]!, /looked after by Ines/);
      assert.equal(only(events, "memory.card").data["conclave.check"], undefined);
      assert.equal(only(events, "answer.dialog").data.answer, "Ines.");
    });
  }

  it("is offered no tools that the question's form does not ask for", async () => {
    for (const question of [
      "and/or 3.5/4.0 km?",
      "What changed from v1.2/v1.3?",
      "Is Node.js older than e.g. Deno?",
      "What is 3/4 of 8?",
      "Either/or: which one?",
    ]) {
      const { requests } = await askWith([knows(true), answers("Yes.")], SMALL, { question });
      assert.deepEqual(
        requests.map(({ tools }) => tools),
        [undefined, undefined],
        question,
      );
    }
  });

  for (const [question, tool] of [
    ["What does https://example.org/quay say?", "web_fetch"],
    ["Was steht in src/main.ts?", "read_file"],
    ["Explain `notes.md` to me", "read_file"],
    ["Was steht in docs/Übersicht.md?", "read_file"],
  ] as const) {
    it(`is offered ${tool} alone for "${question}", and none once it has the result`, async () => {
      const replies = [[callTools(call(tool, { query: "x" })), end()], answers("Ines.")];
      const { requests, prompts, events } = await askWith(replies, SMALL, { question });
      assert.deepEqual(
        requests[0]!.tools?.map(({ name }) => name),
        [tool],
      );
      assert.equal(requests[1]!.tools, undefined);
      assert.match(prompts[1]!, /Ines runs the harbor/);
      assert.equal(all(events, "tool.request").length, 1);
      assert.equal(only(events, "answer.dialog").data.answer, "Ines.");
    });
  }

  it("counts the tokens of the check as the turn's", async () => {
    const check = [{ type: "content", text: '{"i_know": true}' } as const, end("stop", 100, 7)];
    const { end: ended } = await askWith(
      [check, [...answers("Ines.").slice(0, 1), end("stop", 120, 3)]],
      SMALL,
    );
    assert.equal(ended.data["gen_ai.usage.input_tokens"], 220);
    assert.equal(ended.data["gen_ai.usage.output_tokens"], 10);
  });
});
