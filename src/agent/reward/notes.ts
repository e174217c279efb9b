import { createHash } from "node:crypto";
import type { Annotation, AnnotationAuthor, AnnotationValue } from "../memory/port.ts";
import { currentReward, rewardedBy, type JudgedAnswer, type JudgedTurn } from "./judged-turn.ts";
import type { Sign } from "./worth.ts";

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;

/** One note, and the event that it comes from. */
interface Note extends Sign {
  readonly by: AnnotationAuthor;
  readonly value: AnnotationValue;
}

/**
 * The notes that a turn's judgements come to, for every episode that holds one of its answers. Their ids follow from
 * what they say and the event that says it: what is written twice is there once.
 */
export function notesOf(turn: JudgedTurn): readonly Annotation[] {
  return turn.answers().flatMap((answer) => {
    const notes = [...scores(answer), ...verdict(turn, answer), ...feedback(answer)];
    return answer.episodes
      .filter((id) => UUID.test(id))
      .flatMap((episodeId) => notes.map((note) => annotation(episodeId, note)));
  });
}

function scores({ critics, users }: JudgedAnswer): readonly Note[] {
  return [
    ...(critics === undefined ? [] : [scoreNote(critics, "critic")]),
    ...(users === undefined ? [] : [scoreNote(users, "user")]),
  ];
}

function scoreNote({ score, ...sign }: NonNullable<JudgedAnswer["critics"]>, by: "critic" | "user"): Note {
  return { ...sign, by, value: { kind: "score", value: score } };
}

function verdict(turn: JudgedTurn, answer: JudgedAnswer): readonly Note[] {
  if (turn.verdict === undefined || (answer !== turn.own && answer !== turn.other)) return [];
  const { winner, ...sign } = turn.verdict;
  const value = winner === null ? "tie" : winner === answer.respondent ? "winner" : "loser";
  return [{ ...sign, by: "judge", value: { kind: "verdict", value } }];
}

function feedback(answer: JudgedAnswer): readonly Note[] {
  const reward = currentReward(answer);
  const sign = rewardedBy(answer);
  if (reward === undefined || sign === undefined) return [];
  const { opinion } = answer;
  const notes: Note[] = [
    { ...sign, by: "reward", value: { kind: "reward", value: reward.reward } },
    { ...sign, by: "reward", value: { kind: "reason", value: reward.reason } },
  ];
  if (opinion !== undefined) {
    const { rating, time, event } = opinion;
    const value = rating === "none" ? null : rating;
    notes.push({ time, event, by: "user", value: { kind: "feedback", value } });
  }
  return notes;
}

function annotation(episodeId: string, { event, time, by, value }: Note): Annotation {
  const id = stableId(JSON.stringify([episodeId.toLowerCase(), event, by, value]));
  return { ...value, id, episodeId, by, time };
}

/** A UUID (version 8, of its own making) that is always the same for the same text. */
function stableId(text: string): string {
  const hash = createHash("sha256").update(text).digest("hex");
  const variant = ((Number.parseInt(hash.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(18, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}
