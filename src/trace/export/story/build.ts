import type { TurnEvent } from "../../../agent/events.ts";
import { foldSession, emptySession, markInterrupted } from "../../fold.ts";
import { bestSingle, bestSingleWords } from "../../judged-words.ts";
import { answerCell, type SessionModel, type TurnModel } from "../../model.ts";
import { blocksOf } from "./blocks.ts";
import { judgementLines, verdictLine } from "./judgements.ts";
import { otherBlocks } from "./other.ts";
import { memoryBlocks } from "./memory-blocks.ts";
import { Requests } from "./requests.ts";
import type { Fact, Story, StoryTurn } from "./types.ts";
import { count, counted, duration, joined, tokens } from "./words.ts";

/** All texts of a story together, in UTF-16 units: of what comes later only questions, answers and figures are told. */
const MAX_KEPT = 64 * 1024 * 1024;

/** What is always told. */
const CORE: ReadonlySet<TurnEvent["type"]> = new Set<TurnEvent["type"]>([
  ...(["turn.start", "query.received", "answer.dialog", "turn.end", "critique.result"] as const),
  ...(["critique.corrected", "pairwise.result", "user.feedback", "shadow.answer", "shadow.taken"] as const),
]);

/** At most so many problems are told one by one. */
const MAX_PROBLEMS = 20;

/** Gathers events into the story that Markdown and HTML tell. */
export class StoryBuilder {
  readonly #session: SessionModel;
  readonly #requests: Requests;
  readonly #pairwise = new Map<string, string[]>();
  readonly #problems: string[] = [];
  #moreProblems = 0;
  #kept = 0;
  #untold = 0;

  /** `requests`: whether what models were given is told too. */
  constructor(sessionId: string, options: { readonly requests: boolean }) {
    this.#session = emptySession(sessionId);
    this.#requests = new Requests(options.requests);
  }

  /** Takes the next event. */
  take(event: TurnEvent): void {
    // Of a request the messages are kept apart, within bounds of their own.
    if (event.type !== "model.start") this.#kept += textSize(event.data);
    if (this.#kept > MAX_KEPT && !CORE.has(event.type)) {
      this.#untold += 1;
      return;
    }
    foldSession(this.#session, event);
    if (event.type === "model.start") this.#requests.take(event);
    if (event.type !== "pairwise.result") return;
    const { pairwise } = this.#session.turns.get(event.turnId) ?? {};
    const lines = this.#pairwise.get(event.turnId) ?? [];
    if (pairwise !== undefined) lines.push(verdictLine(pairwise));
    this.#pairwise.set(event.turnId, lines);
  }

  /** Notes something that could not be read. */
  problem(message: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(message);
    else this.#moreProblems += 1;
  }

  /** The story so far. */
  story(): Story {
    const turns = [...this.#session.turns.values()];
    turns.forEach(markInterrupted);
    return {
      sessionId: this.#session.sessionId,
      turns: turns.map((turn) => this.#turn(turn)),
      problems: [
        ...this.#problems,
        ...(this.#untold > 0
          ? [`${counted(this.#untold, "step")} of later turns are left out: the session is too large.`]
          : []),
        ...(this.#moreProblems > 0 ? [`${count(this.#moreProblems)} more lines could not be read.`] : []),
      ],
    };
  }

  #turn(turn: TurnModel): StoryTurn {
    const answer = turn.answer === "" ? undefined : answerCell(turn);
    const best = bestSingle(turn);
    const isTold = answer?.text === turn.answer;
    const told = { answer: isTold ? answer.id : undefined, requests: this.#requests };
    return {
      turnId: turn.turnId,
      time: turn.start,
      question: turn.question,
      references: [...turn.cells.values()].flatMap((cell) =>
        cell.kind === "question" ? cell.references.map(({ label, text }) => ({ label, text })) : [],
      ),
      answer: turn.answer,
      sources: turn.sources,
      standing: standing(turn),
      failed: turn.status !== "answered",
      tokens: { input: turn.inputTokens, output: turn.outputTokens },
      judgements: [
        ...judgementLines(turn),
        ...(best === undefined ? [] : [`By their grades ${bestSingleWords(best)}.`]),
        ...(this.#pairwise.get(turn.turnId) ?? []),
      ],
      cost: cost(turn),
      blocks: [
        ...blocksOf(turn, turn.roots, told),
        ...otherBlocks(turn, this.#requests),
        ...memoryBlocks(turn),
      ],
    };
  }
}

function standing(turn: TurnModel): string {
  const took = turn.durationMs === undefined ? "" : `in ${duration(turn.durationMs)}`;
  const words = [turn.status, took].filter((part) => part !== "").join(" ");
  return turn.error === undefined ? words : `${words}: ${turn.error.message}`;
}

function cost(turn: TurnModel): readonly Fact[] {
  const cells = [...turn.cells.values()];
  const models = [...new Set(cells.flatMap((cell) => (cell.kind === "model" ? [cell.model] : [])))];
  const calls = cells.filter(({ kind }) => kind === "tool").length;
  return [
    ["Tokens in", count(turn.inputTokens)],
    ["Tokens out", count(turn.outputTokens)],
    ["Time", duration(turn.durationMs)],
    ["Requests to models", count(cells.filter(({ kind }) => kind === "model").length)],
    ["Tool calls", count(calls)],
    ["Models", models.join(", ")],
    ["Context", turn.context === undefined ? "" : contextLine(turn.context)],
    ...otherCost(turn),
  ];
}

/** What the second answer cost, apart from the turn's own. */
function otherCost({ shadow, other }: TurnModel): readonly Fact[] {
  if (shadow === undefined && other === undefined) return [];
  const input = shadow?.inputTokens ?? other?.inputTokens;
  const output = shadow?.outputTokens ?? other?.outputTokens;
  return [["Second answer", joined(tokens(input, output), duration(shadow?.durationMs))]];
}

function contextLine({ used, length }: NonNullable<TurnModel["context"]>): string {
  return used === undefined ? `of ${count(length)}` : `${count(used)} of ${count(length)}`;
}

/** How much text a value holds, in UTF-16 units. */
function textSize(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || depth > 20) return 0;
  let size = 0;
  for (const each of Object.values(value)) size += textSize(each, depth + 1);
  return size;
}
