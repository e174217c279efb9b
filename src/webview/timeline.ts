import type { AgentCell, Cell, CheckCell, ModelCell, ToolCell } from "../trace/cells.ts";
import { checkWords } from "../trace/check-words.ts";
import { agentAbove, agentName, cellsInOrder, committeeOf, type TurnModel } from "../trace/model.ts";
import { count, duration } from "./format.ts";
import { TONE_WORDS, type Bar, type Lane, type Part, type Tone } from "./timeline-lane.ts";
import { toolLook } from "./tool-icons.ts";

/** Agents and tools with a lane of their own; what further ones did stands in one more. */
const MAX_LANES = 16;
const OTHERS = "others";
/** Bars drawn in a lane at most; a turn of a thousand calls is drawn by its first ones. */
const MAX_BARS = 200;
/** Parts of a call that took less than this are not told apart, in milliseconds. */
const FELT_MS = 1;

/** Splits the time before the first text: the server loads the model, reads the prompt, and else is waited for. */
function partsBefore(cell: ModelCell, first: number): readonly Part[] {
  const prompt = Math.max(cell.start, first - (cell.promptMs ?? 0));
  const load = Math.max(cell.start, prompt - (cell.loadMs ?? 0));
  const parts: readonly Part[] = [
    { from: cell.start, to: load, tone: "waiting" },
    { from: load, to: prompt, tone: "loading" },
    { from: prompt, to: first, tone: "prompt" },
  ];
  return parts.filter(({ from, to }) => to - from >= FELT_MS);
}

/** A model call is loading, reading the prompt, then thinking, then text. */
function modelParts(turn: TurnModel, cell: ModelCell, now: number): readonly Part[] {
  const end = cell.end ?? now;
  const thinking = turn.cells.get(`${cell.id}/thinking`);
  const text = turn.cells.get(`${cell.id}/text`);
  const reported = cell.firstChunkMs === undefined ? end : cell.start + cell.firstChunkMs;
  const first = Math.min(thinking?.start ?? text?.start ?? reported, end);
  const parts = [...partsBefore(cell, first)];
  const judges = agentAbove(turn, cell)?.role === "judge";
  const thoughtUntil = thinking === undefined ? first : Math.min(thinking.end ?? now, end);
  if (thinking !== undefined) parts.push({ from: first, to: thoughtUntil, tone: "thinking" });
  const said = Math.max(text?.start ?? thoughtUntil, thoughtUntil);
  if (said < end) parts.push({ from: said, to: end, tone: judges ? "grade" : "model" });
  return parts.length > 0 ? parts : [{ from: cell.start, to: end, tone: "waiting" }];
}

function partWords(parts: readonly Part[]): string {
  return parts.map(({ from, to, tone }) => `${TONE_WORDS[tone]} ${duration(to - from)}`).join(", ");
}

function modelBar(turn: TurnModel, cell: ModelCell, now: number): Bar {
  const parts = modelParts(turn, cell, now);
  const what = cell.step > 0 ? `Step ${cell.step}, ${cell.model}` : cell.model;
  const tokens =
    cell.inputTokens === undefined
      ? ""
      : `; ${count(cell.inputTokens)} tokens in, ${count(cell.outputTokens ?? 0)} out`;
  const { word, failed } = endOf(cell);
  return { cellId: cell.id, title: `${what}: ${partWords(parts)}${tokens}${word}`, parts, failed };
}

/** How a call ended that came to nothing, in a word for its title. */
function endOf({ status }: Cell): { readonly word: string; readonly failed: boolean } {
  const failed = status === "failed";
  return { word: status === "done" || status === "running" ? "" : `, ${status}`, failed };
}

/** A call of a tool, or a question of one word to the model. */
function plainBar(cell: ToolCell | CheckCell, now: number): Bar {
  const [what, tone]: readonly [string, Tone] =
    cell.kind === "tool" ? [cell.name, toolLook(cell.name).tone] : [checkWords(cell), "grade"];
  const end = cell.end ?? now;
  const { word, failed } = endOf(cell);
  const title = `${what}: ${duration(end - cell.start)}${cell.status === "running" ? " so far" : word}`;
  return { cellId: cell.id, title, parts: [{ from: cell.start, to: end, tone }], failed };
}

function barOf(turn: TurnModel, cell: Cell, now: number): Bar | undefined {
  // What a branch took over took its time in the turn that it comes from.
  if (cell.replays !== undefined) return undefined;
  if (cell.kind === "model") return modelBar(turn, cell, now);
  return cell.kind === "tool" || cell.kind === "check" ? plainBar(cell, now) : undefined;
}

/** The lane that a cell's work stands in. */
function laneOf(turn: TurnModel, cell: Cell, shared: boolean): string {
  if (cell.kind === "tool" && !shared) return cell.name;
  const agent = agentAbove(turn, cell);
  return agent === undefined ? cell.agent : agentName(agent);
}

/**
 * Who did what when: a lane for each agent, and one for each tool, in order of their first work. Of a committee each
 * agent has one lane, which holds what its tools did too.
 */
export function lanesOf(turn: TurnModel, now: number): readonly Lane[] {
  const lanes = new Map<string, Lane>();
  const shared = committeeOf(turn) !== undefined;
  for (const cell of cellsInOrder(turn)) {
    const bar = barOf(turn, cell, now);
    if (bar === undefined) continue;
    const own = laneOf(turn, cell, shared);
    const name = lanes.has(own) || lanes.size < MAX_LANES ? own : OTHERS;
    const lane = lanes.get(name) ?? { name, bars: [], left: 0 };
    lanes.set(name, lane);
    if (lane.bars.length < MAX_BARS) lane.bars.push(bar);
    else lane.left += 1;
  }
  return [...lanes.values()];
}

/** The tones that stand in some lanes, in the legend's order. */
export function tonesOf(lanes: readonly Lane[]): readonly Tone[] {
  const found = new Set(
    lanes.flatMap(({ bars }) => bars.flatMap(({ parts }) => parts.map(({ tone }) => tone))),
  );
  return (Object.keys(TONE_WORDS) as Tone[]).filter((tone) => found.has(tone));
}

/** A lane in a sentence, for those who listen. */
export function laneWords({ bars, left }: Lane): string {
  const spent = new Map<Tone, number>();
  for (const { from, to, tone } of bars.flatMap(({ parts }) => parts))
    spent.set(tone, (spent.get(tone) ?? 0) + to - from);
  const calls = bars.length + left;
  const words = [...spent].map(([tone, ms]) => `${TONE_WORDS[tone]} ${duration(ms)}`);
  return `${count(calls)} ${calls === 1 ? "call" : "calls"}: ${words.join(", ")}`;
}

/** What one agent was given and wrote, over all its calls, and how long they took. */
export interface AgentCost {
  readonly name: string;
  input: number;
  output: number;
  calls: number;
  /** Of its model calls, in milliseconds. */
  ms: number;
}

/** What each agent cost, in order of their first work. What a branch took over cost nothing in it. */
export function costByAgent(turn: TurnModel, now: number): readonly AgentCost[] {
  const all = new Map<string, AgentCost>();
  const costOf = (agent: Pick<AgentCell, "agent" | "sample">): AgentCost => {
    const name = agentName(agent);
    const cost = all.get(name) ?? { name, input: 0, output: 0, calls: 0, ms: 0 };
    all.set(name, cost);
    return cost;
  };
  for (const cell of cellsInOrder(turn)) {
    if (cell.kind === "agent") costOf(cell);
    if ((cell.kind !== "model" && cell.kind !== "check") || cell.replays !== undefined) continue;
    const { inputTokens = 0, outputTokens = 0, durationMs, start, end = now } = cell;
    const cost = costOf(agentAbove(turn, cell) ?? { agent: cell.agent });
    cost.input += inputTokens;
    cost.output += outputTokens;
    cost.calls += 1;
    cost.ms += durationMs ?? end - start;
  }
  return [...all.values()].filter(({ calls }) => calls > 0);
}

/** What the calls of one tool cost. */
export interface ToolCost {
  readonly name: string;
  calls: number;
  failed: number;
  ms: number;
  /** Characters that the model was given for them. */
  given: number;
}

/** What each tool cost, in order of its first call. `lengthOf` knows how long a result is that was cut on its way here. */
export function costByTool(
  turn: TurnModel,
  now: number,
  lengthOf: (cell: ToolCell) => number,
): readonly ToolCost[] {
  const all = new Map<string, ToolCost>();
  for (const cell of cellsInOrder(turn)) {
    if (cell.kind !== "tool" || cell.replays !== undefined) continue;
    const cost = all.get(cell.name) ?? { name: cell.name, calls: 0, failed: 0, ms: 0, given: 0 };
    all.set(cell.name, cost);
    cost.calls += 1;
    cost.failed += cell.error === undefined ? 0 : 1;
    cost.ms += cell.durationMs ?? (cell.end ?? now) - cell.start;
    cost.given += lengthOf(cell);
  }
  return [...all.values()];
}

/** Sums over the model calls of a turn; absent where no call reported it. Milliseconds. */
export interface ModelTimes {
  readonly loadMs: number | undefined;
  readonly promptMs: number | undefined;
  readonly generationMs: number | undefined;
}

/** How long models took for loading, for prompts, and for writing. */
export function modelTimes(turn: TurnModel): ModelTimes {
  const models = [...turn.cells.values()].filter(
    (cell): cell is ModelCell => cell.kind === "model" && cell.replays === undefined,
  );
  const sum = (read: (cell: ModelCell) => number | undefined): number | undefined => {
    const known = models.flatMap((cell) => read(cell) ?? []);
    return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
  };
  return {
    loadMs: sum((cell) => cell.loadMs),
    promptMs: sum((cell) => cell.promptMs),
    generationMs: sum((cell) => cell.generationMs),
  };
}
