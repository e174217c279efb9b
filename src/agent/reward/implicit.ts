import { LRUCache } from "lru-cache";
import { SHADOW_RESPONDENT } from "../event-base.ts";
import type { ImplicitSign, UserFeedback } from "../events-judged.ts";
import type { EventOf, EventSink, TurnEvent, TurnEventType } from "../events.ts";
import type { Identity } from "../ids.ts";
import type { Embeddings, MemoryPort } from "../memory/port.ts";
import { raceAbort, type Timer } from "../timer.ts";
import { compareQuestions, isSameByMeaning, isSameByWords } from "./asked-again.ts";
import { contradiction } from "./contradiction.ts";
import type { TurnEventsPort } from "./rewards.ts";

/** Turns that are held: the latest. */
const MAX_TURNS = 500;
/** How far back a question may have been asked already. */
const MAX_BACK = 5;
/** Turns that wait to be looked at; what comes beyond is left. */
const MAX_JOBS = 200;
/** Longer questions hold pasted text: how alike that is says nothing of what is asked (UTF-16 units). */
const MAX_QUESTION = 600;
/** An answer's end says whether it asks back (UTF-16 units). */
const TAIL = 200;

/** The types of events that turns are read by. */
const READ: ReadonlySet<TurnEventType> = new Set<TurnEventType>([
  ...(["turn.start", "query.received", "answer.dialog", "turn.end", "user.feedback"] as const),
]);

/** What implicit feedback is concluded with. */
export interface ImplicitDeps {
  readonly identity: Pick<Identity, "spanId" | "now">;
  readonly timer: Timer;
  /** Takes `user.feedback`. Must not throw. */
  readonly publish: EventSink;
  readonly turns: TurnEventsPort;
  /** Whether anything is concluded at all; asked anew for each turn. */
  readonly isOn: () => boolean;
  /** What embeds; where it can't, words alone count. */
  readonly memory?: Pick<MemoryPort, "embed">;
  /** Whether a session lives in this window alone: nothing of it is embedded. */
  readonly isPrivate?: (sessionId: string) => boolean;
}

/** Concludes from a question what the user thinks of the answers before it. */
export interface Implicit {
  /** Takes the events of all turns. Never throws. */
  onEvent(event: TurnEvent): void;
  /** Waits until all is looked at, `ms` milliseconds at most, and stops what is still under way then. */
  flush(ms: number): Promise<void>;
}

/** What is known of one turn. */
interface Turn {
  readonly sessionId: string;
  readonly turnId: string;
  parentTurnId: string | null;
  /** Nobody asked it as a question of its own: a branch, or in the background. */
  isOwn: boolean;
  door: UserFeedback["data"]["conclave.door"];
  question: string;
  answerEnd: string;
  isAnswered: boolean;
  isLiked: boolean;
  isForgotten: boolean;
  /** It was taken from somebody else's file. */
  isImported: boolean;
}

/**
 * A reader that tells by fixed rules, once a turn has ended, whether its question contradicts the answer before it, or
 * asks in other words what was asked a few turns ago. It says so as `user.feedback` with `conclave.implicit`; answers
 * that were thumbed up are left alone.
 */
export function createImplicit(deps: ImplicitDeps): Implicit {
  return new ImplicitReader(deps);
}

class ImplicitReader implements Implicit {
  readonly #deps: ImplicitDeps;
  readonly #turns = new LRUCache<string, Turn>({ max: MAX_TURNS });
  readonly #jobs: Turn[] = [];
  readonly #stop = new AbortController();
  #working: Promise<void> | undefined;

  constructor(deps: ImplicitDeps) {
    this.#deps = deps;
  }

  onEvent(event: TurnEvent): void {
    if (!READ.has(event.type) || event.respondent === SHADOW_RESPONDENT) return;
    if (event.type === "turn.start") this.#turns.set(event.turnId, emptyTurn(event));
    const turn = this.#turns.get(event.turnId);
    if (turn === undefined) return;
    take(turn, event);
    const isNews = event.type === "turn.end" && turn.isOwn && turn.parentTurnId !== null;
    if (!isNews || this.#stop.signal.aborted || this.#jobs.length >= MAX_JOBS || !this.#deps.isOn()) return;
    this.#jobs.push(turn);
    this.#working ??= this.#work();
  }

  async flush(ms: number): Promise<void> {
    const cancel = this.#deps.timer(ms, () => this.#stop.abort());
    await this.#working;
    cancel();
  }

  async #work(): Promise<void> {
    // Who waits for the answer comes first.
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (let turn = this.#jobs.shift(); turn !== undefined; turn = this.#jobs.shift()) {
      if (this.#stop.signal.aborted) break;
      await this.#look(turn);
    }
    this.#working = undefined;
  }

  async #look(turn: Turn): Promise<void> {
    const before = await this.#before(turn);
    const [last] = before;
    if (last === undefined || turn.isForgotten) return;
    const words = contradiction(turn.question, last.answerEnd);
    if (words !== undefined && isOpen(last)) {
      this.#tell(last, "contradicted", turn, words);
      return;
    }
    if (turn.question.length > MAX_QUESTION) return;
    for (const [index, earlier] of before.entries()) {
      if (!isOpen(earlier) || !(await this.#asksAgain(turn, earlier))) continue;
      this.#tell(earlier, "asked_again", turn, againWords(index + 1));
      return;
    }
  }

  /** The turns that it follows, the nearest first. */
  async #before({ sessionId, parentTurnId }: Turn): Promise<readonly Turn[]> {
    const turns: Turn[] = [];
    const seen = new Set<string>();
    let turnId = parentTurnId;
    while (turnId !== null && turns.length < MAX_BACK && !seen.has(turnId)) {
      seen.add(turnId);
      const turn = this.#turns.get(turnId) ?? (await this.#read(sessionId, turnId));
      if (turn === undefined) break;
      turns.push(turn);
      turnId = turn.parentTurnId;
    }
    return turns;
  }

  async #read(sessionId: string, turnId: string): Promise<Turn | undefined> {
    const { signal } = this.#stop;
    const raced = await raceAbort(signal, () =>
      this.#deps.turns.turnEvents({ sessionId, turnId }, READ, signal),
    );
    const events = raced.kind === "value" ? raced.value : [];
    const start = events.find((event): event is EventOf<"turn.start"> => event.type === "turn.start");
    if (start === undefined) return undefined;
    const turn = emptyTurn(start);
    for (const event of events) if (event.respondent !== SHADOW_RESPONDENT) take(turn, event);
    this.#turns.set(turnId, turn);
    return turn;
  }

  async #asksAgain({ sessionId, question }: Turn, earlier: Turn): Promise<boolean> {
    if (earlier.question.length > MAX_QUESTION) return false;
    const compared = compareQuestions(question, earlier.question);
    if (!compared.maybe) return false;
    if (isSameByWords(compared)) return true;
    if (this.#deps.isPrivate?.(sessionId) === true) return false;
    const { signal } = this.#stop;
    const texts = [question, earlier.question];
    const raced = await raceAbort(signal, async () => this.#deps.memory?.embed?.(texts, "document", signal));
    if (raced.kind !== "value" || raced.value?.ok !== true) return false;
    return isSameByMeaning(compared, cosine(raced.value.value), raced.value.value.model);
  }

  #tell({ sessionId, turnId }: Turn, sign: ImplicitSign, by: Turn, evidence: string): void {
    const { identity, publish } = this.#deps;
    publish({
      type: "user.feedback",
      ...{ id: identity.spanId(), parentId: turnId, time: identity.now(), sessionId, turnId },
      ...{ agent: "user", respondent: "A" },
      data: {
        rating: "down",
        "conclave.door": by.door,
        "conclave.implicit": sign,
        "conclave.evidence": evidence,
      },
    });
  }
}

const NONE = new Float32Array();

function emptyTurn({ sessionId, turnId, data }: EventOf<"turn.start">): Turn {
  return {
    ...{ sessionId, turnId, parentTurnId: data["conclave.parent_turn_id"], door: data["conclave.door"] },
    isOwn: data["conclave.fork"] === undefined && data["conclave.background"] !== true,
    ...{ question: "", answerEnd: "", isAnswered: false, isLiked: false, isForgotten: false },
    isImported: data["conclave.imported"] !== undefined,
  };
}

function take(turn: Turn, event: TurnEvent): void {
  if (event.forgotten !== undefined) turn.isForgotten = true;
  switch (event.type) {
    case "query.received":
      turn.question = event.data.query;
      return;
    case "answer.dialog":
      turn.answerEnd = event.data.answer.trimEnd().slice(-TAIL);
      return;
    case "turn.end":
      turn.isAnswered = event.data.outcome === "answered";
      return;
    case "user.feedback":
      if (event.parentId === turn.turnId && event.data["conclave.implicit"] === undefined)
        turn.isLiked = event.data.rating === "up";
      return;
    default:
  }
}

/** Why it was asked again, without its words: a turn that is forgotten must not live on in another one. */
function againWords(turnsLater: number): string {
  return turnsLater === 1
    ? "asked again in other words in the next turn"
    : `asked again in other words ${turnsLater} turns later`;
}

/** Whether its answer may be judged by what was asked later. */
function isOpen({ isAnswered, isLiked, isForgotten, isImported }: Turn): boolean {
  return isAnswered && !isLiked && !isForgotten && !isImported;
}

function cosine({ embeddings: [one = NONE, other = NONE] }: Embeddings): number {
  const dot = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0);
  const sizes = Math.sqrt(dot(one, one) * dot(other, other));
  return sizes === 0 ? 0 : dot(one, other) / sizes;
}
