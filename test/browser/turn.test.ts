import assert from "node:assert/strict";
import { failure } from "../../src/agent/failure.ts";
import type { ScriptedTurn } from "../unit/trace/support/scripted-engine.ts";
import { useFixture } from "./support/fixture.ts";
import type { PanelPage } from "./support/panel-page.ts";

/** Asks from the panel; gives the turn that a test then tells. */
async function ask(panel: PanelPage, question: string): Promise<ScriptedTurn> {
  const begun = new Promise<ScriptedTurn>((resolve) => (panel.bed.engine.onTurn = resolve));
  await panel.page.getByRole("textbox", { name: "Question" }).fill(question);
  await panel.page.getByRole("button", { name: "Ask", exact: true }).click();
  const turn = await begun;
  await panel.page.locator(".cell-question").waitFor();
  return turn;
}

describe("panel: a turn", () => {
  const fixture = useFixture();

  it("is asked from the panel and shown while it happens, from thinking to answer", async () => {
    const panel = await fixture.open();
    const { page } = panel;
    const { script } = await ask(panel, "Does the cache hold?");
    assert.equal(await page.getByRole("textbox", { name: "Question" }).inputValue(), "");
    script.ask().stream("thinking", "Let me see what memory says.");
    await page.locator(".cell-thinking").getByText("Let me see what memory says.").waitFor();
    assert.equal(await page.locator(".cell-thinking pre").count(), 0, "a closed thought is not drawn");
    script.reply({
      thinking: "Let me see what memory says.",
      calls: [{ id: "1", name: "search_memory", arguments: {} }],
    });
    const done = script.call("search_memory", { query: "cache" });
    await page.locator(".cell-tool").getByText("search_memory").waitFor();
    await panel.picture("running-tool");
    done({ result: "nothing", details: { summary: "0 of 3 memories given" } });
    script.stepEnd().ask().stream("answer", "It **still** ho");
    await page.locator(".cell-answer strong").getByText("still").waitFor();
    await panel.picture("running-answer");
    script
      .stream("answer", "lds.")
      .reply({ content: "It **still** holds." })
      .stepEnd()
      .answered("It **still** holds.");
    await page.locator(".standing").getByText("answered in").waitFor();
    assert.equal(await page.locator(".cell-answer .markdown").innerText(), "It still holds.");
    assert.deepEqual(panel.complaints, []);
  });

  it("draws no more of a thought, however long, than the end of its line while it is closed", async () => {
    const panel = await fixture.open();
    const { script } = await ask(panel, "Think hard.");
    script.ask();
    const size = `(() => {
      const cell = document.querySelector(".cell-thinking");
      return [cell.querySelectorAll("*").length, cell.textContent.length];
    })()`;
    const line = panel.page.locator(".cell-thinking .summary");
    script.stream("thinking", "The **first** `idea` is this. ");
    await line.getByText("is this").waitFor();
    const [elements] = await panel.evaluate<[number, number]>(size);
    for (let idea = 0; idea < 400; idea += 1)
      script.stream("thinking", `\n\n## Idea ${idea}\n\n- **one** thing\n- another\n`);
    script.stream("thinking", "\nAnd this is the end.");
    await line.getByText("And this is the end.").waitFor();
    const [after, length] = await panel.evaluate<[number, number]>(size);
    assert.equal(after, elements);
    assert.ok(length < 300, `${length} characters`);
    assert.equal(await panel.page.locator(".cell-thinking :is(h3, h4, ul, li, strong, pre)").count(), 0);
  });

  it("can be stopped while it answers", async () => {
    const panel = await fixture.open();
    const turn = await ask(panel, "Tell me everything.");
    turn.script.ask().stream("answer", "Everything is");
    await panel.page.locator(".cell-answer .stop").click();
    while (!turn.cancelled) await new Promise(setImmediate);
    const cancelled = failure("cancelled", "Cancelled.");
    turn.script
      .reply({ content: "Everything is", error: cancelled })
      .stopped("cancelled", cancelled, "Everything is");
    await panel.page.locator(".cell-answer").getByText("cancelled").waitFor();
    assert.match(await panel.page.locator(".cell-answer .markdown").innerText(), /Everything is/);
    await panel.picture("cancelled");
  });

  it("says which model is loading, how big it is, and for how long", async () => {
    const panel = await fixture.open({ before: (bed) => (bed.loaded = false) });
    const { script } = await ask(panel, "Hello?");
    script.ask();
    await panel.page.getByText(/Loading qwen3:8b \(5\.2 GB\), \d+ s/).waitFor();
    await panel.picture("loading");
    script.stream("answer", "Hi there, you");
    await panel.page.locator(".cell-answer").getByText("Hi there").waitFor();
    assert.equal(await panel.page.getByText(/Loading/).count(), 0);
  });

  it("says what went wrong and offers what mends it", async () => {
    const panel = await fixture.open();
    const { script } = await ask(panel, "Hello?");
    const down = failure(
      "server_unreachable",
      "Ollama is not running at http://127.0.0.1:11434. Start it, or change the endpoint.",
      {
        action: "start_ollama",
      },
    );
    script.ask().reply({ error: down }).stepEnd().stopped("failed", down);
    const button = panel.page.locator(".cell-error").getByRole("button", { name: "Start Ollama" });
    await button.waitFor();
    await panel.picture("failed");
    await button.click();
    while (panel.bed.ran.length === 0) await new Promise(setImmediate);
    assert.deepEqual(panel.bed.ran, ["start_ollama"]);
  });

  it("keeps the question when it is refused", async () => {
    const panel = await fixture.open();
    const { page, bed } = panel;
    bed.engine.ask = () =>
      Promise.resolve({
        ok: false,
        failure: failure("no_model", "No chat model is chosen yet.", { action: "select_model" }),
      });
    await page.getByRole("textbox", { name: "Question" }).fill("Hello?");
    await page.getByRole("textbox", { name: "Question" }).press("Control+Enter");
    await page.getByRole("alert").getByText("No chat model is chosen yet.").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Question" }).inputValue(), "Hello?");
  });

  it("follows the end while text streams in, and lets go when one scrolls up", async () => {
    const panel = await fixture.open();
    const { page } = panel;
    const { script } = await ask(panel, "A long story?");
    script.ask();
    const atEnd = `(() => { const e = document.querySelector(".cells"); return e.scrollHeight - e.scrollTop - e.clientHeight < 40 && e.scrollHeight > e.clientHeight; })()`;
    for (let index = 0; index < 80; index += 1)
      script.stream("answer", `Paragraph ${index} of the story.\n\n`);
    await page.getByText("Paragraph 79 of the story.").waitFor({ state: "attached" });
    await panel.until(atEnd);
    await page.locator(".cells").hover();
    await page.mouse.wheel(0, -600);
    await page.getByRole("button", { name: "Follow" }).waitFor();
    // The wheel's way is scrolled frame by frame: where it ends is where it has stood for some of them.
    const settled = `new Promise((resolve) => { const e = document.querySelector(".cells"); let last = -1; let frames = 0; const look = () => { frames = e.scrollTop === last ? frames + 1 : 0; last = e.scrollTop; if (frames > 20) resolve(last); else requestAnimationFrame(look); }; look(); })`;
    const top = await panel.evaluate<number>(settled);
    script.stream("answer", "More.\n\nAnd more.\n\nThe end.\n\n");
    await page.getByText("The end.").waitFor({ state: "attached" });
    assert.equal(await panel.evaluate<number>(`document.querySelector(".cells").scrollTop`), top);
    await page.getByRole("button", { name: "Follow" }).click();
    await panel.until(atEnd);
  });
});
