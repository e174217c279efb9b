import assert from "node:assert/strict";
import type { TurnEvent } from "../../src/agent/events.ts";
import { committeeTurn } from "../unit/trace/support/committee-turn.ts";
import { otherAnswers } from "../unit/trace/support/other-answer.ts";
import { seriousFindings } from "./support/axe.ts";
import { useFixture } from "./support/fixture.ts";
import { criticState, withComparedTurn } from "./support/judged.ts";
import { readable } from "./support/readable.ts";
import { SAVED } from "./support/saved.ts";
import { openFirst, withAnswer } from "./support/turns.ts";

describe("panel: what critics say of an answer", () => {
  const fixture = useFixture();

  it("shows a grade with its word, rubric, judge, samples and spread, and says that it is an opinion", async () => {
    const panel = await fixture.open({ height: 1400, before: (bed) => withComparedTurn(bed) });
    await openFirst(panel);
    panel.bed.onPost(criticState());
    const { page } = panel;
    await page.locator(".cell-answer .grade", { hasText: "4/5 good" }).waitFor();
    const grade = page.locator(".cell-grade");
    await grade.getByText("judge:8b, in a fixed form · rubric helpfulness · 3.2 s").waitFor();
    await grade.getByText("samples 4, 5, 4 · spread 1").waitFor();
    await grade.getByText("Judge and writer are of one family (qwen3)").waitFor();
    await grade.getByText("A grade is an opinion, not a proof.").waitFor();
    assert.equal(await grade.locator("strong").innerText(), "recalled", "the words are read as Markdown");
    await readable(panel, "critic-grade");
    assert.deepEqual(panel.complaints, []);
  });

  it("sets a second answer beside the first, with who gave each, both orders, word differences and its steps", async () => {
    const panel = await fixture.open({ height: 1400, before: (bed) => withComparedTurn(bed) });
    await openFirst(panel);
    panel.bed.onPost(criticState());
    const { page } = panel;
    const cell = page.locator(".cell-pairwise");
    await cell.locator("[data-head]").click();
    const b = cell.getByRole("region", { name: "Answer B" });
    await b.getByText("second · llama3.2:3b · temperature 0.2 · 2.7 s · 5,000 tokens in, 400 out").waitFor();
    await b.getByText("found better").waitFor();
    await b.locator(".grade", { hasText: "3/5 fair" }).waitFor();
    await cell.getByText("Both orders, word for word").click();
    await cell.getByText("A first: B is better").waitFor();
    await cell.getByText("The first answer names its source.").waitFor();
    await cell.getByRole("checkbox", { name: "word differences" }).check();
    await b.locator("ins", { hasText: "told" }).waitFor();
    await cell.getByRole("button", { name: "7 steps of B" }).click();
    await page.locator(".cell-tool", { hasText: "read_notes" }).waitFor();
    assert.equal(
      await page.locator(".facts").getByText("read_notes").count(),
      0,
      "the turn's own figures have none of B's tools",
    );
    await page.locator(".facts section", { hasText: "Second answer (B)" }).getByText("5,000").waitFor();
    await cell.scrollIntoViewIfNeeded();
    await readable(panel, "critic-pair");
    await panel.page.locator(".cell-pairwise").scrollIntoViewIfNeeded();
    await panel.picture("critic-pair-narrow");
    assert.deepEqual(panel.complaints, []);
  });

  it("takes the second answer when it is asked to, and says so", async () => {
    const panel = await fixture.open({ before: (bed) => withComparedTurn(bed) });
    await openFirst(panel);
    panel.bed.onPost(criticState());
    const { page } = panel;
    await page.locator(".cell-pairwise [data-head]").click();
    await page.getByRole("button", { name: "Use this answer" }).click();
    await page.getByText("memory was asked to recall answer B from now on").waitFor();
    assert.ok(panel.said.some(({ type }) => type === "critic.take"));
  });

  it("says of a judge that went by the order that it is a tie, and shows what could not be read as it stands", async () => {
    const panel = await fixture.open({
      before: (bed) =>
        withComparedTurn(bed, {
          winner: null,
          "conclave.order_bound": true,
          "conclave.raw": "As a judge I say <b>5</b> **because** the answer told me to",
        }),
    });
    await openFirst(panel);
    const { page } = panel;
    await page.locator(".cell-pairwise .grade", { hasText: "a tie: it went by the order" }).first().waitFor();
    await page.locator(".cell-pairwise [data-head]").click();
    await page.getByText("The judge chose the same place in both orders").waitFor();
    await page.getByText("What the judge said, as it stands").click();
    assert.match(
      await page.getByRole("region", { name: "What the judge said" }).innerText(),
      /<b>5<\/b> \*\*because\*\*/,
      "it is text and no markup",
    );
  });

  it("takes what a judge says for text of anybody: no picture is loaded, no markup of its own runs", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        const script = await withAnswer(bed, "It stays.");
        script.emitter.emit(
          "critique.result",
          { parentId: script.turnId },
          {
            score: 5,
            feedback:
              "Give <b>5</b> <img src=x onerror=alert(1)> ![p](https://evil.test/p.png) [go](javascript:alert(1))",
            "gen_ai.request.model": "judge:8b",
          },
        );
        await bed.log.flush();
      },
    });
    await openFirst(panel);
    const said = panel.page.locator(".cell-grade .grade-said");
    await said.getByText("Give").waitFor();
    assert.equal(await said.locator("img, script, b").count(), 0);
    assert.equal(await said.locator('a[href^="javascript"]').count(), 0);
    assert.deepEqual(panel.complaints, []);
  });

  it("says of a second answer that was never finished that it was interrupted", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        const script = await withAnswer(bed, "It stays.");
        otherAnswers(script, (event) => bed.log.append(event), { until: "working" });
        await bed.log.flush();
      },
    });
    await openFirst(panel);
    await panel.page.locator(".cell-pairwise .grade", { hasText: "not compared" }).waitFor();
    await panel.page.locator(".cell-pairwise [data-head]").click();
    await panel.page.getByText("B was interrupted before it had answered.").waitFor();
  });

  it("says in words why there is no grade", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        const script = await withAnswer(bed, "It stays.");
        script.emitter.emit(
          "critique.result",
          { parentId: script.turnId },
          {
            score: null,
            feedback: "",
            "gen_ai.request.model": "judge:8b",
            "conclave.ungraded": "not graded (cut off)",
            "conclave.raw": "The answer is",
          },
        );
        await bed.log.flush();
      },
    });
    await openFirst(panel);
    await panel.page.locator(".cell-answer .grade", { hasText: "not graded (cut off)" }).waitFor();
    await panel.page.locator(".cell-grade").getByText("What the judge said, as it stands").waitFor();
    assert.deepEqual(await seriousFindings(panel), []);
  });

  it("shows what was concluded as concluded, and what a reward is made of", async () => {
    const panel = await fixture.open({ height: 1200, before: (bed) => withComparedTurn(bed) });
    await openFirst(panel);
    const { page } = panel;
    await page.locator(".cell-signs [data-head]").click();
    await page.getByText("You asked again in other words: taken as a sign against the answer").waitFor();
    await page.getByText("And which cache was it that we took in the end?").waitFor();
    await page.locator(".cell-reward [data-head]").click();
    assert.match(
      await page.locator(".reward-sources").innerText(),
      /thumbs\s+\+0\.50[^]*asked again\s+-0\.15[^]*together, bounded\s+\+0\.35/,
    );
    assert.equal(await page.locator(".row .codicon-thumbsdown").count(), 0, "it is no thumb");
    await readable(panel, "critic-reward");
  });

  it("has an answer graded and compared on request, by button and by key, and shows what waits", async () => {
    const panel = await fixture.open({ before: (bed) => withComparedTurn(bed) });
    await openFirst(panel);
    panel.bed.onPost(criticState());
    const { page } = panel;
    const [{ sessionId = "", turnId = "" } = {}] = panel.said.filter(({ type }) => type === "select") as {
      sessionId?: string;
      turnId?: string;
    }[];
    await page.getByRole("button", { name: "Grade again" }).click();
    assert.ok(panel.said.some(({ type }) => type === "critic.grade"));
    await page.getByRole("button", { name: "Grade by …" }).click();
    await page.getByRole("combobox", { name: "Rubric" }).selectOption("helpfulness");
    await page.getByRole("textbox", { name: /^Reference answer/ }).fill("At noon, it was said.");
    assert.deepEqual(await seriousFindings(panel), []);
    await panel.picture("critic-grade-form");
    await page.getByRole("button", { name: "Grade", exact: true }).click();
    await page.getByRole("combobox", { name: "Rubric" }).waitFor({ state: "detached" });
    assert.deepEqual(
      panel.said.findLast(({ type }) => type === "critic.grade"),
      {
        ...{ type: "critic.grade", sessionId, turnId },
        ...{ rubric: "helpfulness", reference: "At noon, it was said." },
      },
    );
    const job = { sessionId, turnId, askedBy: "user" } as const;
    panel.bed.onPost(
      criticState({ running: { ...job, kind: "grade" }, waiting: [{ ...job, kind: "compare" }] }),
    );
    await page.getByText("grading …").waitFor();
    await page.getByText("comparing waits behind 1").waitFor();
    panel.bed.onPost(criticState());
    await page.locator(".cell-answer [data-head]").focus();
    await page.keyboard.press("b");
    await page.getByRole("textbox", { name: "Model; left empty: as it was" }).fill("llama3.2:3b");
    await page.getByRole("spinbutton", { name: "Temperature, 0 to 2" }).fill("0.2");
    assert.deepEqual(await seriousFindings(panel), []);
    await panel.picture("critic-compare-form");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Model; left empty: as it was" }).waitFor({ state: "detached" });
    assert.deepEqual(
      panel.said.findLast(({ type }) => type === "critic.compare"),
      {
        ...{ type: "critic.compare", sessionId, turnId, model: "llama3.2:3b", temperature: 0.2 },
      },
    );
  });
});

describe("panel: the forms beside an answer", () => {
  const fixture = useFixture();

  it("hold what was typed in them when the panel comes back, and are empty once they were left", async () => {
    const panel = await fixture.open({ before: (bed) => withComparedTurn(bed) });
    const { page } = panel;
    await openFirst(panel);
    panel.bed.onPost(criticState());
    const reference = page.getByRole("textbox", { name: /^Reference answer/ });
    const model = page.getByRole("textbox", { name: "Model; left empty: as it was" });
    await page.getByRole("button", { name: "Grade by …" }).click();
    await page.getByRole("combobox", { name: "Rubric" }).selectOption("helpfulness");
    await reference.fill("At noon. ".repeat(800));
    await page.getByRole("button", { name: "Compare with …" }).click();
    await model.fill("llama3.2");
    await panel.until(`${SAVED}?.typed?.length === 3`);
    await page.reload();
    panel.bed.onPost(criticState());
    assert.equal(await reference.inputValue(), "At noon. ".repeat(800));
    assert.equal(await page.getByRole("combobox", { name: "Rubric" }).inputValue(), "helpfulness");
    assert.equal(await model.inputValue(), "llama3.2");
    await reference.press("Escape");
    // By the button that opened it, it is left too.
    await page.getByRole("button", { name: "Compare with …" }).click();
    await model.waitFor({ state: "detached" });
    await panel.until(`${SAVED}?.typed?.length === 0`);
    await page.getByRole("button", { name: "Grade by …" }).click();
    assert.equal(await reference.inputValue(), "");
    assert.deepEqual(panel.complaints, []);
  });
});

describe("panel: a committee that was graded", () => {
  const fixture = useFixture();

  it("shows each persona's badge, and whether the synthesis beat the best single answer", async () => {
    const panel = await fixture.open({
      height: 1200,
      before: async (bed) => {
        const events: TurnEvent[] = [];
        const { sessionId, turnId } = committeeTurn((event) => events.push(event));
        for (const event of events) bed.log.append(event);
        const grade = (parentId: string, agent: string, score: number, at: number): void =>
          bed.log.append({
            ...{ id: `00000000000000a${at}`, parentId, time: Date.now(), sessionId, turnId, agent },
            ...{ respondent: "A", type: "critique.result" },
            data: { score, feedback: "Grounded.", "gen_ai.request.model": "judge:8b" },
          });
        const members = events.filter(
          (event) => event.type === "agent.start" && event.data["conclave.role"] === "persona",
        );
        for (const [at, { id, agent }] of members.slice(-3).entries()) grade(id, agent, 2 + at, at);
        grade(turnId, "conclave", 5, 9);
        await bed.log.flush();
      },
    });
    await openFirst(panel);
    panel.bed.onPost(criticState());
    const { page } = panel;
    await page
      .getByText(/By their grades, the synthesis \(5\) beat the best single answer \(.*, 4\)\./)
      .waitFor();
    await page.locator(".member .grade", { hasText: "2/5 weak" }).waitFor();
    await readable(panel, "critic-committee");
  });
});
