import assert from "node:assert/strict";
import * as vscode from "vscode";
import { hear, say, window } from "./driver.ts";
import { answerDialog, chat, pick } from "./user.ts";
import { askBurst, episodesOf, memoryPid, SECRET, SHARED, TURNS_EACH } from "./windows.ts";
import { askCommand, joinWorld, nextEvent, set, type World } from "./world.ts";

const CHAT = ".interactive-session";
const AGENT_ROW = ".pane-body .monaco-list-row";

describe("two windows on one store: the second", () => {
  let world: Pick<World, "services" | "container">;

  before(async () => {
    await hear("one is there");
    world = await joinWorld();
    // Its memory process runs before anything is written: what it sees later it can't have read at its start.
    assert.deepEqual(await episodesOf(world.services), []);
    await say("two is there");
  });

  it("finds at once what was asked in the other one", async () => {
    await hear("asked");
    const found = await world.services.memory.search({ query: SHARED }, AbortSignal.timeout(60_000));
    assert.ok(found.ok, JSON.stringify(found));
    assert.deepEqual(
      found.value.hits.map(({ episode }) => episode.question),
      [SHARED],
    );
    await vscode.commands.executeCommand("conclave.openTracePanel");
    await window.waitForText("nav.turns .row", SHARED);
    await window.screenshot("windows-two");
    await say("found");
  });

  it("loses no turn and doubles none while both ask at the same time", async () => {
    await say("two begins");
    await hear("one begins");
    await askBurst(world.services, "two");
    await say("two is through");
    await hear("one is through");
    const questions = (await episodesOf(world.services)).map(({ question }) => question);
    assert.equal(questions.length, 1 + 2 * TURNS_EACH);
    assert.equal(new Set(questions).size, questions.length);
    await say("two has counted");
  });

  it("keeps apart what its folders were told: the one of the active file counts", async () => {
    const [boat, house] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(boat && house, "the window has two folders");
    const look = async (folder: vscode.WorkspaceFolder): Promise<void> => {
      await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, "README.md"));
    };
    await look(boat);
    const kept = nextEvent(world.services, "memory.ingested");
    await askCommand("Which berth is ours?");
    assert.equal((await kept).data.error, undefined);
    await look(house);
    await chat("/recall Which berth is ours?");
    await window.waitForText(CHAT, "Nothing in memory fits");
    assert.equal((await window.texts(CHAT)).join("\n").includes("Berth nine"), false);
    await look(boat);
    await chat("/recall Which berth is ours?");
    await window.waitForText(CHAT, "Berth nine it is");
  });

  it("recalls what another folder said only where the user lets it", async () => {
    await vscode.commands.executeCommand("conclave.newSession");
    await chat(`/recall ${SHARED}`);
    await window.waitForText(`${CHAT} .monaco-button`, "Show memory");
    assert.equal((await window.texts(CHAT)).join("\n").includes("quay-lamp is lit"), false);
    await set("memory.searchScope", "all");
    await chat(`/recall ${SHARED}`);
    await window.waitForText(CHAT, "quay-lamp is lit");
  });

  it("asks in which of its folders a new agent is kept, and tells two of one name apart by theirs", async () => {
    for (const folder of ["boat", "house"]) {
      const made = vscode.commands.executeCommand<string>("conclave.newAgent", {
        name: "Critic",
        kind: "persona",
      });
      await pick(`/${folder}`);
      assert.match(await made, new RegExp(`/${folder}/.conclave/agents/critic.yaml$`));
    }
    await vscode.commands.executeCommand("conclave.agents.focus");
    await window.waitForText(AGENT_ROW, "persona · boat");
    await window.waitForText(AGENT_ROW, "not used · house");
  });

  it("forgets for both", async () => {
    await hear("told the secret");
    const agreed = answerDialog("Forget");
    const removed = vscode.commands.executeCommand<number>("conclave.forget", { about: SECRET });
    assert.ok((await agreed).detail.includes(SECRET));
    assert.ok((await removed) > 0);
    await say("forgotten");
  });

  it("closes, and nothing of it goes on", async () => {
    const kept = nextEvent(world.services, "memory.ingested");
    assert.equal((await askCommand("Is it late?")).outcome, "answered");
    assert.equal((await kept).data.error, undefined);
    await say("pid of two", await memoryPid(world.services));
    await say("two has answered last");
  });
});
