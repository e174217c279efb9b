import assert from "node:assert/strict";
import type { PanelBed } from "../unit/trace/support/panel-bed.ts";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { TurnScript } from "../unit/trace/support/turn-script.ts";
import { seriousFindings } from "./support/axe.ts";
import { useFixture } from "./support/fixture.ts";
import { fitsSideways } from "./support/narrow.ts";
import type { PanelPage } from "./support/panel-page.ts";
import { readable } from "./support/readable.ts";

const DAY = 24 * 3_600_000;

/** Turns over some days that searched memory and the web, with failures, grades and what memory kept. */
async function withActivity(bed: PanelBed): Promise<void> {
  bed.tools = [
    {
      name: "search_memory",
      aliases: [],
      description: "Searches what was said in earlier conversations.",
      state: "on",
    },
    {
      name: "web_search",
      aliases: ["google"],
      description: "Searches the web.",
      state: "off",
      reason: "Web search is off. Turn it on in the settings.",
    },
    {
      name: "web_fetch",
      aliases: [],
      description: "Reads a web page or PDF and returns its main text.",
      state: "on",
    },
    { name: "browser_click", aliases: [], description: "Clicks in a page.", state: "named" },
  ];
  for (let index = 0; index < 12; index += 1) tellTurn(bed, index);
  await bed.log.flush();
}

function tellTurn(bed: PanelBed, index: number): void {
  const identity = new SteadyIdentity(Date.now() - index * 2 * DAY - 600_000, (index + 1) * 1_000);
  const question = index === 3 ? "Which boat lies at the pier?" : `What did we decide about cache ${index}?`;
  const script = new TurnScript((event) => bed.log.append(event), { question, identity });
  script.wait(10).ask().wait(400).reply({ content: "" });
  const done = script.call("search_memory", { query: `cache ${index}`, limit: 3 });
  script.wait(18 + index * 40);
  done(
    index % 4 === 3
      ? { error: { code: "memory_unavailable", message: "Memory does not answer." } }
      : { result: "In process.", details: { summary: `${index % 4} of 41 given` } },
  );
  if (index % 3 === 0)
    script.call("web_fetch", { url: `https://docs.example.org/cache/${index}` })({
      result: "page",
      details: { summary: "2,140 of 6,300 characters" },
    });
  script.stepEnd().answered("It stays in process.");
  const place = { parentId: script.turnId };
  const judge = "judge:8b";
  script.emitter.emit("critique.result", place, {
    score: 1 + ((index * 7 + 3) % 5),
    feedback: "Grounded in what was given, but longer than it needs to be.",
    "gen_ai.request.model": judge,
  });
  if (index === 1)
    script.emitter.emit("critique.corrected", place, {
      score: 2,
      reason: "The date is wrong",
      "conclave.by": "mira",
    });
  if (index === 2)
    script.emitter.emit("pairwise.result", place, {
      winner: "A",
      feedback: "A names its source.",
      "gen_ai.request.model": judge,
    });
  script.emitter.emit("memory.ingested", place, {
    "conclave.episode_ids": ["e"],
    "conclave.duration_ms": 8,
    "conclave.retrieved": index % 4,
  });
  script.emitter.emit("memory.learned", place, {
    "conclave.episode_ids": ["e"],
    "conclave.extracted": 1,
    "conclave.updated": index % 2,
    "conclave.by": "model",
    "gen_ai.request.model": "qwen3:8b",
    "conclave.learned": {
      added: [{ id: "f", text: "The cache stays in process" }],
      repeated: [],
      closed: [],
      rejected: [],
      entities: 1,
      edges: 0,
    },
    "conclave.duration_ms": 40,
  });
}

async function openTool({ page }: PanelPage, name: string): Promise<void> {
  await page.getByRole("button", { name: "Tools", exact: true }).click();
  await page.locator(".tool-list").getByRole("button", { name }).click();
  await page.locator(".activity-row").first().waitFor();
}

describe("panel: tools", () => {
  const fixture = useFixture();

  it("are listed with what they do, whether they can be called, and how often they were", async () => {
    const panel = await fixture.open({ before: withActivity });
    await panel.page.getByRole("button", { name: "Tools", exact: true }).click();
    const row = panel.page.locator(".tool-list tr", { hasText: "search_memory" });
    await row.getByText("12").waitFor();
    assert.match(await row.innerText(), /Searches what was said[^]*on\s+12\s+3/);
    await panel.page.locator(".tool-list tr", { hasText: "web_search" }).getByText("Turn it on").waitFor();
    await readable(panel, "views-tools");
    assert.deepEqual(panel.complaints, []);
  });

  it("show their calls newest first, with figures, and lead to the turn", async () => {
    const panel = await fixture.open({ before: withActivity });
    const { page } = panel;
    await openTool(panel, "search_memory");
    await page.getByText("12 listed").waitFor();
    const rows = page.locator(".activity-row");
    assert.match(await rows.first().innerText(), /query: cache 0, limit: 3/);
    assert.match(await page.locator(".view-figures").innerText(), /12\s+calls[^]*3 · 25 %/);
    await readable(panel, "views-tool");
    await fitsSideways(panel, ".activity-list");
    await page.setViewportSize({ width: 1240, height: 800 });
    await page.getByRole("switch", { name: "Failed only" }).click();
    await page.getByText("3 listed").waitFor();
    await page.getByRole("searchbox", { name: "Filter calls" }).fill("boat");
    await page.getByText("1 listed").waitFor();
    await page.getByRole("listbox", { name: "Calls" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator(".cell-question").getByText("Which boat lies").waitFor();
    assert.deepEqual(panel.complaints, []);
  });

  it("are narrowed as they were when one comes back to them, and when the page is made anew", async () => {
    const panel = await fixture.open({ before: withActivity });
    const { page } = panel;
    await openTool(panel, "search_memory");
    await page.getByRole("switch", { name: "Failed only" }).click();
    const filter = page.getByRole("searchbox", { name: "Filter calls" });
    await filter.fill("boat");
    await page.getByText("1 listed").waitFor();
    await page.locator(".activity-row").click();
    await page.locator(".cell-question").getByText("Which boat lies").waitFor();
    await page.getByRole("button", { name: "Tools", exact: true }).click();
    await page.getByText("1 listed").waitFor();
    await page.reload();
    await page.getByText("1 listed").waitFor();
    assert.equal(await filter.inputValue(), "boat");
    assert.equal(
      await page.getByRole("switch", { name: "Failed only" }).getAttribute("aria-checked"),
      "true",
    );
    await page.getByRole("button", { name: "Critic", exact: true }).click();
    await page.getByText("13 listed").waitFor();
    const grades = page.getByRole("searchbox", { name: "Filter grades" });
    assert.equal(await grades.inputValue(), "", "what is typed for one list narrows no other");
  });

  it("count a call as soon as it has ended", async () => {
    const panel = await fixture.open({ before: withActivity });
    await openTool(panel, "web_fetch");
    await panel.page.getByText("4 listed").waitFor();
    const { script } = panel.bed.engine.begin({ question: "And the tide?" });
    script.ask().reply({ content: "" });
    const done = script.call("web_fetch", { url: "https://tide.example.org" });
    await panel.page
      .locator(".activity-row", { hasText: "tide.example.org" })
      .getByText("running")
      .waitFor({ state: "attached" });
    done({ result: "High.", details: { summary: "5 characters" } });
    await panel.page.locator(".activity-row", { hasText: "5 characters" }).waitFor();
    await panel.page.getByText("5 listed").waitFor();
  });

  it("have their settings in a tab of their own, reached by keyboard, and keep it when the page is made anew", async () => {
    const panel = await fixture.open({ before: withActivity });
    const { page } = panel;
    await openTool(panel, "web_fetch");
    await page.getByRole("tab", { name: "Activity" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("checkbox", { name: /Enabled/ }).waitFor();
    await page.reload();
    const box = page.getByRole("checkbox", { name: /Enabled/ });
    await box.waitFor();
    await box.click();
    await panel.until(`document.querySelector(".setting-flag span").textContent === "on"`);
    assert.equal(panel.bed.settings.user.get("conclave.web.fetch.enabled"), true);
    assert.deepEqual(panel.complaints, []);
  });
});

describe("panel: settings in place", () => {
  const fixture = useFixture();

  async function openSettings(panel: PanelPage): Promise<void> {
    await panel.page.getByRole("button", { name: "Memory", exact: true }).click();
    await panel.page.getByRole("tab", { name: "Settings" }).click();
    await panel.page.locator(".setting").first().waitFor();
  }

  it("are written at the scope that is picked, and reset there", async () => {
    const panel = await fixture.open({ before: withActivity });
    const { page, bed } = panel;
    const id = "conclave.memory.retrieval.given";
    await openSettings(panel);
    const field = page.getByRole("textbox", { name: /Given/ });
    const setting = page.locator(".setting").filter({ has: field });
    await page.getByRole("radio", { name: "Workspace" }).check();
    await field.fill("7");
    await field.press("Enter");
    await setting.getByText("workspace").waitFor();
    assert.equal(bed.settings.workspace.get(id), 7);
    assert.equal(bed.settings.user.get(id), undefined);
    await page.getByRole("radio", { name: "User" }).check();
    await setting.getByText("in force: 7").waitFor();
    assert.equal(await field.inputValue(), "3");
    await page.getByRole("radio", { name: "Workspace" }).check();
    await page.getByRole("button", { name: "Reset Given" }).click();
    await setting.getByText("default", { exact: true }).waitFor();
    assert.equal(bed.settings.workspace.size, 0);
    await page.getByRole("button", { name: "Open Given in VS Code's settings" }).click();
    assert.deepEqual(bed.settings.opened, [`${id} workspace`]);
  });

  it("say what is wrong with a value, keep it in the field, and don't write it", async () => {
    const panel = await fixture.open({ before: withActivity });
    const { page, bed } = panel;
    await openSettings(panel);
    const field = page.getByRole("textbox", { name: /Given/ });
    await field.fill("many");
    await field.press("Enter");
    await page.getByText("conclave.memory.retrieval.given must be a whole number from 1 to 50.").waitFor();
    assert.equal(await field.inputValue(), "many");
    assert.equal(bed.settings.user.size, 0);
    await field.press("Escape");
    assert.equal(await field.inputValue(), "3");
    assert.deepEqual(await seriousFindings(panel), []);
  });

  it("that only count for the user can't be written for the workspace, and say why", async () => {
    const panel = await fixture.open({ before: withActivity });
    await openSettings(panel);
    await panel.page.getByRole("radio", { name: "Workspace" }).check();
    const setting = panel.page.locator(".setting", { has: panel.page.getByRole("textbox", { name: /Uri/ }) });
    await setting.getByText("a folder can't change it").waitFor();
    assert.equal(await setting.getByRole("textbox").isDisabled(), true);
    await setting.getByRole("button", { name: "Set them" }).click();
    assert.deepEqual(panel.bed.settings.ran, ["conclave.setMemoryCredentials"]);
  });

  it("show at once what is changed elsewhere", async () => {
    const panel = await fixture.open({ before: withActivity });
    await openSettings(panel);
    panel.bed.settings.set("user", "conclave.memory.retrieval.given", 9);
    await panel.until(`[...document.querySelectorAll(".setting input")].some(({ value }) => value === "9")`);
    await readable(panel, "views-settings");
    assert.deepEqual(panel.complaints, []);
  });
});

describe("panel: critic and memory", () => {
  const fixture = useFixture();

  it("show grades with their spread, who corrected one, and verdicts", async () => {
    const panel = await fixture.open({ before: withActivity });
    const { page } = panel;
    await page.getByRole("button", { name: "Critic", exact: true }).click();
    await page.locator(".activity-row").first().waitFor();
    await page
      .locator(".activity-row", {
        hasText: /by the critic, corrected by mira, [^:]+:\d\d:\s*The date is wrong/,
      })
      .waitFor();
    await page.getByText("answer A is better").waitFor();
    assert.match(await page.locator(".spread").innerText(), /Grades[^]*5\s+\d+\s+\d+ %/);
    await readable(panel, "views-critic");
    await fitsSideways(panel, ".activity-list");
    assert.deepEqual(panel.complaints, []);
  });

  it("say in words that nothing was graded, and what weighs without a critic", async () => {
    const panel = await fixture.open();
    await panel.page.getByRole("button", { name: "Critic", exact: true }).click();
    await panel.page.getByText("No answer was graded yet.").waitFor();
    await panel.picture("views-critic-empty");
    await panel.page.getByRole("tab", { name: "Settings" }).click();
    await panel.page.getByText("Score Weight").waitFor();
    await panel.picture("views-critic-settings");
    assert.deepEqual(await seriousFindings(panel), []);
  });

  it("show turn by turn what was recalled and learnt", async () => {
    const panel = await fixture.open({ before: withActivity });
    const { page } = panel;
    await page.getByRole("button", { name: "Memory", exact: true }).click();
    await page.getByRole("switch", { name: "Turn by turn" }).click();
    await page.locator(".activity-row", { hasText: "The cache stays in process" }).first().waitFor();
    await page.getByText("12 listed").waitFor();
    assert.match(await page.locator(".view-figures").innerText(), /12\s+turns/);
    await readable(panel, "views-memory-turns");
    assert.deepEqual(panel.complaints, []);
  });
});
