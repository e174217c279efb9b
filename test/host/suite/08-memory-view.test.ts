import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { done, text, toolCall } from "../../support/ollama/index.ts";
import type { ScriptedOllamaOptions } from "../../support/ollama/types.ts";
import { canDrive, window } from "./driver.ts";
import {
  changeField,
  chooseFile,
  forgetBy,
  MEMORY_ROW,
  OPEN_ROW,
  openMemory,
  openRow,
  showTable,
  TOLD,
} from "./memory-view.ts";
import { tidy } from "./user.ts";
import { askCommand, createWorld, leave, nextEvent, set, storedIn, theme, type World } from "./world.ts";

const TAUGHT =
  "My sister Ottilie lives in Bergen, and I prefer rye bread over wheat bread. Which page tells of tides?";

/** What the helper model makes of it. */
const EXTRACTION = {
  intent: "fact",
  sentiment: "positive",
  entities: [
    { name: "Ottilie", type: "person" },
    { name: "Bergen", type: "place" },
  ],
  facts: [
    {
      quote: "I prefer rye bread over wheat bread",
      text: "The user prefers rye bread over wheat bread.",
      kind: "preference",
      about: "user",
      certain: true,
    },
    {
      quote: "My sister Ottilie lives in Bergen",
      text: "The user's sister Ottilie lives in Bergen.",
      kind: "relationship",
      about: "Ottilie",
      certain: true,
    },
  ],
  relations: [
    { quote: "My sister Ottilie", from: "Ottilie", type: "sister_of", to: "user", current: true },
    { quote: "Ottilie lives in Bergen", from: "Ottilie", type: "lives_in", to: "Bergen", current: true },
  ],
  interests: ["rye bread"],
};

/** Whatever asks for a given form is the reader of turns; all others take the replies that lie ready. */
const READER: ScriptedOllamaOptions = {
  models: [{ name: "scripted:latest" }, { name: "reader:1b", capabilities: ["completion"] }],
  script: ({ body }) => (body.format === undefined ? undefined : [text(JSON.stringify(EXTRACTION)), done()]),
};

describe("everything that is remembered, in the view", () => {
  let world: World;
  let taught: { readonly sessionId: string; readonly turnId: string };

  before(async function () {
    if (!canDrive) {
      this.skip();
      return;
    }
    world = await createWorld(READER);
    await tidy();
    await set("helperModel", "reader:1b");
    await set("memory.extraction", "model");
    world.ollama.enqueue(
      [toolCall("web_fetch", { url: world.page }), done()],
      [text("The page on the tide cache does."), done()],
    );
    const learnt = nextEvent(world.services, "memory.learned");
    taught = await askCommand(TAUGHT);
    const { data } = await learnt;
    assert.deepEqual([data.error, data["conclave.by"], data["conclave.extracted"]], [undefined, "model", 2]);
    await set("memory.extraction", "off");
  });

  after(async () => {
    if (!canDrive) return;
    await set("helperModel", undefined);
    await world.close();
  });

  /** What a tool gives the model, in a turn that calls it. */
  async function told(tool: string, args: object): Promise<string> {
    world.ollama.enqueue([toolCall(tool, args), done()], [text("I see."), done()]);
    const kept = nextEvent(world.services, "memory.ingested");
    const { turnId } = await askCommand(`What does ${tool} say?`);
    await kept;
    const found = world.events.find((event) => event.turnId === turnId && event.type === "tool.result");
    return found?.type === "tool.result" ? (found.data.result ?? "") : "";
  }

  it("the helper model reads the turn once, after the answer, with the form it has to keep to", () => {
    const readings = world.ollama.chats.filter(({ format }) => format !== undefined);
    assert.deepEqual(
      readings.map(({ model }) => model),
      ["reader:1b"],
    );
    const [reading] = readings;
    assert.match(JSON.stringify(reading?.messages), /rye bread over wheat/);
    assert.doesNotMatch(JSON.stringify(reading?.messages), /dropped when a row changes/, "no page is learnt");
  });

  it("the turn shows what was learnt from it", async () => {
    await vscode.commands.executeCommand("workbench.action.closeAuxiliaryBar");
    await vscode.commands.executeCommand("conclave.openTracePanel", taught);
    await window.waitForText("main .cell-answer", "tide cache");
    await window.waitForText("aside.facts", "rye bread");
    await window.screenshot("memory-learnt-turn");
  });

  it("every table has its rows, and a row opens to all there is of it", async () => {
    await openMemory();
    await showTable("episodes");
    await window.waitForText(MEMORY_ROW, "My sister Ottilie");
    await showTable("facts");
    await window.waitForText(MEMORY_ROW, "prefers rye bread");
    await openRow("prefers rye bread");
    await window.waitForText(OPEN_ROW, "“I prefer rye bread over wheat bread”");
    await window.screenshot("memory-view-facts-dark");
    await theme("light");
    await window.screenshot("memory-view-facts-light");
    await theme("dark");
    await showTable("people");
    await window.waitForText(MEMORY_ROW, "Ottilie");
    await window.screenshot("memory-view-people");
    await showTable("relationships");
    await window.waitForText(MEMORY_ROW, "lives in");
    await window.screenshot("memory-view-relationships");
    await showTable("resources");
    await window.waitForText(MEMORY_ROW, "Tide cache");
    await window.screenshot("memory-view-resources");
  });

  it("a ranked search says why a memory is recalled, part by part", async () => {
    await openMemory();
    await showTable("episodes");
    await window.click("main .chip[role=switch]", "Ranked");
    await window.fill("main .memory-filter .search input", "Which bread does the user prefer, rye or wheat?");
    await window.waitForText("main .memory-foot", "recalled");
    await openRow("My sister Ottilie");
    await window.waitForText(`${OPEN_ROW} .why`, "Why recalled");
    await window.waitForText(`${OPEN_ROW} .why`, "relevance");
    await window.screenshot("memory-view-why");
    await window.click("main .chip[role=switch]", "Ranked");
  });

  it("a fact that is corrected is told in the corrected words, and a name by its new one", async () => {
    await openMemory();
    await showTable("facts");
    await openRow("prefers rye bread");
    await changeField("fact", "");
    await window.waitForText(`${OPEN_ROW} .edit-problem`, "It can't be empty");
    await window.pressIn(`${OPEN_ROW} .editor :is(input, textarea)`, "Escape");
    await changeField("fact", "rye and wheat ".repeat(700));
    await window.waitForText(`${OPEN_ROW} .edit-problem`, "too long");
    await window.pressIn(`${OPEN_ROW} .editor :is(input, textarea)`, "Escape");
    await changeField("about", "user ".repeat(2_000));
    await window.waitForText(`${OPEN_ROW} .edit-problem`, "too long");
    await window.pressIn(`${OPEN_ROW} .editor :is(input, textarea)`, "Escape");
    await changeField("fact", "The user prefers spelt bread over rye bread.");
    await window.waitForText(MEMORY_ROW, "prefers spelt bread");
    const bread = await told("search_memory", { query: "which bread the user prefers" });
    assert.match(bread, /IS The user prefers spelt bread over rye bread/);
    assert.doesNotMatch(bread, /IS The user prefers rye bread/);
    await openMemory();
    await showTable("people");
    await openRow("Ottilie");
    await changeField("name", "Ottoline");
    await window.waitForText(MEMORY_ROW, "Ottoline");
    const graph = await told("search_knowledge_graph", { people: ["Ottoline"], locations: [] });
    assert.match(graph, /IS Ottoline lives in Bergen/);
    await window.screenshot("memory-view-corrected");
  });

  it("what no longer holds stays in the table, and is told as past", async () => {
    await openMemory();
    await showTable("relationships", "lives_in");
    await openRow("Ottoline");
    await window.click(`${OPEN_ROW} .actions button`, "It no longer holds");
    await window.waitForText(`${MEMORY_ROW}.over`, "WAS");
    const graph = await told("search_knowledge_graph", { people: [], locations: ["Bergen"] });
    assert.match(graph, /WAS Ottoline lives in Bergen \(past/);
    await window.screenshot("memory-view-past");
  });

  it("an export is read back: what was forgotten since comes again, the rest is there already", async () => {
    const folder = await mkdtemp(join(tmpdir(), "conclave-view-"));
    const path = join(folder, "memory.jsonl");
    try {
      await openMemory();
      await showTable("facts");
      chooseFile("showSaveDialog", path);
      await window.click("main [aria-label='Export memory …']");
      await window.waitForText(TOLD, `rows to ${path}`);
      assert.match(await readFile(path, "utf8"), /spelt bread/);
      await openRow("spelt bread");
      const refused = await forgetBy(`${OPEN_ROW} .actions button`, "Forget");
      assert.match(refused.message, /^Forget 1 fact for good\?$/);
      assert.match(refused.detail, /spelt bread/);
      await window.waitForText(MEMORY_ROW, "spelt bread");
      await forgetBy(`${OPEN_ROW} .actions button`, "Forget", "Forget");
      await window.waitForText(TOLD, "Forgotten: 1 fact");
      await window.waitGone(MEMORY_ROW, "spelt bread");
      chooseFile("showOpenDialog", path);
      await window.click("main [aria-label='Import memory …']");
      await window.waitForText(TOLD, "Imported 1 row");
      await window.waitForText(MEMORY_ROW, "spelt bread");
      await window.screenshot("memory-view-imported");
      await writeFile(path, "this is\nno export { at all\n\u0000\n");
      chooseFile("showOpenDialog", path);
      await window.click("main [aria-label='Import memory …']");
      await window.waitForText(TOLD, "could not be read");
      await window.screenshot("memory-view-bad-import");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("what is forgotten in the view is gone from tables, search and traces", async () => {
    const secret = "obsidian-sentinel";
    world.ollama.enqueue([text(`Your key is ${secret}, then.`), done()]);
    const kept = nextEvent(world.services, "memory.ingested");
    await askCommand(`My key is ${secret}.`);
    await kept;
    await world.services.log.flush();
    assert.ok((await storedIn(world, secret)).length >= 2);
    await openMemory();
    await showTable("episodes", secret);
    await window.click(`${MEMORY_ROW} input[type=checkbox]`);
    await window.waitForText("main .memory-foot", "1 selected");
    const { message, detail } = await forgetBy("main .memory-foot button", "Forget", "Forget");
    assert.match(message, /^Forget 1 episode for good\?$/);
    assert.ok(detail.includes(secret), detail);
    await window.waitForText(TOLD, "Forgotten: 1 episode");
    await window.waitForText("main .memory", "Nothing matches");
    await window.waitGone("nav.turns .row", secret);
    await window.screenshot("memory-view-forgotten");
    assert.deepEqual(await storedIn(world, secret), []);
    const found = await told("search_memory", { query: "what the user's key is" });
    assert.equal(found.includes(secret), false);
    const remembered = "Which knot holds best?";
    world.ollama.enqueue([text("The bowline."), done()]);
    const last = nextEvent(world.services, "memory.ingested");
    await askCommand(remembered);
    await last;
    await leave({ forgotten: secret, remembered });
  });

  it("forgets all about somebody, after a yes that names all of it", async () => {
    await openMemory();
    await showTable("people");
    await window.click("main [aria-label='Forget all about …']");
    await window.fill("main form[aria-label='Forget all about'] input", "nobody of that name");
    await window.pressIn("main form[aria-label='Forget all about'] input", "Enter");
    await window.waitForText(TOLD, "Nothing");
    await openRow("Ottoline");
    const { detail } = await forgetBy(`${OPEN_ROW} .actions button`, "Forget all about", "Forget");
    assert.match(detail, /Ottoline|Ottilie/);
    await window.waitForText(TOLD, "Forgotten:");
    await window.waitGone(MEMORY_ROW, "Ottoline");
    await window.screenshot("memory-view-all-about");
    const graph = await told("search_knowledge_graph", { people: ["Ottoline", "Ottilie"], locations: [] });
    assert.doesNotMatch(graph, /Bergen/);
  });
});
