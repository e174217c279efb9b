import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { EpisodeNotes, MemoryHit } from "../../../src/agent/memory/port.ts";
import { publishFeedback } from "../../../src/vscode/chat/feedback.ts";
import { done, text } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { openMemory, openRow, OPEN_ROW, showTable } from "./memory-view.ts";
import { answerBox, chat, tidy } from "./user.ts";
import { askCommand, createWorld, nextEvent, type World } from "./world.ts";

const CHAT = ".interactive-session";
const ANSWER = "main .cell-answer";
const QUERY = "Where does the bittern weathervane stand?";

describe("feedback in what is recalled", () => {
  let world: World;

  beforeEach(async () => {
    world = await createWorld();
    await tidy();
    await vscode.commands.executeCommand("workbench.action.closeAuxiliaryBar");
  });
  afterEach(async () => {
    await world.close();
  });

  /** A turn in a session of its own that is answered and remembered. */
  async function turn(question: string, answer: string): Promise<{ sessionId: string; turnId: string }> {
    world.ollama.enqueue([text(answer), done()]);
    const kept = nextEvent(world.services, "memory.ingested");
    const { sessionId, turnId } = await askCommand(question);
    assert.equal((await kept).data.error, undefined);
    return { sessionId, turnId };
  }

  async function recalled(query = QUERY): Promise<readonly MemoryHit[]> {
    const found = await world.services.memory.search({ query, limit: 10 }, NEVER);
    assert.ok(found.ok, JSON.stringify(found));
    return found.value.hits.filter(({ episode }) => episode.question.includes("bittern"));
  }

  /**
   * What is recalled as soon as all of it is found by its meaning too, where there is a model for that: until then the
   * order changes by itself.
   */
  async function recalledByMeaning(): Promise<readonly MemoryHit[]> {
    for (;;) {
      const hits = await recalled();
      if ((process.env["CONCLAVE_EMBEDDER_DIR"] ?? "") === "") return hits;
      if (hits.every(({ parts }) => parts.vector !== undefined && parts.window !== undefined)) return hits;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** What is noted of a turn that a question finds, as soon as that holds. */
  async function noted(
    turnId: string,
    holds: (notes: EpisodeNotes) => boolean,
    query = QUERY,
  ): Promise<EpisodeNotes> {
    for (;;) {
      const notes = (await recalled(query)).find(({ episode }) => episode.turnId === turnId)?.notes ?? {};
      if (holds(notes)) return notes;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it("a turn that is thumbed down in the panel sinks in the next recall, which says why", async function () {
    if (!canDrive) this.skip();
    await turn("Where does the bittern weathervane stand?", "The bittern weathervane stands on the barn.");
    await turn(
      "Where does the bittern weathervane stand now?",
      "The bittern weathervane stands on the mill.",
    );
    const [first, second] = await recalledByMeaning();
    assert.ok(first && second);
    const { sessionId, turnId } = first.episode;
    await vscode.commands.executeCommand("conclave.openTracePanel", { sessionId, turnId });
    await window.waitForText(ANSWER, first.episode.answer.slice(-10));
    const rewarded = nextEvent(world.services, "reward.event");
    await window.click(`${ANSWER} [aria-label='Poor answer']`);
    const { data, agent } = await rewarded;
    assert.deepEqual(
      [data.reward, agent, data["conclave.episode_ids"]],
      [-1, "conclave", [first.episode.id]],
    );
    await window.fill(`${ANSWER} .note-field`, "It is not there any more.");
    await window.pressIn(`${ANSWER} .note-field`, "Enter");
    await noted(turnId, ({ feedback }) => feedback === "down");
    const after = await recalled();
    assert.deepEqual([after[0]?.episode.id, after[1]?.episode.id], [second.episode.id, first.episode.id]);
    await window.screenshot("feedback-panel");
    await chat(`/recall ${QUERY}`);
    await window.waitForText(`${CHAT} .rendered-markdown`, "thumbed down less than a day ago");
    await window.screenshot("feedback-recall");
    await openMemory();
    await showTable("episodes", "bittern weathervane");
    await openRow(first.episode.question);
    await window.waitForText(OPEN_ROW, "thumbs down");
    await window.screenshot("feedback-memory");
  });

  it("Say Why keeps a note with the thumb that was given last", async function () {
    if (!canDrive) this.skip();
    const { services } = world;
    const { sessionId, turnId } = await turn("What colour is the bittern weathervane?", "Copper.");
    const metadata = { sessionId, turnId, outcome: "answered", question: "What colour?" };
    assert.ok(publishFeedback(services, metadata, "up"));
    const said = nextEvent(services, "user.feedback");
    const asked = vscode.commands.executeCommand("conclave.sayWhy");
    await answerBox("Why was the answer good?", "That is the colour.");
    const { data } = await said;
    assert.deepEqual([data.rating, data.note], ["up", "That is the colour."]);
    await asked;
  });

  it("a question that says that the answer was wrong counts against it, and says that it was concluded", async () => {
    const { services, ollama } = world;
    const question = "Who carved the bittern weathervane?";
    const { sessionId, turnId } = await turn(question, "Nobody knows who did.");
    const concluded = nextEvent(services, "user.feedback");
    ollama.enqueue([text("I am sorry."), done()]);
    await askCommand("No, that's wrong. Who carved it?", sessionId);
    const { data, turnId: judged } = await concluded;
    assert.deepEqual([judged, data["conclave.implicit"], data.rating], [turnId, "contradicted", "down"]);
    const { reward, rewardFor } = await noted(turnId, (notes) => notes.reward !== undefined, question);
    assert.deepEqual([reward, rewardFor], [-0.5, "contradicted"]);
  });
});

const NEVER = new AbortController().signal;
