import type { CDPSession } from "playwright-core";
import type { PanelPage } from "../../test/browser/support/panel-page.ts";
import { MAX_MESSAGE_BYTES } from "../../src/trace/panel-limits.ts";
import { quantile, quartiles, type Figure, type Measured } from "../frame.ts";
import { withPanels, type Panels } from "../support/panels.ts";

const TOKENS_A_SECOND = 500;
const SECONDS = 60;
/** The naive panel falls behind at once: so many seconds show how. */
const NAIVE_SECONDS = 4;
/** How long the stream's end may take to be drawn. */
const DRAIN_MS = 120_000;
/** How long the page is left alone between its two weighings. */
const REST_MS = 5_000;
const MB = 1_024 * 1_024;

/** A stream of numbered words in plain Markdown: when each was sent, by the clock. */
interface Sent {
  readonly times: readonly number[];
}

/** The n-th token of an answer: paragraphs, lists, code and emphasis, each word numbered. */
function token(index: number): string {
  const word = `w${index} `;
  if (index % 400 === 0) return `\n\n## Part ${index}\n\n${word}`;
  if (index % 400 === 300) return `\n\n- ${word}`;
  if (index % 20 === 0 && index % 400 > 300) return `\n- ${word}`;
  if (index % 80 === 0) return `\n\n${word}`;
  if (index % 25 === 0) return `**bold** \`code\` ${word}`;
  return word;
}

/** Sends tokens at their rate for some seconds; as many as are due each time the timer comes round. */
function send(seconds: number, take: (text: string) => void): Promise<Sent> {
  const times: number[] = [];
  const began = performance.now();
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(
        seconds * TOKENS_A_SECOND,
        ((performance.now() - began) * TOKENS_A_SECOND) / 1_000,
      );
      while (times.length < due) {
        take(token(times.length));
        times.push(Date.now());
      }
      if (times.length < seconds * TOKENS_A_SECOND) return;
      clearInterval(timer);
      resolve({ times });
    }, 2);
  });
}

/** From a token's event to the frame that shows it, in milliseconds, for each token. */
function lags({ times }: Sent, seen: readonly (readonly [number, number])[]): readonly number[] {
  let at = 0;
  return times.flatMap((time, index) => {
    while (at < seen.length && (seen[at]?.[0] ?? 0) < index) at += 1;
    const drawn = seen[at]?.[1];
    return drawn === undefined ? [] : [drawn - time];
  });
}

/** What a page weighs once its garbage is gone. */
interface Weight {
  readonly heap: number;
  readonly listeners: number;
  readonly nodes: number;
}

async function weigh(session: CDPSession): Promise<Weight> {
  for (let times = 0; times < 3; times += 1) await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? NaN;
  return { heap: of("JSHeapUsedSize"), listeners: of("JSEventListeners"), nodes: of("Nodes") };
}

/** What came of the real panel's stream. */
interface Streamed {
  readonly lags: readonly number[];
  readonly largestPost: number;
  /** When the turn had ended, and some seconds later. */
  readonly ended: Weight;
  readonly rested: Weight;
}

async function stream(panel: PanelPage): Promise<Streamed> {
  const { page, bed } = panel;
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const turn = bed.engine.begin({ question: "Tell me all of it." });
  bed.host.show(turn.script);
  turn.script.ask();
  await panel.until(`document.querySelector(".cell") !== null`);
  const selector = ".cell-answer .markdown";
  await page.evaluate(`window.__watched = window.__watch("${selector}"), undefined`);
  let text = "";
  const sent = await send(SECONDS, (piece) => {
    text += piece;
    turn.identity.time = Date.now();
    turn.script.stream("answer", piece);
  });
  await drained(page, sent);
  const seen = await page.evaluate<[number, number][]>("window.__watched.seen");
  turn.script.reply({ content: text }).stepEnd().answered(text);
  await page.locator(".cell-answer .actions").waitFor();
  const ended = await weigh(session);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  return { lags: lags(sent, seen), largestPost: panel.largestPost, ended, rested: await weigh(session) };
}

/** Waits until the last token is drawn, or for as long as that may take. */
async function drained(page: PanelPage["page"], { times }: Sent): Promise<void> {
  await page.evaluate(`(async () => {
    const late = performance.now() + ${DRAIN_MS};
    while (window.__watched.last() < ${times.length - 2} && performance.now() < late)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    window.__watched.stop();
  })()`);
}

async function streamNaively({ openNaive }: Panels): Promise<readonly number[]> {
  const cell = { head: "Answer", text: "" };
  const panel = await openNaive(() => ({ rows: [], cells: [cell] }));
  const { page } = panel;
  await page.locator(".cell").waitFor();
  await page.evaluate(`window.__watched = window.__watch(".cell"), undefined`);
  const sent = await send(NAIVE_SECONDS, (piece) => {
    cell.text += piece;
    panel.post({ rows: [], cells: [cell] });
  });
  await drained(page, sent);
  const seen = await page.evaluate<[number, number][]>("window.__watched.seen");
  await panel.close();
  return lags(sent, seen);
}

interface Both {
  readonly real: Streamed;
  readonly naive: readonly number[];
}

let both: Promise<Both> | undefined;

/** Streams once a run, whichever of the figures is asked for. */
function streams(): Promise<Both> {
  both ??= withPanels(async (panels) => {
    const panel = await panels.open();
    const real = await stream(panel);
    await panel.close();
    return { real, naive: await streamNaively(panels) };
  });
  return both;
}

async function measureLag(): Promise<Measured> {
  const { real, naive } = await streams();
  return {
    value: quantile(real.lags, 0.99),
    reference: {
      name: `the whole state posted and drawn for each token, p99 of ${NAIVE_SECONDS} s`,
      value: quantile(naive, 0.99),
      unit: "ms",
    },
    rounds: real.lags.length,
    spread: quartiles(real.lags),
    note: `the longest of all: ${quantile(real.lags, 1).toFixed(0)} ms`,
  };
}

/** How far what is seen is behind what the model says. */
export const panelStreamLag: Figure = {
  name: "panel.stream.lag_ms",
  unit: "ms",
  goal: 100,
  about: `from the event of a token to the frame that shows it, ${TOKENS_A_SECOND} tokens a second for ${SECONDS} s, p99`,
  measure: measureLag,
};

async function measureGrowth(): Promise<Measured> {
  const { ended, rested } = (await streams()).real;
  const grown = (rested.heap - ended.heap) / MB;
  return {
    value: Math.max(0, grown),
    reference: { name: "the heap as the turn ends", value: ended.heap / MB, unit: "MB" },
    rounds: 1,
    spread: [grown, grown],
    note: `listeners ${ended.listeners} and ${rested.listeners}, nodes ${ended.nodes} and ${rested.nodes}`,
  };
}

/** What goes on growing when nothing happens any more. */
export const panelStreamGrowth: Figure = {
  name: "panel.stream.growth_mb",
  unit: "MB",
  goal: 0.5,
  about: `what the page's heap grows by in the ${REST_MS / 1_000} s after the end of such a turn`,
  measure: measureGrowth,
};

async function measureMessage(): Promise<Measured> {
  const { largestPost } = (await streams()).real;
  const value = largestPost / 1_024;
  return {
    value,
    reference: { name: "the answer as a whole", value: answerKb(), unit: "kB" },
    rounds: 1,
    spread: [value, value],
  };
}

function answerKb(): number {
  let length = 0;
  for (let index = 0; index < SECONDS * TOKENS_A_SECOND; index += 1) length += token(index).length;
  return length / 1_024;
}

/** The largest message to the page. */
export const panelMessage: Figure = {
  name: "panel.message.kb",
  unit: "kB",
  goal: MAX_MESSAGE_BYTES / 1_024,
  about: "the largest message that is posted to the page during such a turn and at its end",
  measure: measureMessage,
};
