import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Page } from "playwright-core";
import { median, quartiles, type Figure, type Measured } from "../frame.ts";
import { withPanels, type Panels } from "../support/panels.ts";
import { logFile, madeUpRows, STEP_CELLS, STEP_EVENTS, writeLongTurn } from "../support/trace-data.ts";

const ROWS = 50_000;
const ROUNDS = 3;
/** Frames of each kind of scrolling in a round. */
const FRAMES = 80;
/** Rows of the list that come at once. */
const PAGE = 150;
/** While the list is scrolled one of its rows changes each so many frames. */
const CHANGE_EVERY = 40;
const LOAD_LIMIT_MS = 300_000;

/** Where the top of what is in sight goes, frame by frame: as a wheel turns, as the bar is dragged, and in leaps. */
const OFFSETS = `((element) => {
  const height = element.scrollHeight - element.clientHeight;
  const steps = Array.from({ length: ${FRAMES} }, (_, index) => index);
  return [
    ...steps.map((step) => step * 100),
    ...steps.map((step) => (height * step) / ${FRAMES}),
    ...steps.map((step) => (height * ((step * 37) % ${FRAMES})) / ${FRAMES}),
  ];
})`;

/** The longest frame of each round, in milliseconds; the first round is thrown away. */
async function scroll(
  page: Page,
  selector: string,
  rounds = ROUNDS,
  between = "undefined",
): Promise<readonly number[]> {
  const worst: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const gaps = await page.evaluate<number[]>(
      `window.__scroll("${selector}", ${OFFSETS}(document.querySelector("${selector}")), ${between})`,
    );
    if (round >= 0) worst.push(Math.max(...gaps));
  }
  return worst;
}

/** The longest frame of a page that does nothing, as long as a round takes: what the machine is busy with. */
async function idle({ openNaive }: Panels): Promise<number> {
  const panel = await openNaive(() => ({ rows: [], cells: [] }));
  const gaps = await panel.page.evaluate<number[]>(
    `window.__scroll("body", new Array(${3 * FRAMES}).fill(0))`,
  );
  await panel.close();
  return Math.max(...gaps);
}

/** Waits in the page until an expression is true. */
function until(page: Page, expression: string): Promise<unknown> {
  return page.evaluate(`new Promise((resolve, reject) => {
    const late = performance.now() + ${LOAD_LIMIT_MS};
    const look = () => {
      if (${expression}) resolve(true);
      else if (performance.now() > late) reject(new Error("not within the limit: " + ${JSON.stringify(expression)}));
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

/** A turn of so many cells. */
async function scrollTurn({ open }: Panels, folder: string): Promise<readonly number[]> {
  const events = (ROWS / STEP_CELLS) * STEP_EVENTS;
  const turn = await writeLongTurn(folder, events, { thinking: 10, result: 10 });
  const log = logFile(folder, turn);
  const panel = await open({
    before: async (bed) => {
      await copyFile(log, join(bed.folder, basename(log)));
      bed.host.show(turn);
    },
  });
  await until(panel.page, `Number(document.querySelector(".cell")?.getAttribute("aria-setsize")) >= ${ROWS}`);
  const worst = await scroll(panel.page, ".cells");
  await panel.close();
  return worst;
}

/** A list of so many turns, which comes page by page; gives the longest frame while it comes, and of each round. */
async function scrollList({
  open,
}: Panels): Promise<{ readonly coming: number; readonly worst: readonly number[] }> {
  const panel = await open();
  const { page, bed } = panel;
  await until(page, `document.querySelector(".hint") !== null`);
  await page.evaluate("window.__gaps = window.__frames(), undefined");
  for (let first = 0; first < ROWS; first += PAGE) {
    const next = first + PAGE;
    bed.onPost({ type: "turns", filter: "", cursor: first, next, rows: madeUpRows(first, PAGE) });
    // A page comes when the one before it was drawn.
    await page.evaluate("window.__drawn()");
  }
  const coming = await page.evaluate<number>("Math.max(...window.__gaps.stop())");
  const change = JSON.stringify({ type: "rows", rows: madeUpRows(ROWS / 2, 1) });
  const between = `(frame) => { if (frame % ${CHANGE_EVERY} === 0) window.postMessage(${change}, "*"); }`;
  const worst = await scroll(page, ".rows", ROUNDS, between);
  await panel.close();
  return { coming, worst };
}

/** The same list, drawn whole, and drawn anew when one of its rows changes. */
async function scrollNaively({ openNaive }: Panels): Promise<number> {
  const state = { rows: madeUpRows(0, ROWS), cells: [{ head: "turn", text: "" }] };
  const panel = await openNaive(() => state);
  await until(panel.page, `document.querySelector(".row") !== null`);
  await panel.page.evaluate(`window.__state = ${JSON.stringify(state)}, undefined`);
  const between = `(frame) => { if (frame === ${FRAMES}) window.postMessage(window.__state, "*"); }`;
  const [worst = NaN] = await scroll(panel.page, ".rows", 1, between);
  await panel.close();
  return worst;
}

async function measure(): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
  try {
    return await withPanels(async (panels) => {
      const list = await scrollList(panels);
      const turn = await scrollTurn(panels, folder);
      const naive = await scrollNaively(panels);
      const still = await idle(panels);
      const [ofList, ofTurn] = [median(list.worst), median(turn)];
      return {
        value: Math.max(ofList, ofTurn),
        reference: { name: "all rows drawn, anew after a change", value: naive, unit: "ms" },
        rounds: ROUNDS,
        spread: quartiles(ofList > ofTurn ? list.worst : turn),
        note:
          `longest frame of the list ${ofList.toFixed(1)} ms, of a turn ${ofTurn.toFixed(1)} ms; ` +
          `while the list came page by page ${list.coming.toFixed(1)} ms, of a page that does nothing ${still.toFixed(1)} ms`,
      };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a frame costs while much is scrolled. */
export const panelScroll: Figure = {
  name: "panel.scroll.frame_ms",
  unit: "ms",
  goal: 50,
  about: `the longest frame while ${ROWS} rows are scrolled, by wheel, by bar and in leaps: the list of turns, and a turn's cells`,
  measure,
};
