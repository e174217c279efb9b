import assert from "node:assert/strict";
import type { ScriptedTurn } from "../unit/trace/support/scripted-engine.ts";
import { useFixture } from "./support/fixture.ts";
import type { PanelPage } from "./support/panel-page.ts";

const CELLS = `document.querySelector(".cells")`;
const AT_END = `(() => { const e = ${CELLS}; return e.scrollHeight > e.clientHeight && e.scrollHeight - e.scrollTop - e.clientHeight < 2; })()`;
const TOP = `${CELLS}.scrollTop`;

describe("panel: a turn that is followed", () => {
  const fixture = useFixture();

  /** A turn that has thought, and answers at some length. */
  async function answering(): Promise<{ readonly panel: PanelPage; readonly turn: ScriptedTurn }> {
    const panel = await fixture.open({ height: 700 });
    const turn = panel.bed.engine.begin({ question: "A long story?" });
    const { script } = turn;
    script.ask().stream("thinking", "An idea. ".repeat(200));
    script.stream("answer", "It begins.\n\n");
    await panel.page.locator(".cell-answer").getByText("It begins.").waitFor();
    more(turn, "of the beginning", 60);
    await panel.until(AT_END);
    return { panel, turn };
  }

  function more({ script }: ScriptedTurn, what: string, paragraphs = 20): void {
    for (let at = 0; at < paragraphs; at += 1) script.stream("answer", `Paragraph ${at} ${what}.\n\n`);
  }

  const drawn = (panel: PanelPage, what: string): Promise<void> =>
    panel.page.getByText(`Paragraph 19 ${what}.`).waitFor({ state: "attached" });

  it("is let go by the least turn of the wheel upwards", async () => {
    const { panel, turn } = await answering();
    await panel.page.locator(".cells").hover();
    await panel.page.mouse.wheel(0, -6);
    await panel.page.getByRole("button", { name: "Follow" }).waitFor();
    const top = await panel.evaluate<number>(TOP);
    more(turn, "of the middle");
    await drawn(panel, "of the middle");
    assert.equal(await panel.evaluate<number>(TOP), top);
  });

  it("is let go by a key that goes up, and taken up again at the end", async () => {
    const { panel, turn } = await answering();
    await panel.page.locator(".cell-answer [data-head]").focus();
    await panel.page.keyboard.press("PageUp");
    await panel.page.getByRole("button", { name: "Follow" }).waitFor();
    more(turn, "of the middle");
    await drawn(panel, "of the middle");
    assert.equal(await panel.evaluate<boolean>(AT_END), false);
    await panel.page.locator(".cells").hover();
    await panel.page.mouse.wheel(0, 90_000);
    await panel.page.getByRole("button", { name: "Follow" }).waitFor({ state: "detached" });
    more(turn, "of the end");
    await drawn(panel, "of the end");
    await panel.until(AT_END);
  });

  it("stays at what one opens to read", async () => {
    const panel = await fixture.open({ height: 700 });
    const turn = panel.bed.engine.begin({ question: "A long story?" });
    turn.script.ask().stream("answer", "It begins.\n\n");
    const { page } = panel;
    await page.locator(".cell-answer").getByText("It begins.").waitFor();
    await page.locator(".cell-model .fold").click();
    const body = page.locator(".cell-model .body");
    await body.getByText("What the model saw").waitFor();
    const place = await body.boundingBox();
    more(turn, "of the middle", 60);
    await drawn(panel, "of the middle");
    assert.deepEqual((await body.boundingBox())?.y, place?.y);
    await page.getByRole("button", { name: "Follow" }).click();
    await panel.until(AT_END);
  });

  it("shows the newest words of a thought: on its line, and in it when it is open", async () => {
    const panel = await fixture.open({ height: 700 });
    const { script } = panel.bed.engine.begin({ question: "Think?" });
    const { page } = panel;
    script
      .ask()
      .stream("thinking", "A first idea of many words that leads nowhere at all. ".repeat(6) + "NEWEST");
    await page.locator(".cell-thinking").getByText("NEWEST").waitFor();
    const fits = `(() => {
      const line = document.querySelector(".cell-thinking .summary");
      return line.firstChild.getBoundingClientRect().right <= line.getBoundingClientRect().right + 1;
    })()`;
    assert.ok(await panel.evaluate<boolean>(fits), "its end is in sight");
    await page.locator(".cell-thinking .fold").click();
    const pre = `document.querySelector(".thinking pre")`;
    for (let at = 0; at < 60; at += 1) script.stream("thinking", `\nIdea ${at}.`);
    await panel.until(
      `${pre}.innerText.includes("Idea 59.") && ${pre}.scrollHeight - ${pre}.scrollTop - ${pre}.clientHeight < 2`,
    );
    await page.locator(".thinking pre").hover();
    await page.mouse.wheel(0, -200);
    await panel.until(`${pre}.scrollHeight - ${pre}.scrollTop - ${pre}.clientHeight > 100`);
    const top = await panel.evaluate<number>(`${pre}.scrollTop`);
    script.stream("thinking", "\nThe last idea.");
    await panel.until(`${pre}.innerText.includes("The last idea.")`);
    assert.equal(await panel.evaluate<number>(`${pre}.scrollTop`), top);
  });
});
