import assert from "node:assert/strict";
import { failed } from "../../../src/agent/failure.ts";
import type { Persona } from "../../../src/agent/persona.ts";
import { all, answers, ask, end, only } from "./support.ts";
import { askWith, SMALL, knows, asks, fits, HIT, likely, likelyFits, noted } from "./small-model.ts";

describe("who searches memory: a small model", () => {
  it("answers from the notes that answer the question what it does not know by itself", async () => {
    const replies = [knows(false), fits(true), answers("Ines.")];
    const { prompts, requests, events, end: ended } = await askWith(replies, SMALL);
    assert.equal(requests.length, 3);
    assert.ok(
      requests.slice(0, 2).every(({ maxTokens }) => maxTokens <= 32),
      "the checks are short",
    );
    assert.deepEqual(requests[0]!.runner, requests[2]!.runner, "or the server would load the model anew");
    assert.doesNotMatch(prompts[0]!, /Ines/);
    assert.match(
      prompts[1]!,
      /^Note: "The parser is looked after by Ines\."\s+Does the note answer the question "Who looks/,
      "apart from the conversation",
    );
    assert.equal(requests[2]!.messages.length, 2, "notes and question are one message");
    assert.match(
      prompts[2]!,
      /- "The parser is looked after by Ines\."\n[^"]*Who looks after the parser\?\n/,
    );
    assert.doesNotMatch(prompts[2]!, /Noted/, "old answers are left out");
    assert.equal(only(events, "memory.card").data.parts.length, 1);
    assert.equal(
      only(events, "answer.dialog").data.answer,
      "Ines.\n\n> 2026-01-02: The parser is looked after by Ines.",
      "in the user's own words below",
    );
    assert.equal(ended.data["conclave.steps"], 1);
  });

  it("needs not be asked for an answer where no note surely holds one: those that come near are shown", async () => {
    const [far, near] = [noted("The lexer is Ute's."), noted("Ute has the tests.", 86_400_000)];
    const replies = [knows(false), likelyFits(0.1), likelyFits(0.7), likelyFits(0.4), likelyFits(0.8)];
    const { prompts, events, end: ended } = await askWith(replies, SMALL, { hits: [far, HIT, near] });
    assert.equal(prompts.length, 5);
    const shown = ["> 2026-01-02: The parser is looked after by Ines.", "> 2026-01-03: Ute has the tests."];
    const said = ["I don't know for sure. What you told me that comes nearest:", ...shown];
    assert.equal(only(events, "answer.dialog").data.answer, said.join("\n\n"));
    assert.equal(ended.data.outcome, "answered");
  });

  it("says that nothing was told where no note comes near and it is not sure apart from the conversation", async () => {
    const replies = [knows(false), likelyFits(0.2), likelyFits(0.7)];
    const { prompts, events } = await askWith(replies, SMALL);
    assert.match(
      prompts[2]!,
      /^Question: "Who looks after the parser\?"\s+Do you know the answer for sure\?/,
    );
    assert.equal(prompts.length, 3);
    assert.equal(only(events, "answer.dialog").data.answer, "I don't know: you told me nothing of this.");
  });

  it("answers without notes where none holds the answer and it is sure apart from the conversation", async () => {
    for (const [note, sure] of [
      [0.1, 0.8],
      [0.4, 0.9],
    ] as const) {
      const replies = [knows(false), likelyFits(note), likelyFits(sure), answers("Budapest.")];
      const { prompts, events } = await askWith(replies, SMALL);
      assert.ok(!/Ines|hold the answer/.test(prompts[3]!));
      assert.equal(only(events, "answer.dialog").data.answer, "Budapest.");
    }
  });

  it("is given the notes that are nearly as likely as the best, the newest first, and no others", async () => {
    const likelihoods = [0.7, 0.2, 0.8, 0.5, 0.64];
    const surer = [0.7, 0.95, 0.8];
    const hits = likelihoods.map((likelihood, at) => noted(`It is ${likelihood}.`, at));
    const replies = [knows(false), ...likelihoods.map(likelyFits), answers("0.8.")];
    const { prompts } = await askWith(replies, SMALL, { hits });
    assert.deepEqual(prompts.at(-1)!.match(/(?<=- "It is )[\d.]+(?=\.")/g), ["0.8", "0.7"]);
    const again = await askWith([knows(false), ...surer.map(likelyFits), answers("0.95.")], SMALL, {
      hits: surer.map((likelihood, at) => noted(`It is ${likelihood}.`, at)),
    });
    assert.deepEqual(again.prompts.at(-1)!.match(/(?<=- "It is )[\d.]+(?=\.")/g), ["0.8", "0.95"]);
  });

  it("is asked of newer notes all the same: they may say that it changed", async () => {
    const hits = [noted("It was Monday.", 1), noted("It is blue.", 0), noted("It is Tuesday now.", 2)];
    const replies = [knows(false), likelyFits(0.95), likelyFits(0.9), answers("Tuesday.")];
    const { prompts } = await askWith(replies, SMALL, { hits });
    assert.equal(prompts.length, 4);
    assert.match(prompts[3]!, /Tuesday now\."\n- "It was Monday/);
  });

  it("is not asked of more notes once one is surely the right one", async () => {
    const hits = ["One.", "Two.", "Three."].map((said) => noted(said));
    const { prompts } = await askWith(
      [knows(false), likelyFits(0.3), likelyFits(0.9), answers("Two.")],
      SMALL,
      {
        hits,
      },
    );
    assert.equal(prompts.length, 4);
    assert.ok(prompts[3]!.includes("Two.") && !prompts[3]!.includes("One."));
  });

  it("tells each of these questions with what came out, and of which memory", async () => {
    const replies = [likely("i_know", 0.12), likelyFits(0.9), answers("Ines.")];
    const { events } = await askWith(replies, SMALL);
    const agentId = only(events, "agent.start").id;
    assert.deepEqual(
      all(events, "model.check").map(({ parentId, data }) => [
        parentId,
        data.question,
        Math.round(data.likelihood! * 100),
        data.episodeId,
      ]),
      [
        [agentId, "Do you know the answer for sure?", 12, undefined],
        [agentId, "Does the note answer the question?", 90, "e1"],
      ],
    );
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
      const checks = isGiven ? [fits(true)] : [];
      const { prompts } = await askWith([likely("i_know", likelihood), ...checks, answers("Ines.")], SMALL);
      assert.equal(prompts.at(-1)!.includes("looked after by Ines"), isGiven, `${likelihood}`);
    }
  });

  it("is not given what the user only asked, however near to the question", async () => {
    const asked = ["Who looks after the parser?", "And the lexer? Who looks after it?"].map(
      (question, at) => ({
        ...HIT,
        episode: { ...HIT.episode, id: `asked${at}`, question },
      }),
    );
    const told = noted("It was Ben. Is that still so?");
    const edited = { ...asked[1]!, notes: { edit: { question: "The lexer is Ute's." } } };
    const unlikely = likelyFits(0.3);
    const replies = [knows(false), unlikely, unlikely, unlikely, unlikely];
    const { prompts } = await askWith(replies, SMALL, { hits: [...asked, told, HIT, edited] });
    const notes = prompts
      .filter((prompt) => prompt.startsWith("Note: "))
      .map((prompt) => prompt.split('"')[1]);
    assert.deepEqual(notes, ["It was Ben.", "The parser is looked after by Ines.", "The lexer is Ute's."]);
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
    const { prompts } = await askWith([knows(false), fits(true), answers("Ines.")], SMALL, {
      persona: persona as Persona,
    });
    assert.match(prompts[2]!, /You are Vera/);
    assert.doesNotMatch(prompts[2]!, /likes tea/);
  });

  it("is told nothing of tools that it has not", async () => {
    const { prompts } = await askWith([knows(true), answers("Oslo.")], SMALL);
    assert.doesNotMatch(prompts[1]!, /tool/);
  });

  it("says that nothing was told where memory holds nothing", async () => {
    const { requests, events } = await askWith([knows(false), fits(false)], SMALL, { hits: [] });
    assert.equal(requests.length, 2);
    assert.match(only(events, "answer.dialog").data.answer, /^I don't know: [^\n]*$/);
  });

  for (const question of ["The parser is looked after by Ben now.", "パーサーはベンが見ています。"]) {
    it(`answers "${question}" by confirming it, without notes, which it would only repeat`, async () => {
      const { prompts, requests } = await askWith([asks(false), answers("Noted.")], SMALL, {
        question,
      });
      assert.equal(requests.length, 2);
      assert.ok(!prompts.some((prompt) => /Ines|hold the answer/.test(prompt)));
      assert.match(prompts[1]!, /Confirm it/);
    });
  }

  it("does not answer with what was told before what may be news", async () => {
    const replies = [likely("asks_for_information", 0.45), knows(false), likelyFits(0.5), likelyFits(0.3)];
    const { prompts, events } = await askWith([...replies, answers("Noted.")], SMALL, {
      question: "The parser is looked after by Ben now.",
    });
    assert.match(prompts.at(-1)!, /Statements: confirm them/);
    assert.equal(only(events, "answer.dialog").data.answer, "Noted.");
  });

  it("is asked for notes where a request has no question mark, once the model said that it is one", async () => {
    const replies = [asks(true), knows(false), fits(true), answers("Ines.")];
    const { prompts } = await askWith(replies, SMALL, { question: "Tell me who looks after the parser" });
    assert.match(prompts[3]!, /looked after by Ines/);
  });

  it("goes on with a conversation in which none of this stands", async () => {
    const { end: ended, events } = await askWith([knows(false), fits(false)], SMALL);
    assert.deepEqual(
      ended.data["conclave.messages"].map(({ content }) => content),
      ["Who looks after the parser?", only(events, "answer.dialog").data.answer],
    );
  });

  it("is given all notes where it says neither yes nor no of one", async () => {
    const { prompts } = await askWith([knows(false), answers("Perhaps"), answers("Ines.")], SMALL);
    assert.match(prompts[2]!, /looked after by Ines/);
  });

  it("is not told that nothing answers where the conversation may", async () => {
    const first = await askWith(
      [knows(true), answers("Ines."), knows(false), fits(false), answers("Yes.")],
      SMALL,
    );
    const again = await ask(first.engine, "Are you sure?", { sessionId: first.sessionId });
    assert.doesNotMatch(
      first.requests
        .at(-1)!
        .messages.map(({ content }) => content)
        .join(),
      /hold the answer/,
    );
    assert.equal(only(again.events, "answer.dialog").data.answer, "Yes.");
  });

  it("is not told that nothing answers what a file that is attached may answer", async () => {
    const replies = [
      knows(true),
      answers("Ines."),
      knows(false),
      fits(false),
      fits(false),
      answers("It sorts."),
    ];
    const references = [{ label: "a.ts", uri: "file:///a.ts", text: "export const sort = 1;" }];
    const { engine, requests } = await askWith(replies, SMALL);
    const again = await ask(engine, "What is this?", { references });
    assert.doesNotMatch(only(again.events, "answer.dialog").data.answer, /you told me/);
    assert.equal(requests.length, 5, "it is not asked whether it is sure");
  });

  it("does not say that nothing was told where memory could not be searched", async () => {
    const memory = { search: () => Promise.resolve(failed("memory_unavailable", "It is gone.")) };
    const { events } = await askWith([answers("Hm.")], SMALL, { port: memory });
    assert.equal(only(events, "answer.dialog").data.answer, "Hm.");
    assert.match(only(events, "warning").data.message, /does without memory/);
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
      assert.ok(all(events, "model.check").every(({ data }) => data.likelihood === undefined));
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
