import type { AgentRole, EventOf, TurnEvent } from "../events.ts";
import { SHADOW_RESPONDENT } from "../event-base.ts";
import { cutAtGrapheme } from "../text.ts";
import { answerKey, type TurnPlace } from "./jobs.ts";

/** What is kept of the texts of one turn, in UTF-16 units: of each, and of all sources together. */
const MAX_TEXT = 32_000;
const MAX_SOURCE = 4_000;
const MAX_SOURCES = 16_000;

/** Answers of agents that are kept of one turn. */
const MAX_ANSWERS = 50;
/** Judgements that are known of one turn, each by its answer and by its rubric. */
const MAX_JUDGED = 500;

/** The tool by which the user has something forgotten: the words of such a turn name it. */
const FORGET_TOOL = "forget_memory";

/** An answer and who gave it. */
export interface GivenAnswer {
  /** What judgements of it stand under: the turn, or the agent's span. */
  readonly parentId: string;
  readonly agent: string;
  readonly respondent: string;
  readonly model: string;
  readonly temperature?: number;
  readonly answer: string;
  /** The episode it is remembered as. */
  readonly episodeId?: string;
}

/** What the critic needs to know of a turn. All texts are cut, and untrusted. */
export interface TurnMaterial extends TurnPlace {
  readonly question: string;
  /** What the answer was given to work with; empty where that was nothing. */
  readonly sources: string;
  readonly answer: GivenAnswer;
  /** The last answer of each persona. */
  readonly personas: readonly GivenAnswer[];
  /** What respondent B answered, and when; where it did. */
  readonly shadow?: GivenAnswer & { readonly time: number };
  readonly isPrivate: boolean;
  /** It was taken from a file of somebody else. */
  readonly isImported: boolean;
  /**
   * When a critic last said something of an answer, by its mark (`answerKey`), and by that with the rubric; milliseconds
   * since the epoch.
   */
  readonly judged: ReadonlyMap<string, number>;
  /** When both answers were last compared; 0: never. */
  readonly comparedAt: number;
}

/** Why a turn is not judged at all: no answer, nobody asked for it, or what it said was forgotten. */
export type NotJudged = "unanswered" | "background" | "forgotten";

interface Speaker {
  readonly agent: string;
  readonly role: AgentRole | undefined;
  readonly model: string;
  readonly respondent: string;
  temperature?: number;
  answer?: string;
}

/** Gathers what the critic needs of one turn from its events, while it runs or out of the log. */
export class MaterialNote {
  readonly place: TurnPlace;
  readonly #speakers = new Map<string, Speaker>();
  readonly #sources: string[] = [];
  #sourceLength = 0;
  #question: string | undefined;
  #answer: { readonly text: string; readonly agent: string } | undefined;
  #ended: EventOf<"turn.end">["data"]["outcome"] | undefined;
  #episodeId: string | undefined;
  #shadow: EventOf<"shadow.answer"> | undefined;
  #isPrivate = false;
  #isImported = false;
  #isBackground = false;
  #isForgotten = false;
  readonly #judged = new Map<string, number>();
  #comparedAt = 0;

  constructor({ sessionId, turnId }: TurnPlace) {
    this.place = { sessionId, turnId };
  }

  take(event: TurnEvent): void {
    if (event.forgotten !== undefined) this.#isForgotten = true;
    switch (event.type) {
      case "turn.start":
        this.#isPrivate = event.data["conclave.private"] === true;
        this.#isBackground = event.data["conclave.background"] === true;
        this.#isImported = event.data["conclave.imported"] !== undefined;
        return;
      case "sandbox.start":
        this.#isBackground = true;
        return;
      case "query.received":
        this.#question = cutAtGrapheme(event.data.query, MAX_TEXT);
        for (const { label, text } of event.data.references ?? []) this.#source(`${label}\n${text}`);
        return;
      case "agent.start":
        this.#speaks(event);
        return;
      case "model.start":
        this.#warmth(event);
        return;
      case "memory.card":
        if (event.respondent === SHADOW_RESPONDENT) return;
        for (const { kind, text } of event.data.parts) if (kind !== "persona") this.#source(text);
        return;
      case "tool.result":
        this.#result(event);
        return;
      case "response.generation":
        this.#said(event);
        return;
      default:
        this.#after(event);
    }
  }

  /** The episode that the turn's answer is remembered as, where that is known by now. */
  get episodeId(): string | undefined {
    return this.#episodeId;
  }

  /** What it came to; or why the turn is not judged. */
  material(): TurnMaterial | NotJudged {
    if (this.#isForgotten) return "forgotten";
    if (this.#isBackground) return "background";
    const question = this.#question;
    const given = this.#answer;
    if (question === undefined || given === undefined || this.#ended !== "answered") return "unanswered";
    const { sessionId, turnId } = this.place;
    const writer = this.#writer();
    const temperature = writer?.temperature;
    return {
      ...{ sessionId, turnId, question },
      sources: this.#sources.join("\n\n"),
      answer: {
        ...{ parentId: turnId, agent: writer?.agent ?? given.agent, respondent: "A" },
        model: writer?.model ?? "",
        answer: given.text,
        ...(temperature !== undefined && { temperature }),
        ...(this.#episodeId !== undefined && { episodeId: this.#episodeId }),
      },
      personas: this.#personas(),
      ...(this.#shadow && this.#shadowMaterial(this.#shadow)),
      ...{ isPrivate: this.#isPrivate, isImported: this.#isImported },
      judged: new Map(this.#judged),
      comparedAt: this.#comparedAt,
    };
  }

  #source(text: string): void {
    const left = MAX_SOURCES - this.#sourceLength;
    const cut = cutAtGrapheme(text.trim(), Math.min(MAX_SOURCE, left));
    if (cut === "") return;
    this.#sources.push(cut);
    this.#sourceLength += cut.length;
  }

  #speaks({ id, data, agent, respondent }: EventOf<"agent.start">): void {
    if (this.#speakers.size >= MAX_ANSWERS) return;
    const role = data["conclave.role"];
    this.#speakers.set(id, { agent, role, model: data["gen_ai.request.model"], respondent });
  }

  #warmth({ agent, respondent, data }: EventOf<"model.start">): void {
    const temperature = data["gen_ai.request.temperature"];
    const speaker = [...this.#speakers.values()].findLast(
      (one) => one.agent === agent && one.respondent === respondent,
    );
    if (speaker !== undefined && temperature !== undefined) speaker.temperature = temperature;
  }

  #result({ data, respondent }: EventOf<"tool.result">): void {
    if (respondent === SHADOW_RESPONDENT || data.error !== undefined) return;
    if (data.name === FORGET_TOOL && data.details?.data?.["forgotten"] === true) this.#isForgotten = true;
    this.#source(data.result ?? "");
  }

  #said({ parentId, data }: EventOf<"response.generation">): void {
    const speaker = this.#speakers.get(parentId ?? "");
    if (speaker !== undefined) speaker.answer = cutAtGrapheme(data.answer, MAX_TEXT);
  }

  /** What comes with the turn's end, and after it. */
  #after(event: TurnEvent): void {
    switch (event.type) {
      case "answer.dialog":
        this.#answer = { text: cutAtGrapheme(event.data.answer, MAX_TEXT), agent: event.agent };
        return;
      case "turn.end":
        this.#ended = event.data.outcome;
        return;
      case "memory.ingested":
        this.#episodeId = event.data["conclave.episode_ids"][0] ?? this.#episodeId;
        return;
      case "critique.result":
        this.#wasJudged(event);
        return;
      case "shadow.answer":
        if (event.data.outcome === "answered") this.#shadow = event;
        return;
      case "pairwise.result":
        this.#comparedAt = event.time;
        return;
      default:
    }
  }

  #wasJudged({ parentId, respondent, time, data }: EventOf<"critique.result">): void {
    for (const rubric of [undefined, data["conclave.rubric"]]) {
      const key = answerKey(parentId, respondent, rubric);
      if (this.#judged.size < MAX_JUDGED || this.#judged.has(key)) this.#judged.set(key, time);
    }
  }

  /** Who wrote the answer of the turn: the one who answered it alone, or who summed the committee up. */
  #writer(): Speaker | undefined {
    const own = [...this.#speakers.values()].filter(
      ({ respondent, answer }) => respondent !== SHADOW_RESPONDENT && answer !== undefined,
    );
    const wrote = ({ role }: Speaker): boolean =>
      role === undefined || role === "answerer" || role === "synthesizer";
    return own.findLast(wrote) ?? own.findLast(({ role }) => role === "persona");
  }

  #personas(): readonly GivenAnswer[] {
    const last = new Map<string, GivenAnswer>();
    for (const [parentId, { role, answer, ...who }] of this.#speakers) {
      if (role !== "persona" || answer === undefined || answer.trim() === "") continue;
      last.set(who.agent, { parentId, ...who, answer });
    }
    return [...last.values()];
  }

  #shadowMaterial({ agent, respondent, parentId, time, data }: EventOf<"shadow.answer">) {
    const found = [...this.#speakers].findLast(([, { role }]) => role === "shadow");
    const temperature = data["gen_ai.request.temperature"];
    const [episodeId] = data["conclave.episode_ids"] ?? [];
    const shadow = {
      ...{ time, parentId: found?.[0] ?? parentId ?? this.place.turnId, agent, respondent },
      model: data["gen_ai.request.model"],
      answer: cutAtGrapheme(data.answer, MAX_TEXT),
      ...(temperature !== undefined && { temperature }),
      ...(episodeId !== undefined && { episodeId }),
    };
    return { shadow };
  }
}

/** What the critic needs of a turn, out of all its events; or why the turn is not judged. */
export function materialOf(place: TurnPlace, events: readonly TurnEvent[]): TurnMaterial | NotJudged {
  const note = new MaterialNote(place);
  for (const event of events) note.take(event);
  return note.material();
}
