import {
  agentAbove,
  agentName,
  cellsInOrder,
  committeeOf,
  type Cell,
  type ModelCell,
  type TurnModel,
} from "../trace/model.ts";
import { toolLook } from "./tool-icons.ts";

const MAX_LANES = 16;
/** Bars drawn in a lane at most; a turn of a thousand calls is drawn by its first ones. */
const MAX_BARS = 200;

/** A stretch of time in a lane; times are milliseconds since the epoch. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly tone: "waiting" | "thinking" | "tool" | "memory" | "model";
}

/** What one agent or one tool did, and when. */
export interface Lane {
  readonly name: string;
  readonly bars: Bar[];
}

/** A model call is waiting, then thinking, then text. */
function modelBars(turn: TurnModel, cell: ModelCell, now: number): readonly Bar[] {
  const end = cell.end ?? now;
  const thinking = turn.cells.get(`${cell.id}/thinking`);
  const text = turn.cells.get(`${cell.id}/text`);
  const first =
    thinking?.start ??
    text?.start ??
    (cell.firstChunkMs === undefined ? end : cell.start + cell.firstChunkMs);
  const bars: Bar[] = [{ from: cell.start, to: Math.min(first, end), tone: "waiting" }];
  if (thinking !== undefined) bars.push({ from: thinking.start, to: thinking.end ?? now, tone: "thinking" });
  const said = text?.start ?? (thinking === undefined ? first : (thinking.end ?? end));
  if (said < end) bars.push({ from: said, to: end, tone: "model" });
  return bars;
}

function barsOf(turn: TurnModel, cell: Cell, now: number): readonly Bar[] {
  if (cell.kind === "model") return modelBars(turn, cell, now);
  if (cell.kind !== "tool") return [];
  const { tone } = toolLook(cell.name);
  return [{ from: cell.start, to: cell.end ?? now, tone }];
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
    const bars = barsOf(turn, cell, now);
    if (bars.length === 0) continue;
    const name = laneOf(turn, cell, shared);
    const lane = lanes.get(name) ?? { name, bars: [] };
    if (!lanes.has(name) && lanes.size >= MAX_LANES) continue;
    lanes.set(name, lane);
    if (lane.bars.length < MAX_BARS) lane.bars.push(...bars);
  }
  return [...lanes.values()];
}

/** What one agent was given and wrote, over all its calls. */
export interface AgentTokens {
  readonly name: string;
  input: number;
  output: number;
}

/** Tokens by agent, in order of their first work; empty where only one was at work. */
export function tokensByAgent(turn: TurnModel): readonly AgentTokens[] {
  const all = new Map<string, AgentTokens>();
  for (const cell of cellsInOrder(turn)) {
    if (cell.kind !== "agent") continue;
    const name = agentName(cell);
    const tokens = all.get(name) ?? { name, input: 0, output: 0 };
    all.set(name, tokens);
    tokens.input += cell.inputTokens;
    tokens.output += cell.outputTokens;
  }
  return all.size < 2 ? [] : [...all.values()].filter(({ input, output }) => input + output > 0);
}

/** Sums over the model calls of a turn; absent where no call reported it. Milliseconds. */
export interface ModelTimes {
  readonly loadMs: number | undefined;
  readonly promptMs: number | undefined;
  readonly generationMs: number | undefined;
}

/** How long models took for loading, for prompts, and for writing. */
export function modelTimes(turn: TurnModel): ModelTimes {
  const models = [...turn.cells.values()].filter((cell): cell is ModelCell => cell.kind === "model");
  const sum = (read: (cell: ModelCell) => number | undefined): number | undefined => {
    const known = models.map(read).filter((value): value is number => value !== undefined);
    return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
  };
  return {
    loadMs: sum((cell) => cell.loadMs),
    promptMs: sum((cell) => cell.promptMs),
    generationMs: sum((cell) => cell.generationMs),
  };
}
