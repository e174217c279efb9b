import assert from "node:assert/strict";
import { committeeTurn } from "../unit/trace/support/committee-turn.ts";
import { seriousFindings } from "./support/axe.ts";
import { useFixture } from "./support/fixture.ts";
import { openFirst, withCacheTurn } from "./support/turns.ts";

describe("panel: answers judged", () => {
  const fixture = useFixture();

  it("take a thumb and a note, and give them back", async () => {
    const panel = await fixture.open({ before: withCacheTurn });
    const { page } = panel;
    await openFirst(panel);
    await page.getByRole("button", { name: "Poor answer" }).click();
    await page.getByRole("textbox", { name: "Why was the answer poor?" }).fill("it names no source");
    await page.keyboard.press("Enter");
    const note = page.locator(".actions").getByRole("button", { name: /it names no source/ });
    await note.waitFor();
    await page.locator(".row .codicon-thumbsdown").waitFor();
    await note.click();
    await page.getByRole("textbox", { name: "Why was the answer poor?" }).fill("it names one source");
    await page.keyboard.press("Escape");
    await note.waitFor();
    await page.getByRole("button", { name: "Poor answer" }).click();
    await note.waitFor({ state: "detached" });
    const ratings = panel.bed.engine.published.map(({ type, data }) => [
      type,
      "rating" in data && data.rating,
    ]);
    assert.deepEqual(
      ratings.map(([, rating]) => rating),
      ["down", "down", "none"],
    );
  });

  it("are graded by hand, with who, when and why beside what the critic gave", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        const script = await withCacheTurn(bed);
        const grade = { score: 4, feedback: "Grounded in memory.", "gen_ai.request.model": "judge:8b" };
        script.emitter.emit("critique.result", { parentId: script.turnId }, grade);
        await bed.log.flush();
      },
    });
    const { page } = panel;
    await openFirst(panel);
    await page.getByRole("button", { name: "Correct the grade" }).click();
    await page.getByRole("combobox", { name: "Grade" }).selectOption("2");
    const keep = page.getByRole("button", { name: "Keep" });
    assert.ok(await keep.isDisabled(), "a grade without a reason is not taken");
    await page.getByRole("textbox", { name: "Reason for the grade" }).fill("The date is wrong.");
    assert.deepEqual(await seriousFindings(panel), []);
    await panel.picture("grade-form");
    await keep.click();
    await page.locator(".cell-answer .grade", { hasText: "2/5" }).waitFor();
    await page
      .locator(".grade-line")
      .getByText(/by the critic, corrected by you, Today, .*: The date is wrong\./)
      .waitFor();
    await page.locator(".row .grade", { hasText: "2/5" }).waitFor();
    await panel.picture("grade-corrected");
  });

  it("are judged persona by persona in a committee", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        committeeTurn((event) => bed.log.append(event));
        await bed.log.flush();
      },
    });
    const { page } = panel;
    await openFirst(panel);
    await page.getByRole("button", { name: "Good answer of Skeptic" }).first().click();
    await page
      .getByRole("textbox", { name: "Why was the answer of Skeptic good?" })
      .first()
      .fill("asks for proof");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /asks for proof/ }).waitFor();
    assert.equal(await page.locator(".row .codicon-thumbsup").count(), 0, "it is not said of the turn");
    assert.deepEqual(await seriousFindings(panel), []);
    await panel.picture("judge-committee");
  });
});
