import assert from "node:assert/strict";
import type { AskRequest } from "../../src/agent/engine-port.ts";
import type { ScriptedTurn } from "../unit/trace/support/scripted-engine.ts";
import { seriousFindings } from "./support/axe.ts";
import { OTHER_RESULT, RESULT, writeBranches, writeCommitteeBranch } from "../unit/trace/support/branches.ts";
import { useFixture } from "./support/fixture.ts";
import type { OpenOptions, PanelPage } from "./support/panel-page.ts";

const QUESTION = "Where is the cache, and how long does it live?";

describe("panel: a branch", () => {
  const fixture = useFixture();

  /** A panel that shows one of the turns: the first, its branch with another result, or the one that was asked again. */
  async function opened(row: number, options: OpenOptions = {}): Promise<PanelPage> {
    const panel = await fixture.open({
      ...options,
      before: async (bed) => {
        await writeBranches(bed.log);
      },
    });
    await show(panel, row);
    return panel;
  }

  async function show(panel: PanelPage, row: number): Promise<void> {
    const turns = panel.page.locator("header").getByRole("button", { name: "Turns" });
    if (await turns.isVisible()) await turns.click();
    await panel.page.locator("[role=option]").nth(row).click();
    await panel.page.locator(".cell-answer").waitFor();
  }

  const asked = (panel: PanelPage): Promise<AskRequest> =>
    new Promise((resolve) => {
      panel.bed.engine.onTurn = ({ request }: ScriptedTurn) => resolve(request as AskRequest);
    });

  async function edit(panel: PanelPage, cell: string, name: string): Promise<void> {
    await panel.page.locator(cell).first().hover();
    await panel.page.getByRole("button", { name: `Edit and run from here: ${name}` }).click();
  }

  it("starts from the exact text of a tool's result, and runs on from there with what was typed", async () => {
    const panel = await opened(0);
    const { page } = panel;
    const request = asked(panel);
    await edit(panel, ".cell-tool", "read_file");
    const area = page.getByRole("textbox", { name: "The result" });
    await area.waitFor();
    assert.equal(await area.inputValue(), RESULT);
    await panel.picture("fork-editor");
    await area.fill("The cache is in Redis.");
    await area.press("Control+Enter");
    const { fork, question } = await request;
    assert.ok(fork);
    assert.deepEqual(
      fork.edits.map(({ part, text }) => [part, text]),
      [["tool_result", "The cache is in Redis."]],
    );
    assert.equal(fork.eventId, fork.edits[0]?.eventId);
    assert.equal(question, QUESTION);
    await page.locator(".branch-editor").waitFor({ state: "detached" });
    assert.deepEqual(panel.complaints, []);
  });

  it("says what it branches off, where, and what was changed, word by word, and leads back", async () => {
    const panel = await opened(1);
    const { page } = panel;
    const head = page.locator(".branch-head");
    await head.getByText("at read_file · changed: the result of read_file").waitFor();
    await page.locator(".branch-change del").getByText("process").waitFor();
    assert.equal(await page.locator(".branch-change ins").first().innerText(), "Redis");
    assert.equal(await page.locator(".cell-tool .branch-word").innerText(), "changed");
    assert.equal(await page.locator(".cell-model").first().getByText("as before").count(), 1);
    assert.equal(await page.locator(".cell-model").nth(1).getByText("as before").count(), 0);
    assert.match(
      await page.locator(".standing").innerText(),
      /10 in \/ 5 out/,
      "what was taken over costs nothing",
    );
    await panel.picture("fork-shown");
    await head.getByRole("button", { name: "Compare with the turn that it branches off" }).click();
    await page.locator("main .compare").getByText("It lives ten minutes.").first().waitFor();
    assert.equal(await page.locator(".compare-heads .link").count(), 2);
    await page.locator(".compare-heads .link").last().click();
    await head.getByRole("button", { name: QUESTION }).click();
    await page.locator(".branch-head").waitFor({ state: "detached" });
    await page.locator(".branches").first().getByText("1 branch from here").waitFor();
    await panel.picture("fork-origin");
    await page.locator(".cell-tool .branches .link").click();
    await head.waitFor();
  });

  it("can be run again from a step with another model and temperature, and the exact parts of a prompt be changed", async () => {
    const panel = await opened(0);
    const { page } = panel;
    await edit(panel, ".cell-model", "step 1 of conclave");
    const rules = page.getByRole("textbox", { name: "The rules" });
    await rules.waitFor();
    assert.match(await rules.inputValue(), /^You are Conclave/);
    await page.getByRole("combobox", { name: "Change" }).selectOption("question");
    const area = page.getByRole("textbox", { name: "The question", exact: true });
    await area.waitFor();
    assert.equal(await area.inputValue(), QUESTION);
    await page.getByLabel("Model").fill("llama3.2:3b");
    await page.getByLabel("Temperature").fill("0.2");
    await page.getByRole("combobox", { name: "Thinking" }).selectOption("off");
    assert.equal(await page.getByRole("combobox", { name: "Who answers" }).count(), 0, "its agent goes on");
    const request = asked(panel);
    await page.getByRole("button", { name: "Run from here", exact: true }).click();
    const { fork, options } = await request;
    assert.ok(fork);
    assert.deepEqual(fork.edits, []);
    assert.deepEqual(fork.options, { model: "llama3.2:3b", temperature: 0.2, think: false });
    assert.equal(options?.model, "llama3.2:3b");
  });

  it("can be run again as a whole, by a committee", async () => {
    const panel = await opened(0);
    const { page } = panel;
    await page.getByRole("button", { name: "Run again", exact: true }).click();
    await page.getByRole("combobox", { name: "Who answers" }).selectOption("committee");
    const request = asked(panel);
    await page.getByRole("button", { name: "Run from here", exact: true }).click();
    const { fork, options } = await request;
    assert.equal(fork?.eventId, undefined);
    assert.deepEqual(options?.committee, {});
  });

  it("gives a change up only when that is said twice, and the focus back to where it was", async () => {
    const panel = await opened(0);
    const { page } = panel;
    await edit(panel, ".cell-tool", "read_file");
    const area = page.getByRole("textbox", { name: "The result" });
    await area.waitFor();
    await area.press("End");
    await area.pressSequentially("!");
    await area.press("Escape");
    await page.getByText("Give up what you changed?").waitFor();
    await page.getByRole("button", { name: "Go on changing" }).click();
    assert.match(await area.inputValue(), /!/);
    await area.press("Escape");
    await area.press("Escape");
    await page.locator(".branch-editor").waitFor({ state: "detached" });
    const focused = await page.evaluate<string>(`document.activeElement?.getAttribute("aria-label") ?? ""`);
    assert.equal(focused, "Edit and run from here: read_file");
  });

  it("keeps what was typed while the page is made anew", async () => {
    const panel = await opened(0);
    const { page } = panel;
    await edit(panel, ".cell-tool", "read_file");
    const area = page.getByRole("textbox", { name: "The result" });
    await area.waitFor();
    await area.fill("In Redis, they say.");
    await panel.until(`(sessionStorage.getItem("state") ?? "").includes("they say")`);
    await page.reload();
    await area.waitFor();
    assert.equal(await area.inputValue(), "In Redis, they say.");
    const request = asked(panel);
    await area.press("Control+Enter");
    assert.equal((await request).fork?.edits[0]?.text, "In Redis, they say.");
  });

  it("keeps what was chosen while the page is made anew, and runs with it", async () => {
    const panel = await opened(0);
    const { page } = panel;
    await page.locator(".cell-model").first().hover();
    await page.getByRole("button", { name: "Run again from here: step 1 of conclave" }).click();
    await page.getByLabel("Model").fill("llama3.2:3b");
    await page.getByRole("combobox", { name: "Thinking" }).selectOption("off");
    await panel.until(`(sessionStorage.getItem("state") ?? "").includes('"think":"off"')`);
    await page.reload();
    const temperature = page.getByLabel("Temperature");
    await temperature.fill("7");
    await temperature.press("Control+Enter");
    await panel.until(`document.querySelector(".branch-editor :invalid") === document.activeElement`);
    assert.ok(
      panel.said.every(({ type }) => type !== "fork"),
      "no model has such a temperature",
    );
    const request = asked(panel);
    await temperature.fill("0.7");
    await temperature.press("Control+Enter");
    const { fork } = await request;
    assert.deepEqual(fork?.options, { model: "llama3.2:3b", temperature: 0.7, think: false });
  });

  it("is reached with the keys alone: E at a cell changes it, R runs again from there", async () => {
    const panel = await opened(0);
    const { page } = panel;
    await page.locator(".cell-question [data-head]").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "The result" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".branch-editor").waitFor({ state: "detached" });
    await page.keyboard.press("r");
    await page.getByRole("form", { name: "Run again from read_file" }).waitFor();
    const request = asked(panel);
    await page.keyboard.press("Control+Enter");
    assert.deepEqual((await request).fork?.edits, []);
  });

  it("keeps what was typed where the branch is refused", async () => {
    const panel = await opened(0);
    const { page, bed } = panel;
    const sessions = await bed.log.sessions({ offset: 0, limit: 1 });
    assert.ok(sessions.ok);
    bed.engine.begin({ sessionId: sessions.value.sessions[0]!.sessionId });
    await edit(panel, ".cell-tool", "read_file");
    const area = page.getByRole("textbox", { name: "The result" });
    await area.waitFor();
    await area.fill("In Redis.");
    await area.press("Control+Enter");
    await page.locator(".notice").waitFor();
    assert.equal(await area.inputValue(), "In Redis.");
    assert.equal(await page.getByRole("button", { name: "Run from here", exact: true }).isEnabled(), true);
  });

  it("shows what a member of a committee is made to say, and what all others said as before", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        await writeCommitteeBranch(bed.log);
      },
    });
    const { page } = panel;
    await show(panel, 1);
    await page.locator(".branch-head").getByText("at the answer of Pragmatist").waitFor();
    await page.locator(".member").filter({ hasText: "Skeptic" }).getByText("as before").waitFor();
    await page.locator(".member").filter({ hasText: "Pragmatist" }).getByText("Sunday").waitFor();
    await page.locator(".branch-change del").getByText("Thursday").waitFor();
    await panel.picture("fork-committee");
    await edit(panel, ".member", "the answer of Skeptic");
    await page.getByRole("textbox", { name: "The answer" }).waitFor();
    assert.deepEqual(panel.complaints, []);
  });

  for (const theme of ["dark", "light", "hc-dark", "hc-light"] as const)
    it(`gives axe nothing serious to find in ${theme}, with the editor open`, async () => {
      const panel = await opened(1, { theme });
      await panel.page.locator(".branch-change").waitFor();
      await edit(panel, ".cell-tool", "read_file");
      await panel.page.getByRole("textbox", { name: "The result" }).waitFor();
      assert.equal(await panel.page.getByRole("textbox", { name: "The result" }).inputValue(), OTHER_RESULT);
      assert.deepEqual(await seriousFindings(panel), []);
      await panel.picture(`fork-${theme}`);
    });

  it("fits a narrow panel", async () => {
    const panel = await opened(1, { width: 420, theme: "light" });
    await panel.page.locator(".branch-change").waitFor();
    await edit(panel, ".cell-tool", "read_file");
    await panel.page.getByRole("textbox", { name: "The result" }).waitFor();
    const over = await panel.page.evaluate<number>(`document.documentElement.scrollWidth - innerWidth`);
    assert.equal(over, 0);
    await panel.picture("fork-narrow");
  });
});
