import assert from "node:assert/strict";
import * as vscode from "vscode";
import { done, text } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { answerBox, chat, confirmPicks, palette, pick, settingBecomes, tidy } from "./user.ts";
import { createWorld, nextEvent, set, type World } from "./world.ts";

const CHAT = ".interactive-session";

describe("the chat, beyond a plain question", () => {
  let world: World;

  beforeEach(async () => {
    world = await createWorld();
    await tidy();
    await vscode.commands.executeCommand("conclave.newSession");
  });

  afterEach(async () => {
    await world.close();
  });

  function cacheFile(): vscode.Uri {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    return vscode.Uri.joinPath(folder, "src", "cache.ts");
  }

  function sent(): string {
    return JSON.stringify(world.ollama.chats.at(-1)?.messages);
  }

  it("/remember keeps a note, and /recall finds it, without asking the model", async function () {
    if (!canDrive) this.skip();
    await chat("/remember the pilot's boat is called Petrel");
    await window.waitForText(CHAT, "Remembered: the pilot's boat is called Petrel");
    await chat("/recall name of the pilot's boat");
    await window.waitForText(`${CHAT} .rendered-markdown`, "memories:");
    await window.waitForText(`${CHAT} .rendered-markdown li`, "Petrel");
    await window.screenshot("chat-recall");
    assert.deepEqual(world.ollama.chats, []);
  });

  it("takes a command that was pasted with our name into a chat that is with us already", async function () {
    if (!canDrive) this.skip();
    world.ollama.enqueue([text("Aye."), done()]);
    await chat("Are you there?");
    await chat("@conclave /remember the tug is called Auk");
    await window.waitForText(CHAT, "Remembered: the tug is called Auk");
    assert.equal(world.ollama.chats.length, 1);
  });

  it("shows what a model writes as text: no command runs, no tag counts, and no link leads to either", async function () {
    if (!canDrive) this.skip();
    const hostile =
      "Read [go](command:conclave.newSession), [x](javascript:alert(1)), <a href='command:conclave.newSession'>so</a> " +
      "<img src=x onerror=alert(1)><style>body{display:none}</style> and `code`, the harmless end.";
    world.ollama.enqueue([text(hostile), done()]);
    await chat("What does the page say?");
    await window.waitForText(CHAT, "the harmless end");
    const answer = `${CHAT} .interactive-response .rendered-markdown`;
    for (const href of ["command:", "javascript:"])
      for (const attribute of ["href", "data-href"])
        assert.equal(await window.count(`${answer} [${attribute}^="${href}"]`), 0, `${attribute} ${href}`);
    assert.equal(await window.count(`${answer} [onerror], ${answer} style`), 0);
  });

  it("hands the model the text of a file that was attached, by its name", async () => {
    world.ollama.enqueue([text("For ten minutes."), done()]);
    await chat("How long does it keep?", { attachFiles: [cacheFile()] });
    assert.match(sent(), /src\/cache\.ts/);
    assert.match(sent(), /until: Date\.now\(\) \+ 600_000/);
  });

  it("hands the model the selection of the editor when one asks from the Command Palette", async function () {
    if (!canDrive) this.skip();
    world.ollama.enqueue([text("It reads the entry."), done()]);
    await vscode.window.showTextDocument(cacheFile(), { selection: new vscode.Range(5, 0, 6, 0) });
    const ended = nextEvent(world.services, "turn.end");
    await palette("Ask");
    await answerBox("With the selection src/cache.ts:6-7", "What does this do?");
    await ended;
    assert.match(sent(), /const entry = this\.#entries\.get\(place\)/);
    assert.doesNotMatch(sent(), /600_000/);
  });

  it("says once that Ollama is not there, with the button that helps", async function () {
    if (!canDrive) this.skip();
    await world.ollama.close();
    const result = await chat("Is anybody there?");
    assert.match(result, /"outcome":"failed"/);
    await window.waitForText(`${CHAT} .monaco-button`, "Start Ollama");
    await window.screenshot("chat-no-ollama");
    const said = (await window.texts(CHAT)).join("\n").match(/No Ollama answers|Ollama (is|does|can)/g);
    assert.equal(said?.length, 1, (await window.texts(CHAT)).join("\n"));
  });

  it("offers the web under a question that wants it, and walks through what a search needs", async function () {
    if (!canDrive) this.skip();
    for (const key of ["web.fetch.enabled", "web.search.enabled", "web.search.provider", "web.search.url"])
      await set(key, undefined);
    try {
      world.ollama.enqueue([text("I can't look that up."), done()]);
      await chat("Search the web for the newest tide tables.");
      await window.waitForText(CHAT, "web tools are off");
      const on = settingBecomes("web.search.enabled", true);
      await window.click(`${CHAT} .monaco-button`, "Turn on web tools");
      await pick("Search the web");
      await window.screenshot("web-tools");
      await confirmPicks();
      await pick("SearXNG");
      await answerBox("Its search.formats must list json", "http://127.0.0.1:9");
      await on;
      const settings = vscode.workspace.getConfiguration("conclave");
      assert.deepEqual(
        ["web.fetch.enabled", "web.search.provider", "web.search.url"].map((key) => settings.get(key)),
        [true, "searxng", "http://127.0.0.1:9"],
      );
    } finally {
      for (const key of ["web.search.enabled", "web.search.provider", "web.search.url"])
        await set(key, undefined);
    }
  });
});
