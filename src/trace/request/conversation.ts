import type { EventOf, TurnEvent } from "../../agent/events.ts";
import type { ChatMessage } from "../../agent/models/types.ts";
import { cutAtGrapheme } from "../../agent/text.ts";
import { isOthersOwn } from "../respondent.ts";
import { headOf } from "./view.ts";
import type { ConversationLine, ConversationTurn, ConversationView, TurnStanding } from "./types.ts";
import { segmentsOf } from "./segments.ts";
import { soundMessages } from "./sound.ts";

/** One turn of a session, as far as the conversation goes on from it. */
interface TurnOf {
  readonly turnId: string;
  readonly parentTurnId: string | null;
  readonly agent: string;
  question: string;
  end?: EventOf<"turn.end">;
  /** Of the turn that is shown: the latest request, and the latest one of who answers alone. */
  latest?: EventOf<"model.start">;
  own?: EventOf<"model.start">;
  readonly compactions: EventOf<"context.compacted">[];
}

/** Turns of a conversation at most: the newest. */
const MAX_TURNS = 2_000;
const MAX_QUESTION = 300;
const MAX_SUMMARY = 8_000;

/** Reads a session's events, in their order, to the conversation as it stands after one of its turns. */
export class ConversationReader {
  readonly #turnId: string;
  readonly #turns = new Map<string, TurnOf>();
  readonly #restored = new Set<string>();

  constructor(turnId: string) {
    this.#turnId = turnId;
  }

  /** Takes the next event. */
  take(event: TurnEvent): void {
    if (event.type === "turn.start") {
      const { turnId, agent } = event;
      const parentTurnId = event.data["conclave.parent_turn_id"];
      this.#turns.set(turnId, { turnId, parentTurnId, agent, question: "", compactions: [] });
      return;
    }
    if (event.type === "context.restored") this.#restored.add(event.data.compaction);
    const turn = this.#turns.get(event.turnId);
    // Nothing goes on from what respondent B was given and said.
    if (turn === undefined || isOthersOwn(event)) return;
    if (event.type === "query.received") turn.question = cutAtGrapheme(event.data.query, MAX_QUESTION);
    else if (event.type === "turn.end") turn.end = event;
    else if (event.type === "context.compacted") turn.compactions.push(event);
    else if (event.type === "model.start" && event.turnId === this.#turnId) {
      turn.latest = event;
      if (event.agent === turn.agent) turn.own = event;
    }
  }

  /** The conversation, with so many of its lines from one on (turns and messages); and where the next page starts. */
  page(from: number, count: number): { readonly view: ConversationView; readonly next: number | null } {
    const chain = this.#chain();
    const standings = this.#standings(chain);
    const turns: ConversationTurn[] = [];
    let at = 0;
    let sent = 0;
    for (const turn of chain) {
      const { standing, why } = standings.get(turn.turnId) ?? WHOLE;
      const lines = linesOf(turn);
      if (standing === "whole" || standing === "trimmed") sent += lines.length;
      // A turn takes a line for itself: those without messages are counted too.
      const shown = lines.slice(Math.max(0, from - at - 1), Math.max(0, from + count - at - 1));
      if (shown.length > 0 || (at >= from && at < from + count)) {
        const { turnId, question } = turn;
        turns.push({
          turnId,
          question,
          standing,
          why,
          lines: shown.map((line) => line()),
          messages: lines.length,
        });
      }
      at += 1 + lines.length;
    }
    const summary = this.#summary(chain);
    const system = systemOf(this.#turns.get(this.#turnId)?.latest);
    const view = {
      turns,
      ...(system && { system }),
      ...(summary && { summary }),
      messages: sent + (summary === undefined ? 0 : 2),
      running: this.#turns.get(this.#turnId)?.end === undefined,
    };
    return { view, next: from + count < at ? from + count : null };
  }

  /** The turns that lead to the one that is shown, oldest first. */
  #chain(): readonly TurnOf[] {
    const chain: TurnOf[] = [];
    const seen = new Set<string>();
    let turn = this.#turns.get(this.#turnId);
    while (turn !== undefined && !seen.has(turn.turnId) && chain.length < MAX_TURNS) {
      seen.add(turn.turnId);
      chain.push(turn);
      turn = turn.parentTurnId === null ? undefined : this.#turns.get(turn.parentTurnId);
    }
    return chain.reverse();
  }

  #standings(chain: readonly TurnOf[]): ReadonlyMap<string, Standing> {
    const standings = new Map<string, Standing>();
    for (const { compactions } of chain) {
      for (const event of compactions) {
        const { how, turns, error } = event.data;
        if (error !== undefined || (how === "summary" && this.#restored.has(event.id))) continue;
        const standing = STANDINGS[how];
        if (standing !== undefined) for (const turnId of turns) standings.set(turnId, standing);
      }
    }
    return standings;
  }

  #summary(chain: readonly TurnOf[]): ConversationView["summary"] {
    const found = chain
      .flatMap(({ compactions }) => compactions)
      .findLast(({ id, data }) => {
        return data.summary !== undefined && data.error === undefined && !this.#restored.has(id);
      });
    if (found?.data.summary === undefined) return undefined;
    const model = found.data["gen_ai.request.model"];
    return { text: cutAtGrapheme(found.data.summary, MAX_SUMMARY), ...(model !== undefined && { model }) };
  }
}

interface Standing {
  readonly standing: TurnStanding;
  readonly why: string;
}

const WHOLE: Standing = { standing: "whole", why: "" };

const STANDINGS: { readonly [how: string]: Standing | undefined } = {
  results: {
    standing: "trimmed",
    why: "Long results of its tools are sent by their beginning only, for want of room.",
  },
  summary: { standing: "summed_up", why: "A summary is sent in its place, for want of room." },
  turns: { standing: "left_out", why: "It is not sent any more, for want of room." },
};

function systemOf(event: EventOf<"model.start"> | undefined): ConversationLine | undefined {
  const message = event?.data["conclave.messages"][0];
  if (event === undefined || message?.role !== "system") return undefined;
  const [segments = []] = segmentsOf([message]);
  const { id, type, turnId } = event;
  return { ...headOf(message, 0, segments), eventId: id, eventType: type, turnId };
}

/** The messages of a turn: what the conversation goes on with, or while it runs what followed its question so far. */
function linesOf({ end, own, turnId }: TurnOf): readonly (() => ConversationLine)[] {
  const event = end ?? own;
  if (event === undefined) return [];
  const messages = soundMessages(event.data["conclave.messages"]);
  const segments = segmentsOf(messages);
  const asked = segments.findIndex((own) => own.some(({ source }) => source === "question"));
  const first = event.type === "turn.end" ? 0 : Math.max(0, asked);
  return messages.slice(first).map((message: ChatMessage, at) => () => ({
    ...headOf(message, first + at, segments[first + at] ?? []),
    eventId: event.id,
    eventType: event.type,
    turnId,
  }));
}
