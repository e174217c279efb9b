import { LRUCache } from "lru-cache";
import type { TurnEvent } from "../../agent/events.ts";
import { cutAtGrapheme } from "../../agent/text.ts";
import { gradeWord } from "../../trace/judged-words.ts";

/** Turns whose grades are known at a time. */
const MAX_TURNS = 200;

/** Feedback that is shown in passing, in UTF-16 units. */
const MAX_FEEDBACK = 400;

/** The grade of a turn's answer, as it counts. */
export interface TurnGrade {
  readonly sessionId: string;
  readonly turnId: string;
  readonly score: number;
  /** In a word, such as `good`. */
  readonly word: string;
  /** The critic's reasons, cut; or the reason of who put the grade right. */
  readonly feedback: string;
  /** The judge; or who put the grade right. */
  readonly by: string;
  /** A person gave it. */
  readonly isOwn: boolean;
}

/** Knows the grades that were given in this window to the answers of turns; those of persons go before a critic's. */
export class Grades {
  readonly #grades = new LRUCache<string, TurnGrade>({ max: MAX_TURNS });
  #last: TurnGrade | undefined;

  /** Takes an event of any turn; true when the last grade is another one by it. */
  take(event: TurnEvent): boolean {
    const isOfTurn = event.parentId === event.turnId && event.respondent === "A";
    if (!isOfTurn || (event.type !== "critique.result" && event.type !== "critique.corrected")) return false;
    const isOwn = event.type === "critique.corrected";
    if (!isOwn && this.#grades.get(event.turnId)?.isOwn === true) return false;
    const { sessionId, turnId } = event;
    const { score } = event.data;
    if (score === null) {
      this.#grades.delete(turnId);
      if (this.#last?.turnId !== turnId) return false;
      this.#last = undefined;
      return true;
    }
    const said =
      event.type === "critique.corrected"
        ? { feedback: event.data.reason, by: event.data["conclave.by"] }
        : { feedback: event.data.feedback, by: event.data["gen_ai.request.model"] };
    const grade: TurnGrade = {
      ...{ sessionId, turnId, score, word: gradeWord(score), isOwn, by: said.by },
      feedback: cutAtGrapheme(said.feedback.replace(/\s+/gu, " ").trim(), MAX_FEEDBACK),
    };
    this.#grades.set(turnId, grade);
    this.#last = grade;
    return true;
  }

  /** The grade of a turn's answer, where one was given in this window. */
  of(turnId: string): TurnGrade | undefined {
    return this.#grades.get(turnId);
  }

  /** The grade that was given last. */
  last(): TurnGrade | undefined {
    return this.#last;
  }

  /** What turns said was forgotten: so is what was said of it. True when the last grade is another one by it. */
  forget(turnIds: readonly string[]): boolean {
    for (const turnId of turnIds) this.#grades.delete(turnId);
    if (this.#last === undefined || !turnIds.includes(this.#last.turnId)) return false;
    this.#last = undefined;
    return true;
  }
}

/** The grade in a sentence. */
export function gradeSentence({ score, word, by, feedback, isOwn }: TurnGrade): string {
  const who = isOwn ? `Graded by ${by}` : `The critic (${by}) gave the answer`;
  return `${who}: ${score} of 5, ${word}. ${feedback}`.trim();
}

/** The title of a document that holds a grade. */
export function gradeName({ score, turnId }: TurnGrade): string {
  return `Grade ${score} of 5 (${turnId.slice(0, 8)}).md`;
}

/** A grade as a document of its own. */
export function gradeDocument(grade: TurnGrade): string {
  return `# ${grade.score} of 5, ${grade.word}\n\n${gradeSentence(grade)}\n\nA grade is an opinion, not a proof. **Conclave: Show Critic** has it with its rubric and all that came before.\n`;
}
