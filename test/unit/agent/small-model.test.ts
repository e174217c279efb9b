import assert from "node:assert/strict";
import type { Persona } from "../../../src/agent/persona.ts";
import { all, answers, end, only } from "./support.ts";
import { askWith, SMALL, knows, asks, proves, HIT, likely } from "./small-model.ts";

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
    assert.match(prompts[2]!, /^Note: "The parser is looked after by Ines\."/, "the note alone");
    assert.equal(only(events, "memory.card").data.parts.length, 1);
    assert.equal(only(events, "answer.dialog").data.answer, "Ines.");
    assert.equal(ended.data["conclave.steps"], 1);
  });

  it("is told to say that it doesn't know where the notes don't prove what it answered; that is never shown", async () => {
    const replies = [knows(false), answers("Ben."), proves(false), answers("Je ne sais pas.")];
    const { prompts, events } = await askWith(replies, SMALL);
    assert.ok(!prompts[3]!.includes("Ines"), "what does not say it is left out");
    assert.match(prompts[3]!, /parser\?\n\[The notes don't hold the answer/, "it stands behind the question");
    const quoted = "Nearest in memory:\n\n> 2026-01-02: The parser is looked after by Ines.";
    assert.equal(only(events, "answer.dialog").data.answer, `Je ne sais pas.\n\n${quoted}`);
    const shown = all(events, "model.delta").map(({ data }) => data.text);
    assert.ok(!shown.includes("Ben."));
    assert.match(only(events, "warning").data.message, /notes don't prove/);
  });

  it("is asked about the note that holds most of what it answered, in any script", async () => {
    const notes = ["The lexer is Ute's.", "Парсером занимается Инес.", "パーサーはベンが見ています。"];
    const hits = notes.map((question) => ({ ...HIT, episode: { ...HIT.episode, question } }));
    for (const [answer, note] of [
      ["It is Ute.", notes[0]],
      ["Инес занимается парсером.", notes[1]],
      ["ベンです。", notes[2]],
      ["42.", notes[0]],
    ] as const) {
      const replies = [knows(false), answers(answer), proves(true)];
      const { prompts } = await askWith(replies, SMALL, { hits });
      assert.ok(prompts[2]!.startsWith(`Note: "${note}"`), answer);
    }
  });

  it("tells each of these questions with what came out, and where it stands", async () => {
    const replies = [likely("i_know", 0.12), answers("Ines."), likely("answered", 0.9)];
    const { events } = await askWith(replies, SMALL);
    const told = all(events, "model.check");
    assert.deepEqual(
      told.map(({ data }) => [data.question, Math.round(data.likelihood! * 100), data.from]),
      [
        ["Do you know the answer for sure?", 12, 0.6],
        ["Does the note that it rests on answer the question?", 90, 0.5],
      ],
    );
    assert.equal(told[0]!.parentId, only(events, "agent.start").id);
    assert.equal(told[1]!.parentId, only(events, "step.start").id);
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
    const edited = { ...asked[1]!, notes: { edit: { question: "The lexer is Ute's." } } };
    const { prompts } = await askWith([knows(false), answers("Ines."), proves(true)], SMALL, {
      hits: [...asked, told, HIT, edited],
    });
    assert.ok(!prompts[1]!.includes("And the lexer"));
    assert.match(prompts[1]!, /"The lexer is Ute's\."/, "what the user made of it counts");
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
      assert.deepEqual(all(events, "memory.card"), []);
    });
  }

  it("is asked for notes where a request has no question mark, once the model said that it is one", async () => {
    const replies = [asks(true), knows(false), answers("Ines."), proves(true)];
    const { prompts } = await askWith(replies, SMALL, { question: "Tell me who looks after the parser" });
    assert.match(prompts[2]!, /looked after by Ines/);
  });

  it("goes on with a conversation in which none of this stands", async () => {
    const { end: ended, events } = await askWith(
      [knows(false), answers("Ben."), proves(false), answers("I don't know.")],
      SMALL,
    );
    assert.deepEqual(
      ended.data["conclave.messages"].map(({ content }) => content),
      ["Who looks after the parser?", only(events, "answer.dialog").data.answer],
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
      assert.ok(all(events, "model.check").every(({ data }) => data.likelihood === undefined));
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

  for (const [question, tool, args] of [
    ["What does https://example.org/quay say?", "web_fetch", [{ url: "https://example.org/quay" }]],
    ["(see https://example.org/a?b=1#c.)", "web_fetch", [{ url: "https://example.org/a?b=1#c" }]],
    ["https://example.org/を読んで", "web_fetch", [{ url: "https://example.org/" }]],
    [
      "Compare https://example.org/a and https://example.org/b, also https://example.org/a",
      "web_fetch",
      [{ url: "https://example.org/a" }, { url: "https://example.org/b" }],
    ],
    ["Was steht in src/main.ts?", "read_file", [{ path: "src/main.ts" }]],
    ["Explain `notes.md` to me", "read_file", [{ path: "notes.md" }]],
    ["Was steht in docs/Übersicht.md?", "read_file", [{ path: "docs/Übersicht.md" }]],
  ] as const) {
    it(`is given what ${tool} reads for "${question}", and need not call it`, async () => {
      const { requests, prompts, events } = await askWith([answers("Ines.")], SMALL, { question });
      const called = all(events, "tool.request").map(({ data }) => [data.name, data.arguments]);
      assert.deepEqual(
        called,
        args.map((one) => [tool, one]),
      );
      assert.equal(requests.length, 1);
      assert.equal(requests[0]!.tools, undefined);
      assert.match(prompts[0]!, /Ines runs the harbor/);
      assert.doesNotMatch(prompts[0]!, /looked after by Ines/, "or it would be taken for what was read");
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
