import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { head, textOf } from "../../unit/trace/files/support.ts";
import { writeBranches } from "../../unit/trace/support/branches.ts";
import { cacheTurn } from "../../unit/trace/support/cache-turn.ts";
import { committeeTurn } from "../../unit/trace/support/committee-turn.ts";
import { evalReport } from "../../unit/trace/support/eval-report.ts";
import { EVALS, type PanelBed } from "../../unit/trace/support/panel-bed.ts";
import { requestTurns } from "../../unit/trace/support/request-turns.ts";
import { SteadyIdentity } from "../../unit/trace/support/steady-identity.ts";
import {
  criticState,
  withCommitteeTurn,
  withComparedTurn,
  withGradedDays,
  withJudgedTurn,
} from "./judged.ts";
import { openMemory, withMemories } from "./memories.ts";
import type { PanelPage } from "./panel-page.ts";
import { EMPTY, press, TURNS, type View } from "./turn-views.ts";
import { openFirst, withCacheTurn } from "./turns.ts";

const SESSION = "00000000-0000-4000-8000-0000000000ee";

/** Two turns of a conversation with all kinds of parts in their prompts. */
async function withRequests(bed: PanelBed): Promise<void> {
  requestTurns((event) => bed.log.append(event), Date.now() - 60_000);
  await bed.log.flush();
}

async function openRequest({ page }: PanelPage): Promise<void> {
  await page.locator(".rows [role=option]", { hasText: "does it still" }).click();
  await page.locator(".cell-answer .markdown").waitFor();
  await page.locator(".cell-model button.fold").nth(1).click();
  await page.locator(".cell-model .message-head").nth(4).click();
  await page.locator(".message .piece").first().waitFor();
}

async function startCompare(panel: PanelPage): Promise<void> {
  await panel.page.getByRole("button", { name: "Compare with another turn" }).click();
  await panel.page.locator(".rows [role=option]").last().click();
  await panel.page.locator("main .compare").waitFor();
}

const WITHIN: readonly View[] = [
  { name: "request", before: withRequests, go: openRequest },
  {
    name: "request-raw",
    before: withRequests,
    go: async (panel) => {
      await openRequest(panel);
      await panel.page.getByRole("button", { name: "Raw", exact: true }).first().click();
      await panel.page.locator(".cell-model").getByText('"num_ctx"').first().waitFor();
    },
  },
  {
    name: "conversation",
    before: withRequests,
    go: async (panel) => {
      await openRequest(panel);
      await press(panel, "Conversation after this turn", "main .message-head");
    },
  },
  {
    name: "compare",
    before: async (bed) => {
      await withJudgedTurn(bed);
      await withCommitteeTurn(bed);
    },
    go: async (panel) => {
      await openFirst(panel);
      await startCompare(panel);
    },
  },
  {
    name: "branch",
    before: async (bed) => {
      await writeBranches(bed.log);
    },
    go: async (panel) => {
      await panel.page.locator(".rows .branch").first().click();
      await panel.page.locator(".branch-head").waitFor();
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
];

function memoryTable(table: string): View {
  return {
    name: `memory-${table.toLowerCase()}`,
    before: (bed) => {
      bed.scopes = ["here"];
      bed.place = "harbour-app";
      withMemories(bed);
    },
    go: async (panel) => {
      const { page } = panel;
      await openMemory(panel);
      await page.getByRole("tab", { name: table }).click();
      await page.locator(".memory-row .main").nth(1).waitFor();
      await page.locator(".memory-row .main").first().click();
      await page.locator(".memory-fields").waitFor();
      await page.locator(".memory-row input").nth(1).click();
      await page.getByText("1 selected").waitFor();
    },
  };
}

/** Turns that called tools, learnt, and were graded, and the tools that there are. */
async function withUse(bed: PanelBed): Promise<void> {
  bed.tools = [
    { name: "search_memory", aliases: [], description: "Searches what was said before.", state: "on" },
    {
      ...{ name: "web_search", aliases: ["google"], description: "Searches the web." },
      ...{ state: "off" as const, reason: "Web search is off. Turn it on in the settings." },
    },
    { name: "web_fetch", aliases: [], description: "Reads a web page or PDF.", state: "on" },
    { name: "browser_click", aliases: [], description: "Clicks in a page.", state: "named" },
  ];
  await withComparedTurn(bed);
  await withGradedDays(bed);
}

const ACROSS: readonly View[] = [
  { name: "memory", before: withMemories, go: openMemory },
  ...["Facts", "People", "Relationships", "Resources", "Moments"].map(memoryTable),
  {
    name: "memory-turns",
    before: withJudgedTurn,
    go: async (panel) => {
      await panel.page.getByRole("button", { name: "Memory", exact: true }).click();
      await panel.page.getByRole("switch", { name: "Turn by turn" }).click();
      await panel.page.locator(".activity-row").first().waitFor();
    },
  },
  { name: "tools", before: withUse, go: (panel) => press(panel, "Tools", ".tool-list tr") },
  {
    name: "tool",
    before: withUse,
    go: async (panel) => {
      await press(panel, "Tools", ".tool-list tr");
      await panel.page.locator(".tool-list").getByRole("button", { name: "web_fetch" }).click();
      await panel.page.locator(".activity-row").first().waitFor();
    },
  },
  {
    name: "settings",
    before: withUse,
    go: async (panel) => {
      await panel.page.getByRole("button", { name: "Memory", exact: true }).click();
      await panel.page.getByRole("tab", { name: "Settings" }).click();
      await panel.page.locator(".setting").first().waitFor();
    },
  },
  {
    name: "critic",
    before: withUse,
    go: async (panel) => {
      await press(panel, "Critic", ".activity-row");
      panel.bed.onPost(criticState({ dropped: 2 }));
      await panel.page.locator(".activity-row", { hasText: "4/5" }).first().click();
      await panel.page.getByRole("complementary", { name: "The chosen judgement" }).waitFor();
    },
  },
  {
    name: "eval",
    before: async (bed) => {
      const place = join(bed.folder, EVALS, "2026-11-27");
      await mkdir(join(place, "traces"), { recursive: true });
      await writeFile(join(place, "report.json"), JSON.stringify(evalReport()));
    },
    go: async (panel) => {
      await panel.page.getByRole("button", { name: "Critic", exact: true }).click();
      await panel.page.getByRole("button", { name: "Evaluations" }).click();
      await panel.page.getByText("success, 95 % interval").waitFor();
    },
  },
  {
    name: "file",
    before: (bed) => {
      const events: TurnEvent[] = [];
      const shared = { identity: new SteadyIdentity(Date.now() - 60_000), sessionId: SESSION };
      cacheTurn((event) => events.push(event), shared);
      committeeTurn((event) => events.push(event), shared);
      const text = textOf([head({ sessionId: SESSION }), ...events]);
      bed.showFile(Buffer.from(`${text}{ half a line\n`), "tide-cache.conclave");
    },
    go: ({ page }) => page.locator(".cell-answer .markdown").waitFor(),
  },
  {
    name: "keys",
    before: (bed) => withCacheTurn(bed),
    go: async (panel) => {
      await openFirst(panel);
      await press(panel, "Keys", "dialog");
    },
  },
];

/** Every view of the panel, with something in it. */
export const VIEWS: readonly View[] = [...EMPTY, ...TURNS, ...WITHIN, ...ACROSS];
