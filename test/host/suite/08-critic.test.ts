import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { EpisodeNotes } from "../../../src/agent/memory/episode.ts";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { done, gate, text, wait } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { openMemory, openRow, OPEN_ROW, showTable } from "./memory-view.ts";
import { chat, tidy } from "./user.ts";
import { askCommand, createWorld, nextEvent, set, settled, type World } from "./world.ts";

const QUESTION = "When does the osprey lantern turn?";
const A = "The osprey lantern turns at noon.";
const B = "It turns at noon, and the osprey lantern is lit an hour before.";

const judged = (score: number, feedback: string) => [text(JSON.stringify({ feedback, score })), done()];
const compared = (winner: string) => [text(JSON.stringify({ feedback: "It says more.", winner })), done()];

describe("the critic", () => {
  let world: World;

  beforeEach(async () => {
    world = await createWorld();
    await tidy();
    await vscode.commands.executeCommand("workbench.action.closeAuxiliaryBar");
    await set("critic.mode", "all");
    await settled("critic.mode", "all");
  });
  afterEach(async () => {
    await set("critic.mode", "off");
    await settled("critic.mode", "off");
    await world.close();
  });

  /** What is noted of the two episodes of a turn, as soon as that holds. */
  async function notesOf(
    turnId: string,
    holds: (a: EpisodeNotes, b: EpisodeNotes) => boolean,
  ): Promise<readonly [EpisodeNotes, EpisodeNotes]> {
    for (;;) {
      const page = await world.services.memory.list({ table: "episodes", offset: 0, limit: 100 }, NEVER);
      const rows = page.ok ? page.value.rows.filter((row) => row.turnId === turnId) : [];
      const of = (respondent: string): EpisodeNotes =>
        rows.find((row) => row.respondent === respondent)?.notes ?? {};
      const [a, b] = [of("A"), of("B")];
      if (holds(a, b)) return [a, b];
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it("grades an answer, has a second one compared with it, and both stand on their episodes", async () => {
    const { services, ollama } = world;
    ollama.enqueue([text(A), done()], judged(4, "Right, and short."));
    const graded = nextEvent(services, "critique.result");
    const turn = await askCommand(QUESTION);
    assert.equal(turn.outcome, "answered");
    const { data, parentId } = await graded;
    assert.deepEqual([data.score, data.feedback, parentId], [4, "Right, and short.", turn.turnId]);
    assert.equal(data["conclave.judge"], "constrained");
    assert.equal(services.judging.badge.text, "$(law) 4 good");

    const respondents = new Set<string>();
    const stop = services.engine.onEvent((event: TurnEvent) => respondents.add(event.respondent));
    // The judge sees A first, then B first: it likes B in both.
    ollama.enqueue([text(B), done()], compared("B"), compared("A"), judged(5, "Says when it is lit too."));
    const verdict = nextEvent(services, "pairwise.result");
    const second = nextEvent(services, "critique.result", ({ respondent }) => respondent === "B");
    const { sessionId, turnId } = turn;
    const asked = await vscode.commands.executeCommand("conclave.compareAnswer", {
      ...{ sessionId, turnId, temperature: 1 },
    });
    assert.equal(asked, true);
    const { data: pair } = await verdict;
    assert.equal(pair.winner, "B");
    assert.equal(pair["conclave.orders"]?.length, 2);
    assert.ok((pair["conclave.episode_ids"]?.length ?? 0) >= 1);
    assert.equal((await second).data.score, 5);
    stop();
    assert.ok(respondents.has("B"));

    const [a, b] = await notesOf(
      turnId,
      (one, other) => one.verdict === "loser" && other.verdict === "winner" && other.score === 5,
    );
    assert.deepEqual([a.score, b.score], [4, 5]);
    assert.notEqual(b.taken, true);
    assert.equal(await vscode.commands.executeCommand("conclave.takeAnswer", { sessionId, turnId }), true);
    await notesOf(turnId, (_one, other) => other.taken === true);
    assert.equal(await vscode.env.clipboard.readText(), B);
  });

  it("shows grade and reasons in the panel, takes a thumb, and memory shows the episode", async function () {
    if (!canDrive) this.skip();
    const { services, ollama } = world;
    ollama.enqueue([text("The heron gate opens at dawn."), done()], judged(2, "It names no day."));
    const graded = nextEvent(services, "critique.result");
    const turn = await askCommand("When does the heron gate open?");
    await graded;
    await vscode.commands.executeCommand("conclave.openTracePanel", turn);
    await window.waitForText("main .cell-answer", "opens at dawn");
    await window.waitForText("main .grade", "2/5");
    await window.waitForText("main .grade-line", "It names no day.");
    await window.screenshot("critic-turn");
    const rated = nextEvent(services, "user.feedback");
    await window.click("main .cell-answer [aria-label='Poor answer']");
    assert.equal((await rated).data.rating, "down");
    await vscode.commands.executeCommand("conclave.showCritic");
    await window.waitForText(".activity-row", "It names no day.");
    await window.screenshot("critic-view");
    await openMemory();
    await showTable("episodes", "heron gate");
    await openRow("When does the heron gate open?");
    await window.waitForText(OPEN_ROW, "2");
  });

  it("is told of in the chat with the next answer: a line, and a reference that opens the grade", async function () {
    if (!canDrive) this.skip();
    const { services, ollama } = world;
    ollama.enqueue([text("The plover gate opens at dusk."), done()], judged(3, "It names no month."));
    const graded = nextEvent(services, "critique.result");
    await chat("When does the plover gate open?");
    const { turnId } = await graded;
    await set("critic.mode", "off");
    await settled("critic.mode", "off");
    ollama.enqueue([text("At six."), done()]);
    await chat("At which hour?");
    await window.waitForText(".interactive-session", "The answer before this one: The critic");
    const address = `conclave:/Grade 3 of 5 (${turnId.slice(0, 8)}).md`;
    const opened = await vscode.workspace.openTextDocument(vscode.Uri.parse(encodeURI(address)));
    assert.match(opened.getText(), /3 of 5.*It names no month/s);
    await window.waitForText(".interactive-session", "reference");
    await window.screenshot("critic-chat");
  });

  it("gives way to a question, and grades both answers afterwards", async () => {
    const { services, ollama } = world;
    const turns: (string | null)[] = [];
    const two = new Promise<void>((resolve) => {
      const stop = services.engine.onEvent((event) => {
        if (event.type !== "critique.result") return;
        turns.push(event.parentId);
        if (turns.length < 2) return;
        stop();
        resolve();
      });
    });
    // The judge of the first answer has not ended when the second question comes.
    const never = gate();
    ollama.enqueue([text("First."), done()], [text('{"feedback":"Still'), wait(never), done()]);
    const first = await askCommand("The first question of the curlew?");
    await ollama.received(2);
    ollama.enqueue([text("Second."), done()], judged(3, "Fair."), judged(4, "Good."));
    const second = await askCommand("The second question of the curlew?");
    assert.equal(second.outcome, "answered");
    await two;
    never.open();
    assert.deepEqual(turns, [second.turnId, first.turnId]);
  });
});

const NEVER = new AbortController().signal;
