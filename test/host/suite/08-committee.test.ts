import assert from "node:assert/strict";
import * as vscode from "vscode";
import { INNER_TEAM } from "../../../src/agent/committee/settings.ts";
import type { EventOf } from "../../../src/agent/events.ts";
import { done, httpError, startScriptedOllama, toolCall, words } from "../../support/ollama/index.ts";
import type { ChatRequestView, ReplySteps } from "../../support/ollama/types.ts";
import { canDrive, window } from "./driver.ts";
import { answerBox, chat, confirmPicks, lines, palette, pick, settingBecomes, tidy } from "./user.ts";
import { createWorld, nextEvent, set, theme, type World } from "./world.ts";

const CHAT = ".interactive-session";
const QUESTION = "should the cache stay in process now that there are two replicas?";
const SYNTHESIS =
  "Keep the cache in process, and drop entries on the `row.changed` event, which both replicas hear.\n\n" +
  "## Another view\n\nStale reads are hard to see: count them before you trust it.";

const SAID: Readonly<Record<string, string>> = {
  Skeptic: "Position: No, move it out of the process.\n\nA write on one replica leaves the other stale.",
  "Evidence Seeker":
    "Position: Keep it in process.\n\nMemory holds the decision of 12 March, for one replica.",
  "Newcomer's Advocate": "Position: Keep it in process.\n\nOne thing less to learn.",
  Pragmatist: "Position: Keep it in process.\n\nDropping entries on the event is ten lines.",
  "The Self": SYNTHESIS,
};

/** Who a request is made to, by the part that stands last in it. */
function speakerOf({ body }: ChatRequestView): string {
  const asked = body.messages.findLast(({ content }) => content.includes("Your part in this is "));
  return /Your part in this is (.+):\n/.exec(asked?.content ?? "")?.[1] ?? "";
}

describe("a committee in the window", () => {
  let world: World;
  /** Speakers whose calls fail. */
  const failing = new Set<string>();

  function script(request: ChatRequestView): ReplySteps | undefined {
    const name = speakerOf(request);
    const said = SAID[name];
    if (said === undefined) return undefined;
    if (failing.has(name)) return [httpError(404, { error: `model "gone:1b" not found` })];
    const searched = request.body.messages.some(({ role }) => role === "tool");
    return name === "Evidence Seeker" && !searched
      ? [toolCall("search_memory", { query: "cache replicas" }), done()]
      : [...words(said), done({ prompt_eval_count: 1_300, eval_count: 90 })];
  }

  beforeEach(async () => {
    failing.clear();
    world = await createWorld({ script });
    await tidy();
    await vscode.commands.executeCommand("conclave.newSession");
  });

  afterEach(async () => {
    await set("committee.enabled", undefined);
    await world.close();
  });

  const answerOf = async (ended: Promise<EventOf<"answer.dialog">>): Promise<string> =>
    (await ended).data.answer;

  it("answers /committee in the chat: the synthesis, what stands beside it, and the way to the trace", async function () {
    if (!canDrive) this.skip();
    const ended = nextEvent(world.services, "answer.dialog");
    await vscode.commands.executeCommand("workbench.action.closeSidebar");
    await chat(`/committee ${QUESTION}`);
    assert.equal(await answerOf(ended), SYNTHESIS);
    const answer = `${CHAT} .interactive-response`;
    await window.waitForText(answer, "drop entries on the row.changed event");
    await window.waitForText(`${answer} li`, "No, move it out of the process.");
    await window.waitForText(answer, "majority, 3 of 4");
    await window.waitForText(answer, "another view: Skeptic");
    const shown = (await window.texts(answer)).join("\n");
    assert.ok(!shown.includes("One thing less to learn"), "what members say is not the answer");
    await window.screenshot("committee-chat-dark");
    await window.click(`${CHAT} .monaco-button`, "Open trace");
    await window.waitForText("main .cell-round", "Evidence Seeker");
    await window.waitForText("header", "committee · 4 · blind");
    assert.equal(await window.count("main .member"), 4);
    await window.screenshot("committee-chat-panel-dark");
  });

  it("answers Ask the Committee from the Command Palette in the panel, with rounds as columns, in both themes", async function () {
    if (!canDrive) this.skip();
    await vscode.commands.executeCommand("workbench.action.closeAuxiliaryBar");
    await vscode.commands.executeCommand("workbench.action.closeSidebar");
    const ended = nextEvent(world.services, "turn.end");
    await palette("Ask the Committee");
    await answerBox("Conclave: Ask", QUESTION);
    assert.equal((await ended).data.outcome, "answered");
    await window.waitForText("main .cell-answer", "Another view");
    await window.waitForText("main .member .badges", "memory");
    await window.waitForText("main .cell-verdict", "majority: 3 of 4 · another view: Skeptic");
    await window.waitForText(".facts", "Evidence Seeker");
    await window.screenshot("committee-panel-dark");
    await theme("light");
    try {
      await window.waitForText("main .cell-answer", "Another view");
      await window.screenshot("committee-panel-light");
    } finally {
      await theme("dark");
    }
  });

  it("is asked by the panel's switch, and keeps that setting", async function () {
    if (!canDrive) this.skip();
    await palette("Open Trace Panel");
    const kept = settingBecomes("committee.enabled", true);
    await window.click("footer button", "committee off");
    await window.waitForText("footer button", "committee on");
    await kept;
    const started = nextEvent(world.services, "committee.start");
    const ended = nextEvent(world.services, "turn.end");
    await window.fill("footer textarea", QUESTION);
    await window.pressIn("footer textarea", "Control+Enter");
    assert.deepEqual(
      (await started).data["conclave.personas"].map(({ name }) => name),
      ["Skeptic", "Evidence Seeker", "Newcomer's Advocate", "Pragmatist"],
    );
    assert.equal((await ended).data.outcome, "answered");
  });

  it("is spread over the servers of the settings", async () => {
    const other = await startScriptedOllama({ script });
    try {
      await set("committee.hosts", [other.host]);
      const ended = nextEvent(world.services, "answer.dialog");
      await vscode.commands.executeCommand("conclave.askCommittee", { question: QUESTION, open: false });
      assert.equal(await answerOf(ended), SYNTHESIS);
      assert.ok(other.chats.length >= 2, `${other.chats.length} calls on the second server`);
      assert.ok(world.ollama.chats.length >= 2);
    } finally {
      await set("committee.hosts", undefined);
      await other.close();
    }
  });

  it("is chosen from the teams, or each member by hand, which the settings then hold", async function () {
    if (!canDrive) this.skip();
    try {
      const team = settingBecomes("committee.personas", [...INNER_TEAM]);
      await palette("Choose the Committee");
      await pick("Inner voices");
      await team;
      const one = settingBecomes("committee.personas", ["Skeptic", ...INNER_TEAM]);
      await palette("Choose the Committee");
      await pick("Choose each...");
      assert.match(await lines("Looks for what fails"), /Skeptic/);
      await pick("Skeptic");
      await confirmPicks();
      await one;
    } finally {
      await set("committee.personas", undefined);
    }
  });

  it("names a member that fails, and shows what others said where nobody could sum up, which is then tried again", async function () {
    if (!canDrive) this.skip();
    failing.add("Pragmatist").add("The Self");
    await chat(`/committee ${QUESTION}`);
    const answer = `${CHAT} .interactive-response`;
    await window.waitForText(answer, "Pragmatist gave no answer");
    await window.waitForText(answer, "The best single answer stands in");
    await window.screenshot("committee-no-synthesis");
    failing.clear();
    const asked = world.ollama.chats.length;
    const ended = nextEvent(world.services, "answer.dialog");
    await window.click(`${CHAT} .monaco-button`, "Retry synthesis");
    assert.equal(await answerOf(ended), SYNTHESIS);
    assert.equal(world.ollama.chats.length, asked + 1, "no member was asked again");
    await window.waitForText("main .cell-answer", "Another view");
    await window.screenshot("committee-retried");
  });
});
