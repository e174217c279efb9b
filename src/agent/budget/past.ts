import { groupsToDrop, listTokens } from "../context.ts";
import { madeOf } from "../message-parts.ts";
import type { ChatMessage } from "../models/types.ts";
import type { HistoryCut, SessionSummary } from "../sessions/types.ts";
import { trimTurn } from "./trim.ts";

/** The messages of one earlier turn. */
export type Group = readonly ChatMessage[];

/** An earlier turn; those that a caller brought along have no id. */
export interface EarlierTurn {
  readonly turnId?: string;
  readonly messages: Group;
}

/** What an earlier turn is shown as, and where it stands. */
export interface PastOptions {
  readonly turns: readonly EarlierTurn[];
  /** What was cut before, where that still holds. */
  readonly cut?: HistoryCut;
  /** The turn that is asked now. */
  readonly turnId: string;
  readonly contextLength: number;
  /** A turn that is not sent, and whose words are not to be recalled either. */
  readonly held?: string;
  /** Hears of every change, so that later turns begin where this one did. */
  readonly onCut: (cut: HistoryCut) => void;
}

/**
 * The earlier turns as one model is sent them: one of these a turn, model and context length, shared by all agents, so
 * that their prompts begin alike whatever had to be cut for one of them. It only ever gets shorter.
 */
export class Past {
  #turns: readonly EarlierTurn[];
  #groups: readonly Group[];
  #summary: SessionSummary | undefined;
  #summaryGroup: Group = [];
  #messages: readonly ChatMessage[] = [];
  #turnIds: readonly string[] = [];
  /** The newest turn whose results were trimmed. */
  #trimmedTo: string | undefined;
  #tokens = 0;
  readonly #options: PastOptions;
  /** Turns whose summary the user took back: they are not summed up again. */
  readonly #whole: ReadonlySet<string>;
  /** Summing up was tried in this turn and failed. */
  summaryFailed = false;
  /** Set while the history is being summed up: others wait for it. */
  busy: Promise<void> | undefined;

  constructor(options: PastOptions) {
    const { cut, turns } = options;
    this.#options = options;
    this.#whole = new Set(cut?.restored);
    // Not found: it was so long ago that it is no longer held.
    const from = cut === undefined ? 0 : turns.findIndex(({ turnId }) => turnId === cut.from);
    const shown = turns.slice(Math.max(0, from));
    const trimmed = shown.findIndex(({ turnId }) => turnId !== undefined && turnId === cut?.trimmedTo);
    this.#turns = shown.map((turn, index) => (index <= trimmed ? trimmedTurn(turn) : turn));
    this.#trimmedTo = trimmed < 0 ? undefined : cut?.trimmedTo;
    this.#groups = [];
    this.#place(cut?.summary);
  }

  /** The turns that are sent as they were, oldest first. */
  get groups(): readonly Group[] {
    return this.#groups;
  }

  /** Estimated tokens of all that is sent of the past, the summary included. */
  get tokens(): number {
    return this.#tokens;
  }

  /** What stands in the place of older turns. */
  get summary(): SessionSummary | undefined {
    return this.#summary;
  }

  /** Ids of the turns that are sent as they were, and so need not be recalled. */
  get turnIds(): readonly string[] {
    return this.#turnIds;
  }

  /** All messages of the past: summary first, then the turns. */
  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  /** The oldest turns, by how many; what is to be left out or summed up. */
  oldest(count: number): readonly EarlierTurn[] {
    return this.#turns.slice(0, count);
  }

  /** Whether the oldest turns may be summed up: the user did not take back a summary of theirs. */
  maySumUp(count: number): boolean {
    return this.oldest(count).every(({ turnId }) => turnId === undefined || !this.#whole.has(turnId));
  }

  /** How many of the oldest turns must go so that all fits `room`, with `taken` tokens in their place. */
  toDrop(room: number, taken: number): number {
    return groupsToDrop(this.#groups, room - taken);
  }

  /** Trims results, oldest turns first, until the past takes no more than `tokens`; gives the turns it touched. */
  trimResults(tokens: number): readonly string[] {
    const touched: string[] = [];
    const turns = [...this.#turns];
    let total = this.#tokens;
    for (const [index, turn] of turns.entries()) {
      if (total <= tokens) break;
      const shorter = trimmedTurn(turn);
      if (turn.turnId !== undefined) this.#trimmedTo = turn.turnId;
      if (shorter === turn) continue;
      total += listTokens(shorter.messages) - listTokens(turn.messages);
      turns[index] = shorter;
      if (turn.turnId !== undefined) touched.push(turn.turnId);
    }
    if (turns.some((turn, index) => turn !== this.#turns[index])) this.#become(turns, this.#summary);
    return touched;
  }

  /** Leaves the oldest turns out; what stands in their place, if anything does, takes the place of an older summary. */
  drop(count: number, summary = this.#summary): void {
    this.#become(this.#turns.slice(count), summary);
  }

  /** Leaves the summary out. */
  dropSummary(): void {
    this.#become(this.#turns, undefined);
  }

  #become(turns: readonly EarlierTurn[], summary: SessionSummary | undefined): void {
    this.#turns = turns;
    this.#place(summary);
    const { contextLength, turnId, onCut } = this.#options;
    const [first] = turns;
    // Turns that a caller brings along have no name to begin with: the next turn decides anew.
    if (first !== undefined && first.turnId === undefined) return;
    onCut({
      from: first?.turnId ?? turnId,
      contextLength,
      ...(this.#trimmedTo !== undefined && { trimmedTo: this.#trimmedTo }),
      ...(summary && { summary }),
      ...(this.#whole.size > 0 && { restored: [...this.#whole] }),
    });
  }

  #place(summary: SessionSummary | undefined): void {
    if (summary !== this.#summary) {
      this.#summary = summary;
      this.#summaryGroup = summary === undefined ? [] : summaryGroup(summary.text);
    }
    const { held = [] } = this.#options;
    this.#turnIds = this.#turns.flatMap(({ turnId }) => turnId ?? []).concat(held);
    this.#groups = this.#turns.map(({ messages }) => messages);
    this.#messages = [...this.#summaryGroup, ...this.#groups.flat()];
    this.#tokens = this.#groups.reduce(
      (sum, group) => sum + listTokens(group),
      listTokens(this.#summaryGroup),
    );
  }
}

/** A summary as the model is sent it; the roles go on taking turns. */
export function summaryGroup(text: string): Group {
  return [
    madeOf("user", "summary", text),
    { role: "assistant", content: "I have read the summary and go on from it." },
  ];
}

function trimmedTurn(turn: EarlierTurn): EarlierTurn {
  const messages = trimTurn(turn.messages);
  return messages === turn.messages ? turn : { ...turn, messages };
}
