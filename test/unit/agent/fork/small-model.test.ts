import assert from "node:assert/strict";
import { askWith, fits, knows, SMALL } from "../small-model.ts";
import { all, answers, only } from "../support.ts";
import { branch } from "./bed.ts";

describe("a branch of a turn whose page was read for the model", () => {
  const asked = () =>
    askWith([answers("Ines runs it.")], SMALL, { question: "What does https://example.org/quay say?" });
  const lastStep = ({ events }: Awaited<ReturnType<typeof asked>>) => all(events, "step.start").at(-1)!.id;

  it("keeps what was read, without reading it anew", async () => {
    const turn = await asked();
    const before = turn.requests.length;
    const fork = await branch(turn.engine, turn, { eventId: lastStep(turn) });
    assert.equal(turn.requests.length, before + 1);
    assert.deepEqual(turn.requests.at(-1)!.messages, turn.requests[before - 1]!.messages);
    assert.ok(only(fork.events, "tool.request").replays !== undefined);
    assert.equal(all(fork.events, "step.start").length, 2);
  });

  it("goes on from another text of the page", async () => {
    const turn = await asked();
    const { id } = only(turn.events, "tool.result");
    const edit = { part: "tool_result", eventId: id, text: "Ben runs it." } as const;
    await branch(turn.engine, turn, { eventId: id, edits: [edit] });
    const sent = turn.requests.at(-1)!.messages.map(({ content }) => content);
    assert.match(sent.at(-1)!, /\nBen runs it\.$/);
    assert.doesNotMatch(sent.join("\n"), /Ines runs the harbor/);
  });
});

describe("a branch of a turn that was answered from notes", () => {
  it("asks with the notes of then, and asks nothing of them again", async () => {
    const turn = await askWith([knows(false), fits(true), answers("Ines.")], SMALL);
    const fork = await branch(turn.engine, turn, { eventId: only(turn.events, "step.start").id });
    assert.equal(turn.requests.length, 4);
    assert.deepEqual(turn.requests[3]!.messages, turn.requests[2]!.messages);
    assert.equal(only(fork.events, "answer.dialog").data.answer, "Ines.");
  });
});
