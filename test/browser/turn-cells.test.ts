import assert from "node:assert/strict";
import { useFixture } from "./support/fixture.ts";
import { withCommitteeTurn, withJudgedTurn } from "./support/judged.ts";
import type { PanelPage } from "./support/panel-page.ts";
import { openFirst } from "./support/turns.ts";

const IN_FOCUS = `document.activeElement?.closest(".cell")?.className ?? document.activeElement?.className ?? ""`;

/** How high each cell is that is drawn, in pixels. */
const HEIGHTS = `[...document.querySelectorAll(".cell")].map((cell) => cell.getBoundingClientRect().height)`;

describe("panel: cells and facts of a turn", () => {
  const fixture = useFixture();

  async function opened(before = withJudgedTurn, options = {}): Promise<PanelPage> {
    const panel = await fixture.open({ height: 1000, before, ...options });
    await openFirst(panel);
    return panel;
  }

  it("fold to one line each, all at once by - and back by +, and say on it what they are", async () => {
    const panel = await opened();
    const { page } = panel;
    await page.locator("[data-head]").first().focus();
    await page.keyboard.press("-");
    await panel.until(`${HEIGHTS}.length > 8 && ${HEIGHTS}.every((height) => height <= 32)`);
    assert.equal(await page.locator("[data-head][aria-expanded=true]").count(), 0);
    const lines = (await page.locator(".cells").innerText()).replaceAll(/\s+/g, " ");
    for (const part of [
      /Question What did we decide/,
      /Step 1/,
      /Thinking ≈ \d+ tokens/,
      /search_memory/,
      /Answer 4\/5 good ≈ \d+ tokens On 12 March/,
      /Warning web is off · The web tools are off/,
      /Grade 4\/5 good judge:8b · Grounded/,
      /A against B B is better judge:8b · B names/,
      /Your feedback good · short and right/,
      /Learnt 1 learnt · 1 updated · 1,010 tokens/,
    ])
      assert.match(lines, part);
    await panel.picture("cells-folded");
    await page.reload();
    await panel.until(`${HEIGHTS}.length > 8 && ${HEIGHTS}.every((height) => height <= 32)`);
    await page.locator("[data-head]").first().focus();
    await page.keyboard.press("+");
    await page.locator("[data-head][aria-expanded=false]").first().waitFor({ state: "detached" });
    await page.locator(".cell-pairwise").scrollIntoViewIfNeeded();
    await panel.picture("cells-open");
    assert.deepEqual(panel.complaints, []);
  });

  it("offer what mends a warning: the web is turned on, and what was cut is shown", async () => {
    const panel = await opened();
    const { page, bed } = panel;
    await page.getByRole("button", { name: "Turn web on" }).click();
    while (bed.ran.length === 0) await new Promise(setImmediate);
    assert.deepEqual(bed.ran, ["enable_web"]);
    await page.locator(".warning").getByRole("button", { name: "What the model saw" }).click();
    await panel.until(`(${IN_FOCUS}).includes("cell-model")`);
    await page.locator(".cell-model .fold[aria-expanded=true]").waitFor();
  });

  it("tell loading, reading and writing apart in the timeline; each bar says so, and leads to its cell", async () => {
    const panel = await opened();
    const { page } = panel;
    const bars = page.locator(".lane-bar");
    const titles = await bars.evaluateAll((all) => all.map((bar) => bar.getAttribute("title") ?? ""));
    assert.match(titles.join("\n"), /Step 1, qwen3:8b: waiting 80 ms, prompt 820 ms, thinking .*tokens in/);
    assert.match(titles.join("\n"), /web_fetch: 412 ms/);
    const legend = await page.locator(".lane-legend").innerText();
    for (const word of ["waiting", "prompt", "thinking", "tool", "memory"])
      assert.ok(legend.includes(word), `${word} is missing in: ${legend}`);
    await bars.first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    const title = await panel.evaluate<string>("document.activeElement.title");
    assert.match(title, /^(search_memory|web_fetch)/);
    await page.keyboard.press("Enter");
    await panel.until(`(${IN_FOCUS}).includes("cell-tool")`);
    assert.match(
      await page.locator(".lane").first().getAttribute("aria-label").then(String),
      /conclave, 2 calls: /,
    );
  });

  it("lead from a member's bar into its round, which opens for it", async () => {
    const panel = await opened(withCommitteeTurn);
    const { page } = panel;
    await page.locator(".cell-round .fold").nth(1).click();
    await page.locator(".lane", { hasText: "Evidence Seeker" }).locator(".lane-bar").last().click();
    await panel.until(`(${IN_FOCUS}).includes("cell-model")`);
    assert.equal(await page.locator(".cell-round .fold").nth(1).getAttribute("aria-expanded"), "true");
    assert.match(await page.locator(".cell-model").first().innerText(), /Evidence Seeker/);
  });

  it("say how far the prompts begin alike, and what it costs that several speak", async () => {
    const panel = await opened(withCommitteeTurn);
    const facts = panel.page.locator(".facts");
    await facts.getByText("Prompt cache").waitFor();
    const text = (await facts.innerText()).replaceAll(/\s+/g, " ");
    assert.match(text, /shared prefix [\d,]+ \(\d+ %\)/);
    assert.match(text, /prefill, all speakers \d\.\d × one/);
  });

  it("say in words what each agent does while it works", async () => {
    const panel = await fixture.open();
    const { page, bed } = panel;
    const { script } = bed.engine.begin({ question: "A long one?" });
    const agents = page.locator(".agents");
    script.ask();
    await agents.getByText("waiting for qwen3:8b").waitFor();
    script.stream("thinking", "Well.");
    await agents.getByText("thinking").waitFor();
    script.stream("answer", "Yes");
    await agents.getByText("writing").waitFor();
    await panel.picture("live");
    script.reply({ content: "", thinking: "Well.", calls: [{ id: "1", name: "web_fetch", arguments: {} }] });
    const ended = script.call("web_fetch", { url: "https://docs.example.org" });
    await agents.getByText("waiting for web_fetch").waitFor();
    await panel.picture("live-tool");
    ended({ result: "ok" });
    script.stepEnd().answered("Yes");
    await agents.waitFor({ state: "detached" });
  });
});

describe("panel: its keys", () => {
  const fixture = useFixture();

  it("are listed by ?, and Escape gives the focus back", async () => {
    const panel = await fixture.open({ before: withJudgedTurn });
    const { page } = panel;
    await openFirst(panel);
    await page.locator("[data-head]").first().focus();
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keys of the trace panel" });
    await help.getByText("fold all cells, unfold all").waitFor();
    await panel.picture("help");
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await panel.until(`document.activeElement?.closest(".cell-question") !== null`);
  });

  it("go through all parts by F6 and back, and out of the panel behind the last one", async () => {
    const panel = await fixture.open({ before: withJudgedTurn });
    const { page } = panel;
    await openFirst(panel);
    await page.getByRole("listbox").focus();
    const parts = [".cells", ".facts", "footer"];
    for (const part of parts) {
      await page.keyboard.press("F6");
      await panel.until(`document.querySelector("${part}").contains(document.activeElement)`);
    }
    await panel.evaluate(`window.addEventListener("keydown", (event) => { window.__left = event.key; })`);
    await page.keyboard.press("F6");
    assert.equal(await panel.evaluate("window.__left"), "F6", "the editor is given the key");
    await page.keyboard.press("Shift+F6");
    await panel.until(`document.querySelector(".facts").contains(document.activeElement)`);
  });

  it("search, step from turn to turn, compare and stop", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        await withJudgedTurn(bed);
        await withCommitteeTurn(bed);
      },
    });
    const { page, bed } = panel;
    await openFirst(panel);
    const chosen = () => page.locator(".row.chosen .row-question").innerText();
    const first = await chosen();
    await page.locator("[data-head]").first().focus();
    await page.keyboard.press("n");
    await panel.until(
      `document.querySelector(".row.chosen .row-question")?.innerText !== ${JSON.stringify(first)}`,
    );
    await page.locator(".cell-answer .markdown").waitFor();
    await page.locator("[data-head]").first().focus();
    await page.keyboard.press("Control+f");
    await panel.until(`document.activeElement?.type === "search"`);
    await page.keyboard.press("p");
    assert.equal(
      await page.getByRole("searchbox", { name: "Search turns" }).inputValue(),
      "p",
      "letters are typed",
    );
    const { script } = bed.engine.begin({ question: "A long one?" });
    script.ask().stream("answer", "start ");
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByRole("searchbox", { name: "Search turns" }).fill("");
    await page.locator(".row", { hasText: "A long one?" }).click();
    await page.locator(".cell-answer").getByText("start").waitFor();
    await page.getByRole("textbox", { name: "Question" }).focus();
    await page.keyboard.press("Escape");
    while (!panel.said.some(({ type }) => type === "cancel")) await new Promise(setImmediate);
  });
});
