import { SHADOW_RESPONDENT } from "../event-base.ts";
import type { ImplicitSign } from "../events-judged.ts";
import type { EventOf, TurnEvent, TurnEventType } from "../events.ts";
import { rewardOf, type Opinion, type Reward, type Sign } from "./worth.ts";

/** Answers of one turn that are told apart; no committee is larger. */
const MAX_ANSWERS = 200;
/** Episodes of one answer; there is one. */
const MAX_EPISODES = 10;

/** What can be written on an episode. */
export interface Score extends Sign {
  readonly score: number | null;
}

/** A verdict that both orders of the answers bear out. */
export interface Verdict extends Sign {
  readonly winner: "A" | "B" | null;
}

/** One answer of a turn, and all that is said of it. */
export interface JudgedAnswer {
  /** What its judgements stand under: the turn, or the agent's span. */
  readonly place: string;
  agent: string;
  model: string;
  readonly respondent: string;
  /** The episodes that hold it; a persona's own answer is in none. */
  episodes: readonly string[];
  opinion?: Opinion;
  readonly signs: Map<ImplicitSign, Opinion>;
  critics?: Score;
  users?: Score;
  /** The reward that was told of last. */
  told?: Pick<Reward, "reward" | "reason">;
}

/** The types of events that a turn's judgements are read from. */
export const JUDGED_TYPES: ReadonlySet<TurnEventType> = new Set<TurnEventType>([
  ...(["turn.start", "agent.start", "memory.ingested", "shadow.answer"] as const),
  ...(["user.feedback", "reward.event", "critique.result", "critique.corrected", "pairwise.result"] as const),
]);

/**
 * What is said of the answers of one turn, folded from its events. The same event taken twice counts once; of what says
 * the same kind of thing the latest by its time holds, in whichever order it is heard.
 */
export class JudgedTurn {
  readonly sessionId: string;
  readonly turnId: string;
  readonly own: JudgedAnswer;
  verdict: Verdict | undefined;
  isPrivate = false;
  isImported = false;
  isForgotten = false;
  /** Its beginning is known. */
  isWhole = false;
  /** The latest answer of respondent B. */
  other: JudgedAnswer | undefined;
  /** Ids of annotations that were written. */
  readonly written = new Set<string>();
  readonly #answers = new Map<string, JudgedAnswer>();

  constructor(sessionId: string, turnId: string) {
    this.sessionId = sessionId;
    this.turnId = turnId;
    this.own = answerOf(turnId, "A");
    this.#answers.set(turnId, this.own);
  }

  /** All answers of the turn that are known by now. */
  answers(): readonly JudgedAnswer[] {
    return [...new Set(this.#answers.values())];
  }

  /** Takes an event of the turn; of what a branch repeats only who spoke. */
  take(event: TurnEvent): void {
    if (event.forgotten !== undefined) this.isForgotten = true;
    if (event.replays !== undefined && event.type !== "agent.start") return;
    switch (event.type) {
      case "turn.start":
        this.#begin(event);
        return;
      case "agent.start":
        this.#agent(event);
        return;
      case "memory.ingested":
        this.#ingested(event);
        return;
      case "shadow.answer":
        this.#answeredAgain(event);
        return;
      case "user.feedback":
        this.#feedback(event);
        return;
      case "reward.event": {
        const { reward, reason } = event.data;
        this.#judged(event).told = { reward, reason };
        return;
      }
      case "critique.result":
        this.#graded(event);
        return;
      case "critique.corrected": {
        const answer = this.#judged(event);
        answer.users = later(answer.users, { ...signOf(event), score: event.data.score });
        return;
      }
      case "pairwise.result":
        this.#compared(event);
        return;
      default:
    }
  }

  #begin({ agent, data }: EventOf<"turn.start">): void {
    this.isWhole = true;
    this.own.agent = agent;
    this.isPrivate = data["conclave.private"] === true;
    this.isImported = data["conclave.imported"] !== undefined;
  }

  #agent({ id, agent, respondent, data }: EventOf<"agent.start">): void {
    const role = data["conclave.role"];
    const model = data["gen_ai.request.model"];
    if (role === "shadow") {
      if (this.#answers.has(id)) return;
      this.other = { ...answerOf(id, SHADOW_RESPONDENT), agent, model };
      this.#add(id, this.other);
    } else if (respondent === SHADOW_RESPONDENT) return;
    else if (role === undefined || role === "answerer" || role === "synthesizer") {
      // What it says is the turn's answer.
      this.own.model = model;
      this.#add(id, this.own);
    } else if (!this.#answers.has(id)) this.#add(id, { ...answerOf(id, respondent), agent, model });
  }

  #add(place: string, answer: JudgedAnswer): void {
    if (this.#answers.size < MAX_ANSWERS) this.#answers.set(place, answer);
  }

  #ingested({ data, respondent }: EventOf<"memory.ingested">): void {
    const answer = respondent === SHADOW_RESPONDENT ? this.other : this.own;
    if (answer !== undefined) addEpisodes(answer, data["conclave.episode_ids"]);
  }

  #answeredAgain({ id, agent, data }: EventOf<"shadow.answer">): void {
    if (this.other === undefined) {
      this.other = answerOf(id, SHADOW_RESPONDENT);
      this.#add(id, this.other);
    }
    this.other.agent = agent;
    this.other.model = data["gen_ai.request.model"];
    addEpisodes(this.other, data["conclave.episode_ids"] ?? []);
  }

  /** The answer that a judgement is about. */
  #judged({ parentId, respondent }: TurnEvent): JudgedAnswer {
    const named = parentId === null || parentId === this.turnId ? undefined : this.#answers.get(parentId);
    if (named !== undefined) return named;
    return respondent === SHADOW_RESPONDENT && this.other !== undefined ? this.other : this.own;
  }

  #feedback(event: EventOf<"user.feedback">): void {
    const answer = this.#judged(event);
    const { rating, "conclave.implicit": sign } = event.data;
    const said: Opinion = { ...signOf(event), rating };
    if (sign === undefined) answer.opinion = later(answer.opinion, said);
    else answer.signs.set(sign, later(answer.signs.get(sign), said));
  }

  /** What was not graded leaves the grade there was. */
  #graded(event: EventOf<"critique.result">): void {
    const { score } = event.data;
    if (score === null || !(score >= 1 && score <= 5)) return;
    const answer = this.#judged(event);
    answer.critics = later(answer.critics, { ...signOf(event), score });
  }

  #compared(event: EventOf<"pairwise.result">): void {
    const winner = agreedWinner(event.data);
    if (winner === undefined) return;
    this.verdict = later(this.verdict, { ...signOf(event), winner });
    const [a, b] = event.data["conclave.episode_ids"] ?? [];
    if (a === undefined || b === undefined || this.other === undefined) return;
    if (this.own.episodes.length === 0) addEpisodes(this.own, [a]);
    if (this.other.episodes.length === 0) addEpisodes(this.other, [b]);
  }
}

/** The worth of an answer's feedback; undefined where there never was any. */
export function currentReward({ opinion, signs }: JudgedAnswer): Reward | undefined {
  return opinion === undefined && signs.size === 0 ? undefined : rewardOf(opinion, signs);
}

/** When the feedback that counts now was given, or taken back, and by which event. */
export function rewardedBy({ opinion, signs }: JudgedAnswer): Sign | undefined {
  return [...signs.values(), ...(opinion === undefined ? [] : [opinion])].reduce<Sign | undefined>(
    later,
    undefined,
  );
}

/**
 * Who won in both orders, null for a tie. Undefined where the judge was not asked in both, could not be asked, or could
 * not be read in one of them: that is no verdict. Answers that say the same are a tie without having been asked about.
 */
function agreedWinner(data: EventOf<"pairwise.result">["data"]): "A" | "B" | null | undefined {
  const { winner, error, "conclave.orders": orders } = data;
  if (error !== undefined || orders === undefined) return undefined;
  if (orders.length === 0) return winner === null ? null : undefined;
  if (orders.some(({ raw }) => raw !== undefined)) return undefined;
  const firsts = new Set(orders.map(({ first }) => first));
  if (firsts.size < 2) return undefined;
  return orders.every((order) => order.winner === winner) ? winner : null;
}

function answerOf(place: string, respondent: string): JudgedAnswer {
  return { place, agent: "", model: "", respondent, episodes: [], signs: new Map() };
}

function addEpisodes(answer: JudgedAnswer, ids: readonly string[]): void {
  answer.episodes = [...new Set([...answer.episodes, ...ids])].slice(0, MAX_EPISODES);
}

function signOf({ id, time }: TurnEvent): Sign {
  return { time, event: id };
}

/** The later of two by their time; of one moment the one heard later. */
function later<S extends Sign>(before: S | undefined, next: S): S {
  return before !== undefined && before.time > next.time ? before : next;
}
