import assert from "node:assert/strict";
import type { TurnEvent } from "../../src/agent/events.ts";
import { TurnScript } from "../unit/trace/support/turn-script.ts";
import { useFixture } from "./support/fixture.ts";
import { SAVED } from "./support/saved.ts";
import { openFirst, withAnswer, withCacheTurn } from "./support/turns.ts";

describe("panel: after a reload", () => {
  const fixture = useFixture();

  it("stands where it stood: turn, folds, scroll and draft", async () => {
    const long = Array.from({ length: 120 }, (_, index) => `Paragraph ${index}.`).join("\n\n");
    const panel = await fixture.open({ before: (bed) => withAnswer(bed, long) });
    const { page } = panel;
    await openFirst(panel);
    await page.locator(".cell-model .fold").click();
    await page.locator(".cells").hover();
    await page.mouse.wheel(0, 900);
    await page.getByRole("textbox", { name: "Question" }).fill("half a question");
    await panel.until(`${SAVED}?.draft === "half a question" && ${SAVED}?.anchor?.offset > 500`);
    const top = await panel.evaluate<number>(`document.querySelector(".cells").scrollTop`);
    assert.ok((await panel.evaluate<string>(`sessionStorage.getItem("state")`)).length < 2000);
    await page.reload();
    await page.locator(".cell-answer .markdown").waitFor();
    await panel.until(`Math.abs(document.querySelector(".cells").scrollTop - ${top}) < 3`);
    assert.equal(await page.getByRole("textbox", { name: "Question" }).inputValue(), "half a question");
    await page.locator(".cells").hover();
    await page.mouse.wheel(0, -9000);
    await page.locator(".cell-model button[aria-expanded=true]").waitFor();
  });

  it("shows again what was laid open of a request, and what was being typed beside an answer", async () => {
    const panel = await fixture.open({ height: 1000, before: (bed) => withCacheTurn(bed) });
    const { page } = panel;
    await openFirst(panel);
    await page.getByRole("button", { name: "What the model saw" }).click();
    await page.locator(".cell-answer .message-head").first().click();
    await page.locator(".cell-answer .message-body").waitFor();
    await page.locator(".cell-tool .recalled .why-button").first().click();
    await page.locator(".recalled .why").waitFor();
    await page.getByRole("button", { name: "Grade it" }).click();
    await page.getByRole("textbox", { name: "Reason for the grade" }).fill("half a reason");
    await panel.until(`${SAVED}?.typed?.[0]?.[1] === "half a reason"`);
    await page.reload();
    await page.locator(".cell-answer .message-body").waitFor();
    await page.locator(".recalled .why").waitFor();
    const reason = page.getByRole("textbox", { name: "Reason for the grade" });
    assert.equal(await reason.inputValue(), "half a reason");
    await reason.press("Escape");
    await reason.waitFor({ state: "detached" });
    await panel.until(`${SAVED}?.typed?.length === 0`);
    assert.deepEqual(panel.complaints, []);
  });

  it("goes on with a turn that ran all the while, hidden and shown ten times", async () => {
    const panel = await fixture.open();
    const { page, bed } = panel;
    const { script } = bed.engine.begin({ question: "A long one?" });
    script.ask().stream("answer", "start ");
    await page.locator(".cell-answer").getByText("start").waitFor();
    await panel.until(`Boolean(${SAVED}?.selected)`);
    for (let round = 0; round < 10; round += 1) {
      bed.host.sleep();
      script.stream("answer", `word${round} `);
      await page.reload();
      await page.locator(".cell-answer").getByText(`word${round}`).waitFor();
    }
    const words = "start " + Array.from({ length: 10 }, (_, round) => `word${round} `).join("");
    script.reply({ content: words }).stepEnd().answered(words);
    await page.locator(".standing").getByText("answered").waitFor();
    assert.equal((await page.locator(".cell-answer .markdown").innerText()).trim(), words.trim());
  });

  it("is whole again when the process that draws it was killed in the middle of an answer", async () => {
    const panel = await fixture.open();
    const { bed } = panel;
    const { script } = bed.engine.begin({ question: "A long one?" });
    script.ask().stream("answer", "before ");
    await panel.page.locator(".cell-answer").getByText("before").waitFor();
    await panel.page.getByRole("textbox", { name: "Question" }).fill("half a question");
    await panel.until(`${SAVED}?.draft === "half a question" && Boolean(${SAVED}?.selected)`);
    const revived = panel.revive();
    script.stream("answer", "meanwhile ");
    await revived;
    script.stream("answer", "after").reply({ content: "before meanwhile after" }).stepEnd();
    script.answered("before meanwhile after");
    await panel.page.locator(".standing").getByText("answered").waitFor();
    assert.equal(await panel.page.locator(".cell-answer .markdown").innerText(), "before meanwhile after");
    const question = panel.page.getByRole("textbox", { name: "Question" });
    assert.equal(await question.inputValue(), "half a question");
  });

  it("stays in a new session although the turn that was left goes on", async () => {
    const panel = await fixture.open();
    const { page, bed } = panel;
    const { script } = bed.engine.begin({ question: "A long one?" });
    script.ask().stream("answer", "start ");
    await page.locator(".cell-answer").getByText("start").waitFor();
    await page.getByRole("button", { name: "New session" }).click();
    await page.locator(".empty").waitFor();
    script.reply({ content: "start" });
    await page.locator(".row .tokens").waitFor();
    assert.equal(await page.locator(".empty").count(), 1);
    script.stepEnd().answered("the end");
    await page.locator(".rows [role=option]").getByText("the end").waitFor();
    assert.equal(await page.locator(".empty").count(), 1);
  });

  it("says of a private session that it is one before anything is asked in it", async () => {
    const { page, bed } = await fixture.open();
    await page.locator(".empty").waitFor();
    bed.host.newSession("0b7e5c1e-8f0a-8b8e-9d4f-3f1d2c4b5a69");
    await page.getByRole("heading", { name: "Private session", level: 1 }).waitFor();
    const question = page.getByRole("textbox", { name: "Question" });
    assert.equal(await question.getAttribute("placeholder"), "Ask in private: nothing is kept");
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByRole("heading", { name: "New session", level: 1 }).waitFor();
  });

  it("goes on saying so while its turns are shown, at any width, and no more when it is saved", async () => {
    const sessionId = "0b7e5c1e-8f0a-8b8e-9d4f-3f1d2c4b5a69";
    const panel = await fixture.open({
      before: async (bed) => {
        const sink = (event: TurnEvent): void => {
          const isStart = event.type === "turn.start";
          bed.log.append(isStart ? { ...event, data: { ...event.data, "conclave.private": true } } : event);
        };
        const script = new TurnScript(sink, { sessionId, question: "Who may know?" });
        script.ask().reply({ content: "Nobody." }).stepEnd().answered("Nobody.");
        await bed.log.flush();
      },
    });
    const { page } = panel;
    await openFirst(panel);
    for (const width of [1240, 420]) {
      await page.setViewportSize({ width, height: 800 });
      await page.locator("header").getByText("private").waitFor();
    }
    const question = page.getByRole("textbox", { name: "Question" });
    assert.equal(await question.getAttribute("placeholder"), "Ask on in private: nothing is kept");
    const [row] = panel.bed.posted("turns").at(-1)?.rows ?? [];
    assert.ok(row);
    const { private: isPrivate, ...kept } = row;
    assert.equal(isPrivate, true);
    panel.bed.onPost({ type: "rows", rows: [kept] });
    await page.locator("header").getByText("private").waitFor({ state: "detached" });
    assert.equal(await question.getAttribute("placeholder"), "Ask on, in this session");
  });

  it("begins anew when what was saved is not understood", async () => {
    const panel = await fixture.open({ before: (bed) => withCacheTurn(bed) });
    const { page } = panel;
    await page.locator(".rows [role=option]").first().waitFor();
    for (const state of [
      `"x"`,
      `{"version":1,"selected":{"sessionId":4},"folds":"no","anchor":"x"}`,
      `{"version":99}`,
    ]) {
      await panel.evaluate(`sessionStorage.setItem("state", ${JSON.stringify(state)})`);
      await page.reload();
      await page.locator(".empty").waitFor();
    }
    assert.deepEqual(panel.complaints, []);
  });
});
