import assert from "node:assert/strict";
import type { PanelBed } from "../unit/trace/support/panel-bed.ts";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { TurnScript } from "../unit/trace/support/turn-script.ts";
import { committeeTurn } from "../unit/trace/support/committee-turn.ts";
import { writeRulesBranches } from "../unit/trace/support/branches.ts";
import { readable } from "./support/readable.ts";
import { seriousFindings } from "./support/axe.ts";
import { useFixture } from "./support/fixture.ts";
import type { PanelPage } from "./support/panel-page.ts";

const FIRST = "Does the cache hold with one replica?";
/** A line of the list; the menu of filters has options too. */
const ROW = ".rows [role=option]";
const SECOND = "Does the cache hold with two replicas?";

/** Puts two turns into the log that searched for the same and were told other things. */
async function withTwoTurns(bed: PanelBed): Promise<void> {
  const tell = (question: string, seed: number, result: string, answer: string): TurnScript => {
    const identity = new SteadyIdentity(Date.now() - 120_000 + seed * 1_000, seed * 1_000);
    const script = new TurnScript((event) => bed.log.append(event), {
      ...{ question, identity },
    });
    const calls = [{ id: "c1", name: "search_memory", arguments: { query: "cache" } }];
    script.wait(10).ask().wait(400).reply({ thinking: "Memory should know.", calls });
    script.call("search_memory", { query: "cache" })({
      result,
      details: { summary: "1 of 9 memories given" },
    });
    script.stepEnd().ask().wait(900).reply({ content: answer }).stepEnd().answered(answer);
    return script;
  };
  tell(FIRST, 1, "In process, ten minutes.", "It holds: one process sees every write.");
  const second = tell(
    SECOND,
    2,
    "In process, ten minutes.",
    "It no longer holds: each process sees its own writes.",
  );
  second.emitter.emit(
    "critique.result",
    { parentId: second.turnId },
    { score: 4, feedback: "Grounded.", "gen_ai.request.model": "judge:8b" },
  );
  await bed.log.flush();
}

async function compare(panel: PanelPage): Promise<void> {
  const { page } = panel;
  await page.locator(ROW, { hasText: SECOND }).click();
  await page.locator(".cell-answer .markdown").waitFor();
  await page.getByRole("button", { name: "Compare with another turn" }).click();
  await page.getByText(`is to stand beside “${SECOND}”`).waitFor();
  await page.locator(ROW, { hasText: FIRST }).click();
  await page.getByRole("region", { name: "Two turns compared" }).waitFor();
  await page.locator(".compare-part").getByText("Step by step").waitFor();
}

describe("panel: two turns compared", () => {
  const fixture = useFixture();

  it("names what differs in words, and passes over what is the same", async () => {
    const panel = await fixture.open({ before: withTwoTurns });
    const { page } = panel;
    await compare(panel);
    const answers = page.locator(".compare-part", { hasText: "Answer" }).first();
    await answers.locator("del", { hasText: "no longer" }).waitFor();
    await answers.locator("ins", { hasText: "one" }).waitFor();
    const figures = page.getByRole("row", { name: /^grade/ });
    assert.match(await figures.innerText(), /4\/5.*–/s);
    assert.equal(await page.locator(".compare-step", { hasText: "search_memory" }).count(), 0);
    await page.getByRole("checkbox", { name: "show what is the same" }).check();
    await page.locator(".compare-step.same", { hasText: "search_memory" }).waitFor();
    await panel.picture("compare-dark");
    assert.deepEqual(panel.complaints, []);
  });

  it("stays when the page is made anew, and leads to either turn", async () => {
    const panel = await fixture.open({ before: withTwoTurns });
    const { page } = panel;
    await compare(panel);
    await page.reload();
    await page.locator(".compare-part", { hasText: "Answer" }).first().locator("del").first().waitFor();
    await page.locator(".compare-heads").getByRole("button", { name: FIRST }).click();
    await page.locator(".cell-question").getByText(FIRST).waitFor();
  });

  it("can be read in every theme, narrow and by a screen reader", async () => {
    const panel = await fixture.open({ before: withTwoTurns });
    await compare(panel);
    for (const theme of ["light", "hc-dark", "hc-light", "dark"] as const) {
      await panel.setTheme(theme);
      assert.deepEqual(await seriousFindings(panel), [], theme);
      await panel.picture(`compare-${theme}`);
    }
    await panel.page.setViewportSize({ width: 420, height: 800 });
    await panel.picture("compare-narrow");
    assert.deepEqual(await seriousFindings(panel), []);
  });
});

/** What a turn is that reads one page and answers. */
interface Reading {
  readonly question: string;
  readonly page: string;
  readonly answer: string;
}

/** Puts a turn into the log that reads a page and answers. */
function tellReading(bed: PanelBed, { question, page, answer }: Reading, seed: number): TurnScript {
  const identity = new SteadyIdentity(Date.now() - 600_000 + seed * 1_000, seed * 1_000);
  const script = new TurnScript((event) => bed.log.append(event), { question, identity });
  script.wait(10).ask().wait(400).reply({ content: "" });
  script.call("web_fetch", { url: "https://docs.example.org/cache" })({ result: page });
  script.stepEnd().ask().wait(90).reply({ content: answer }).stepEnd().answered(answer);
  return script;
}

/** Has the panel show two turns of the log side by side, as a command of the editor does. */
async function side(panel: PanelPage, left: TurnRef, right: TurnRef): Promise<void> {
  const nameOf = ({ sessionId, turnId }: TurnRef): TurnRef => ({ sessionId, turnId });
  await panel.page.getByRole("searchbox", { name: "Search turns" }).waitFor({ state: "attached" });
  panel.bed.onPost({ type: "compare.show", left: nameOf(left), right: nameOf(right) });
  await panel.page.locator(".compare[aria-busy=false]").waitFor();
}

interface TurnRef {
  readonly sessionId: string;
  readonly turnId: string;
}

describe("panel: a comparison says", () => {
  const fixture = useFixture();

  it("whose step is whose, and in which round", async () => {
    const turns: TurnRef[] = [];
    const panel = await fixture.open({
      before: async (bed) => {
        for (const synthesis of [undefined, "missing"] as const) {
          const identity = new SteadyIdentity(Date.now() - 600_000, 1_000 * (turns.length + 1));
          const options = { identity, ...(synthesis && { synthesis }) };
          turns.push(committeeTurn((event) => bed.log.append(event), options));
        }
        turns.push(tellReading(bed, { question: "And alone?", page: "A page.", answer: "Yes." }, 9));
        await bed.log.flush();
      },
    });
    const { page } = panel;
    const [whole, cut, alone] = turns;
    assert.ok(whole && cut && alone);
    await side(panel, whole, cut);
    await page.getByRole("checkbox", { name: "show what is the same" }).check();
    await page
      .locator(".compare-step summary", { hasText: /Step 1\s*Skeptic, round 2/ })
      .first()
      .waitFor();
    await page
      .locator(".compare-step summary", { hasText: /The Self/ })
      .first()
      .waitFor();
    await panel.picture("compare-committee");
    await side(panel, alone, whole);
    const lone = page.locator(".compare-step", { hasText: "web_fetch" });
    await lone.getByText("only left").waitFor();
    await lone.locator("summary").click();
    await lone.getByText("A page.").waitFor();
    assert.equal(await lone.locator("del").count(), 0, "nothing was struck out: there is nothing beside it");
    await readable(panel, "compare-lone");
    assert.deepEqual(panel.complaints, []);
  });

  it("how much of long texts was compared, and calls nothing the same that it has not read", async () => {
    const turns: TurnRef[] = [];
    const long = "The cache holds for ten minutes, and then it is read anew. ".repeat(600);
    const panel = await fixture.open({
      before: async (bed) => {
        for (const [seed, end] of ["It ends in May.", "It ends in September."].entries())
          turns.push(
            tellReading(bed, { question: "How long?", page: `${long}${end}`, answer: `${long}${end}` }, seed),
          );
        await bed.log.flush();
      },
    });
    const [left, right] = turns;
    assert.ok(left && right);
    await side(panel, left, right);
    const answers = panel.page.locator(".compare > .compare-part", { hasText: "Answer" });
    await answers.locator("del", { hasText: "May" }).waitFor();
    assert.equal(await answers.locator(".compare-more").count(), 0, "the answers were fetched whole");
    const step = panel.page.locator(".compare-step", { hasText: "web_fetch" });
    await step.getByText("the same as far as they were compared").waitFor();
    await panel.page.getByText("1 of 3 differ").waitFor();
    const more = (of: string) => step.getByRole("button", { name: `on the ${of} are compared` });
    for (const of of ["left", "right"])
      while (await more(of).isVisible()) {
        const known = await more(of).innerText();
        await more(of).click();
        // More is known of it, or all.
        await step.getByRole("button", { name: known }).waitFor({ state: "hidden" });
      }
    await step.locator("ins", { hasText: "September" }).waitFor();
    assert.deepEqual(panel.complaints, []);
  });

  it("what was changed of the rules for a branch, beside what they were or what another branch has", async () => {
    let was = "";
    const panel = await fixture.open({
      before: async (bed) => {
        was = await writeRulesBranches(bed.log, ["You answer in one word.", "You answer in two words."]);
      },
    });
    const { page } = panel;
    await page.locator(ROW).nth(1).click();
    await page.getByRole("button", { name: "Compare with the turn that it branches off" }).click();
    const rules = page.locator(".compare > .compare-part", { hasText: "The rules" });
    await rules.getByText("You answer in one word.").waitFor();
    // Rules that are others altogether stand unmarked: struck out word by word nobody could read them.
    await rules.getByText("hardly a word in common").waitFor();
    assert.equal(await rules.locator("del, ins").count(), 0);
    assert.ok((await rules.innerText()).includes(was.slice(0, 12)));
    await page.locator(".compare-head").last().getByText("branch, changed: the rules").waitFor();
    await page.locator(".compare-head").last().getByRole("button").click();
    await page.getByRole("button", { name: "Compare with another turn" }).click();
    await page.locator(ROW).nth(2).click();
    await rules.locator("del", { hasText: "one" }).waitFor();
    assert.deepEqual(
      [await rules.locator("del").allInnerTexts(), await rules.locator("ins").allInnerTexts()],
      [
        ["one", "word"],
        ["two", "words"],
      ],
    );
    await panel.picture("compare-rules");
    assert.deepEqual(panel.complaints, []);
  });

  it("that a turn is in the log no more, and that one runs still", async () => {
    let other: TurnRef | undefined;
    const panel = await fixture.open({
      before: async (bed) => {
        other = tellReading(bed, { question: "Does it?", page: "A page.", answer: "Yes." }, 1);
        await bed.log.flush();
      },
    });
    const { page, bed } = panel;
    const { script } = bed.engine.begin({ question: "Does it hold?" });
    script.ask();
    const gone = { sessionId: "7d444840-9dc0-11d1-b245-5ffdce74fad2", turnId: "0123456789abcdef" };
    assert.ok(other);
    await side(panel, other, script);
    assert.match(await page.getByRole("row", { name: /^outcome/ }).innerText(), /answered\s+running/);
    await side(panel, gone, script);
    await page.locator(".compare-head").first().getByText("Nothing of it is in the log any more").waitFor();
    await page.getByText("There is nothing to compare any more.").waitFor();
    assert.equal(await page.locator(".compare table").count(), 0);
  });
});

describe("panel: turns found", () => {
  const fixture = useFixture();

  it("are those whose texts hold the words, thinking and results of tools included", async () => {
    const panel = await fixture.open({ before: withTwoTurns });
    const { page } = panel;
    await page.locator(ROW).nth(1).waitFor();
    const search = page.getByRole("searchbox", { name: "Search turns" });
    await search.fill("each process sees");
    await page.locator(ROW, { hasText: FIRST }).waitFor({ state: "detached" });
    assert.equal(await page.locator(ROW).count(), 1);
    await search.fill("ten minutes");
    await page.locator(ROW).nth(1).waitFor();
    await search.fill("nothing says this");
    await page.getByText("Nothing matches.").waitFor();
    await page.getByRole("button", { name: "Clear the search" }).click();
    await page.locator(ROW).nth(1).waitFor();
    assert.equal(await search.inputValue(), "");
  });

  it("are narrowed by the menu, which writes into the field what it filters by", async () => {
    const panel = await fixture.open({ before: withTwoTurns });
    const { page } = panel;
    await page.locator(ROW).nth(1).waitFor();
    await page.getByRole("combobox", { name: "Add a filter" }).selectOption({ label: "4 or better" });
    await page.locator(ROW, { hasText: FIRST }).waitFor({ state: "detached" });
    const search = page.getByRole("searchbox", { name: "Search turns" });
    assert.equal(await search.inputValue(), "grade:>=4");
    await page.getByRole("combobox", { name: "Add a filter" }).selectOption({ label: "search_memory" });
    assert.equal(await search.inputValue(), "grade:>=4 tool:search_memory");
    await page.locator(ROW, { hasText: SECOND }).waitFor();
    assert.deepEqual(await seriousFindings(panel), []);
    await panel.picture("filter");
  });

  it("are looked for in all sessions, however many hold nothing of it", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        for (let seed = 0; seed < 430; seed += 1) {
          const question = seed === 0 ? "Where does the ferry land?" : `Does it hold, part ${seed}?`;
          const identity = new SteadyIdentity(Date.now() - 9_000_000 + seed * 10_000, (seed + 1) * 100);
          new TurnScript((event) => bed.log.append(event), { question, identity }).answered("Yes.");
          if (seed === 0) await bed.log.flush();
        }
        await bed.log.flush();
      },
    });
    const { page } = panel;
    await page.locator(ROW).nth(1).waitFor();
    const search = page.getByRole("searchbox", { name: "Search turns" });
    await search.fill("ferry");
    await page.locator(ROW, { hasText: "ferry" }).waitFor();
    await search.fill("nothing says this");
    await page.getByText("Nothing matches.").waitFor();
  });

  it("are the same when the page is made anew", async () => {
    const panel = await fixture.open({ before: withTwoTurns });
    const { page } = panel;
    await page.getByRole("searchbox", { name: "Search turns" }).fill("grade:>=4");
    await page.locator(ROW, { hasText: FIRST }).waitFor({ state: "detached" });
    await panel.until(`sessionStorage.getItem("state")?.includes("grade:>=4") === true`);
    await page.reload();
    await page.locator(ROW, { hasText: SECOND }).waitFor();
    assert.equal(await page.getByRole("searchbox", { name: "Search turns" }).inputValue(), "grade:>=4");
    assert.equal(await page.locator(ROW).count(), 1);
    await page.getByRole("button", { name: "Clear the search" }).click();
    await page.locator(ROW).nth(1).waitFor();
  });
});
