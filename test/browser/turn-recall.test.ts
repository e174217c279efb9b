import assert from "node:assert/strict";
import type { JsonObject } from "../../src/agent/models/types.ts";
import type { PanelBed } from "../unit/trace/support/panel-bed.ts";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { TurnScript } from "../unit/trace/support/turn-script.ts";
import { useFixture } from "./support/fixture.ts";
import { openFirst } from "./support/turns.ts";

const PARTS = { text: 0.3, vector: 0.5, relevance: 0.8, recency: 0.05 };
const TIME = Date.UTC(2026, 2, 12, 10, 30);

/** What each tool of memory gives for people, and what a reader should see of it. */
const GIVEN: readonly (readonly [tool: string, data: JsonObject, rows: readonly RegExp[]])[] = [
  [
    "search_memory",
    {
      hits: [
        {
          question: "Who is Mira?",
          answer: "The sister of Jonas.",
          time: TIME,
          score: 0.7,
          parts: PARTS,
          why: "It fits.",
        },
      ],
      facts: [
        {
          type: "fact",
          text: "Mira lives in Lisbon",
          time: TIME,
          score: 0.85,
          parts: PARTS,
          why: "It is recent.",
        },
      ],
    },
    [/^fact Mira lives in Lisbon .*0\.85$/, /^The sister of Jonas\. .*0\.70$/],
  ],
  [
    "search",
    {
      hits: [
        {
          type: "resource",
          text: "Release notes 0.4",
          time: TIME,
          score: 0.5,
          parts: PARTS,
          why: "Its words.",
        },
      ],
    },
    [/^page Release notes 0\.4 .*0\.50$/],
  ],
  [
    "search_knowledge_graph",
    {
      lines: [{ text: "Mira is the sister of Jonas", hops: 2, validFrom: TIME, strength: 0.7 }],
      unknown: [],
    },
    [/^relationship Mira is the sister of Jonas .*2 steps away$/],
  ],
  [
    "get_moments",
    { moments: [{ title: "Mira came to stay", text: "Until June.", from: TIME, to: TIME, score: 0.6 }] },
    [/^moment Mira came to stay .*0\.60$/],
  ],
];

async function withRecall(bed: PanelBed): Promise<void> {
  const identity = new SteadyIdentity(Date.now() - 60_000);
  const script = new TurnScript((event) => bed.log.append(event), { identity });
  script.ask().reply({ calls: [] });
  for (const [tool, data] of GIVEN)
    script.call(tool, { query: "Mira" })({ result: "given", details: { summary: "given", data } });
  // Not a tool of memory: its rows are its own.
  script.call("web_search", { query: "Mira" })({
    result: "given",
    details: {
      summary: "given",
      sources: [
        { uri: "https://docs.example.org/cache", title: "Cache invalidation" },
        { uri: "javascript:alert(1)", title: "no page" },
      ],
      data: { hits: [{ text: "A page", score: 1 }] },
    },
  });
  script.stepEnd().answered("The sister of Jonas.");
  await bed.log.flush();
}

describe("panel: what was recalled", () => {
  const fixture = useFixture();

  it("is a table with times, scores and reasons, whichever tool of memory gave it", async () => {
    const panel = await fixture.open({ before: withRecall, height: 1000 });
    await openFirst(panel);
    const tables = panel.page.locator(".cell-tool .recalled");
    await tables.nth(GIVEN.length - 1).waitFor();
    assert.equal(await tables.count(), GIVEN.length);
    for (const [at, [, , rows]] of GIVEN.entries()) {
      const texts = await tables.nth(at).locator("tbody tr").allInnerTexts();
      assert.equal(texts.length, rows.length);
      for (const [index, row] of rows.entries())
        assert.match((texts[index] ?? "").replaceAll(/\s+/g, " ").trim(), row);
    }
    await panel.picture("recalled");
    assert.deepEqual(panel.complaints, []);
  });

  it("is told of the web by its pages, each a link that the editor opens", async () => {
    const panel = await fixture.open({ before: withRecall, height: 1000 });
    await openFirst(panel);
    const cell = panel.page.locator(".cell-tool", { hasText: "web_search" });
    await cell.locator(".fold").click();
    const links = cell.getByRole("list", { name: "Sources" }).getByRole("link");
    assert.deepEqual(await links.allInnerTexts(), ["Cache invalidation"]);
    await links.first().click();
    while (panel.bed.opened.length === 0) await new Promise(setImmediate);
    assert.deepEqual(panel.bed.opened, ["https://docs.example.org/cache"]);
  });

  it("is said in words when a reason is laid open, by the keyboard too", async () => {
    const panel = await fixture.open({ before: withRecall, height: 1000 });
    await openFirst(panel);
    const { page } = panel;
    const table = page.locator(".cell-tool .recalled").first();
    const reason = table.getByRole("button", { name: /why it was recalled/ }).first();
    await reason.focus();
    await page.keyboard.press("Enter");
    const why = table.getByRole("region", { name: "Why recalled" });
    await why.getByText("It is recent.").waitFor();
    const text = (await why.innerText()).replaceAll(/\s+/g, " ");
    for (const part of ["text 0.30", "meaning 0.50", "relevance 0.80", "value 0.85"])
      assert.ok(text.includes(part), `${part} is missing in: ${text}`);
    await panel.picture("recalled-why");
    await page.keyboard.press("Enter");
    await why.waitFor({ state: "detached" });
  });
});
