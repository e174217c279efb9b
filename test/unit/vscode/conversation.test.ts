import assert from "node:assert/strict";
import fc from "fast-check";
import {
  conversation,
  readMetadata,
  sessionOf,
  type ChatExchange,
} from "../../../src/vscode/chat/conversation.ts";
import { followUps } from "../../../src/vscode/chat/follow-ups.ts";

const exchange = (question: string, answer: string, metadata?: object): ChatExchange => ({
  question,
  answer,
  metadata,
});
const turn = (turnId: string, sessionId = "s1") => ({
  sessionId,
  turnId,
  outcome: "answered",
  question: "q",
});

describe("which session a chat goes on with", () => {
  it("begins a new one in a new chat", () => {
    assert.deepEqual(conversation([], new Set()), { history: [] });
  });

  it("goes on with the session of the chat's last turn", () => {
    const chat = [exchange("a", "b", turn("t1", "old")), exchange("c", "d", turn("t2", "s1"))];
    assert.equal(sessionOf(chat), "s1");
  });

  it("still knows the session after an exchange that was no turn", () => {
    const listing = { outcome: "answered", question: "cache" };
    assert.equal(sessionOf([exchange("a", "b", turn("t1")), exchange("/recall x", "none", listing)]), "s1");
  });

  it("takes nothing from metadata that is not ours", () => {
    for (const foreign of [null, 7, "s1", {}, { sessionId: 7, outcome: "answered" }, { sessionId: "s1" }])
      assert.equal(readMetadata(foreign), undefined);
  });
});

describe("what VS Code's history fills in", () => {
  it("is nothing while our log has every turn", () => {
    const chat = [exchange("a", "b", turn("t1")), exchange("c", "d", turn("t2"))];
    assert.deepEqual(conversation(chat, new Set(["t1", "t2"])).history, []);
  });

  it("is exactly the turns that our log lacks, oldest first", () => {
    const chat = [
      exchange("one", "1", turn("lost")),
      exchange("two", "2", turn("kept")),
      exchange("three", "3"),
    ];
    assert.deepEqual(conversation(chat, new Set(["kept"])), {
      sessionId: "s1",
      history: [
        { role: "user", content: "one" },
        { role: "assistant", content: "1" },
        { role: "user", content: "three" },
        { role: "assistant", content: "3" },
      ],
    });
  });

  it("leaves out requests that got no answer", () => {
    assert.deepEqual(conversation([exchange("broke off", ""), exchange(" ", "x")], new Set()).history, []);
  });

  it("keeps the newest when the chat is longer than any prompt", () => {
    const chat = Array.from({ length: 100 }, (_, at) => exchange(`q${at}`, "x".repeat(10_000)));
    const { history } = conversation(chat, new Set());
    assert.equal(history.at(-2)?.content, "q99");
    assert.ok(history.length < 50, String(history.length));
  });

  it("always gives pairs of question and answer", () => {
    const exchanges = fc.array(
      fc.record({ question: fc.string(), answer: fc.string(), metadata: fc.anything() }),
    );
    fc.assert(
      fc.property(exchanges, (chat) => {
        const { history } = conversation(chat, new Set());
        history.forEach((message, at) => assert.equal(message.role, at % 2 === 0 ? "user" : "assistant"));
      }),
      { seed: 11 },
    );
  });
});

describe("follow-ups", () => {
  it("offer what is known besides after an answer, and the question again after a failure", () => {
    const after = (outcome: string) => followUps({ ...turn("t1"), outcome, question: "why?" });
    assert.deepEqual(
      after("answered").map((one) => one.command),
      [undefined, "recall"],
    );
    assert.deepEqual(
      after("failed").map((one) => one.prompt),
      ["why?"],
    );
  });

  it("never ask again what was private, nor look for it", () => {
    for (const outcome of ["answered", "failed"])
      for (const { prompt } of followUps({ ...turn("t1"), outcome, question: "", private: true }))
        assert.notEqual(prompt, "");
  });

  it("offer nothing after a cancelled turn or a listing", () => {
    assert.deepEqual(followUps({ ...turn("t1"), outcome: "cancelled" }), []);
    assert.deepEqual(followUps({ outcome: "answered", question: "x" }), []);
    assert.deepEqual(followUps(undefined), []);
  });
});
