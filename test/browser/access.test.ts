import assert from "node:assert/strict";
import { failure } from "../../src/agent/failure.ts";
import { seriousFindings } from "./support/axe.ts";
import { useFixture } from "./support/fixture.ts";
import { withCommitteeTurn, withJudgedTurn } from "./support/judged.ts";
import { openMemory, withMemories } from "./support/memories.ts";
import type { OpenOptions, PanelPage } from "./support/panel-page.ts";
import { THEMES, type ThemeName } from "./support/themes.ts";
import { openFirst } from "./support/turns.ts";

/** A view of the panel, and how to get to it in a wide one. */
interface View {
  readonly name: string;
  readonly before?: OpenOptions["before"];
  readonly go: (panel: PanelPage) => Promise<unknown>;
}

const VIEWS: readonly View[] = [
  {
    name: "empty",
    before: (bed) => {
      bed.model = "";
      bed.problems = [
        failure("server_unreachable", "Ollama is not running at http://127.0.0.1:11434.", {
          action: "start_ollama",
        }),
        failure("no_model", "No chat model is chosen yet.", { action: "select_model" }),
      ];
    },
    go: ({ page }) => page.locator(".missing li").nth(1).waitFor(),
  },
  { name: "turn", before: withJudgedTurn, go: openFirst },
  {
    name: "unfolded",
    before: withJudgedTurn,
    go: async (panel) => {
      await openFirst(panel);
      await panel.page.locator("[data-head]").first().focus();
      await panel.page.keyboard.press("+");
      await panel.page.locator(".cell-model .figures").first().waitFor();
    },
  },
  { name: "committee", before: withCommitteeTurn, go: openFirst },
  {
    name: "compare",
    before: async (bed) => {
      await withJudgedTurn(bed);
      await withCommitteeTurn(bed);
    },
    go: async (panel) => {
      await openFirst(panel);
      await panel.page.getByRole("button", { name: "Compare with another turn" }).click();
      await panel.page.locator(".rows [role=option]").last().click();
      await panel.page.locator("main .compare").waitFor();
    },
  },
  {
    name: "fork-editor",
    before: withJudgedTurn,
    go: async (panel) => {
      await openFirst(panel);
      await panel.page.locator(".cell-tool [data-head]").first().focus();
      await panel.page.keyboard.press("e");
      await panel.page.locator(".branch-editor textarea").waitFor();
    },
  },
  { name: "memory", before: withMemories, go: openMemory },
  {
    name: "error",
    before: async (bed) => {
      const { script } = bed.engine.begin({ question: "Which boat?" });
      const problem = failure("model_missing", "The model qwen3:8b is not there. Pull it.", {
        action: "pull_model",
        target: "qwen3:8b",
      });
      script.ask().reply({ error: problem }).stepEnd().stopped("failed", problem);
      await bed.log.flush();
    },
    go: async (panel) => {
      await panel.page.locator(".rows [role=option]").first().click();
      await panel.page.locator(".cell-error").waitFor();
    },
  },
  {
    name: "cancelled",
    before: async (bed) => {
      const { script } = bed.engine.begin({ question: "Which boat?" });
      const problem = failure("cancelled", "Cancelled.");
      script.ask().stream("answer", "The red").reply({ content: "The red", error: problem });
      script.stepEnd().stopped("cancelled", problem, "The red");
      await bed.log.flush();
    },
    go: async (panel) => {
      await panel.page.locator(".rows [role=option]").first().click();
      await panel.page.locator(".standing").getByText("cancelled").waitFor();
    },
  },
  {
    name: "loading",
    before: (bed) => {
      bed.loaded = false;
      bed.engine.begin({ question: "Which boat lies at the pier?" }).script.ask();
    },
    go: ({ page }) => page.getByText("Loading qwen3:8b (5.2 GB)").waitFor(),
  },
  {
    name: "keys",
    before: withJudgedTurn,
    go: async (panel) => {
      await openFirst(panel);
      await panel.page.getByRole("button", { name: "Keys", exact: true }).click();
      await panel.page.getByRole("dialog").waitFor();
    },
  },
];

const SIZES = [
  { width: 1240, height: 800 },
  { width: 700, height: 800 },
  { width: 420, height: 800 },
  { width: 320, height: 700 },
] as const;

/** What is looked at: every theme but one when wide, the dark one when narrow. */
function isPictured(theme: ThemeName, width: number): boolean {
  return width === 1240 ? theme !== "hc-light" : theme === "dark";
}

/** Something is wider than the panel: a part of it can't be reached. */
const OVERFLOWS = `[...document.querySelectorAll(".panel > :not(.sr-only)")].some((e) => e.checkVisibility({ visibilityProperty: true }) && e.scrollWidth > e.clientWidth + 1)
  || document.documentElement.scrollWidth > innerWidth`;

describe("panel: every view, in every theme and width", () => {
  const fixture = useFixture();

  for (const { name, before, go } of VIEWS)
    it(`${name}: axe finds nothing serious, and nothing is wider than the panel`, async function () {
      this.timeout(240_000);
      const panel = await fixture.open(before === undefined ? {} : { before });
      await go(panel);
      for (const size of SIZES) {
        await panel.page.setViewportSize(size);
        for (const theme of Object.keys(THEMES) as ThemeName[]) {
          await panel.setTheme(theme);
          const where = `${name} in ${theme} at ${size.width}`;
          assert.deepEqual(await seriousFindings(panel), [], where);
          assert.equal(await panel.evaluate(OVERFLOWS), false, `${where} overflows`);
          if (isPictured(theme, size.width)) await panel.picture(`view-${name}-${theme}-${size.width}`);
        }
      }
      assert.deepEqual(panel.complaints, []);
    });

  it("keeps its bars and borders where the system forces its colours, and moves nothing where that is asked", async () => {
    const panel = await fixture.open({ before: withCommitteeTurn });
    await panel.page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
    await openFirst(panel);
    const seen = await panel.evaluate<string>(
      `getComputedStyle(document.querySelector(".lane-bar .fill-model, .lane-bar .fill-memory")).backgroundColor`,
    );
    assert.notEqual(seen, "rgba(0, 0, 0, 0)");
    const moving = await panel.evaluate<number>("document.getAnimations().length");
    assert.equal(moving, 0);
    await panel.picture("view-forced-colors");
  });
});
