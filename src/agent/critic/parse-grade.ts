import type { Json } from "../models/types.ts";
import { feedbackIn, objectAtEnd, type JudgedObject } from "./parse-json.ts";
import { isQuoted, tailOf, withoutThinking, type Reading, type Written } from "./parse-text.ts";

/** Names that judges give their grade. */
const FIELDS = ["score", "grade", "rating"];
/** Where there is none of these. */
const OTHER_FIELDS = ["overall_score", "final_score", "overall_grade", "final_grade", "overall_rating"];
const LABELS =
  "grade|score|rating|mark|result|verdict|overall|judge?ment|evaluation|assessment|note|bewertung|punktzahl|wertung|puntuación|puntaje|calificación|nota|voto|punteggio|" +
  "cijfer|betyg|karakter|ocena|оценка|оцінка|评分|得分|分数|評分|評価|点数|점수|평점";
const NUMBER = String.raw`(?<number>-?\d+(?:[.,]\d+)?)`;
const OF_FIVE = String.raw`[\s*_]*(?:\/|out of|of|von|sur|de|di|van|av|из|з)\s*5`;
const DRESS = "[\\s*_`(\"'“]*";

/** `[RESULT] 4`, also with a colon, in bold, or with the scale behind it. */
const RESULT = new RegExp(
  String.raw`\[\s*result\s*(?:\]\s*[:=]?|[:=])${DRESS}(?:(?:score|grade)\s*:?\s*)?${NUMBER}(?:${OF_FIVE})?$`,
  "iu",
);
/** `Grade: 4/5` at the beginning of a line or a sentence. */
const LABELLED = new RegExp(
  String.raw`(?<lead>(?:^|[\n.!?。！？;,])[\s*_#>-]*)(?:(?:the|my|final|overall|total)\s+){0,3}(?:${LABELS})(?:\s+(?:final|total|global|finale|totale|globale))?[\s*_]*[:=]${DRESS}${NUMBER}(?:${OF_FIVE})?$`,
  "iu",
);
/** `I'd give it 4/5` as a sentence. */
const GIVEN = new RegExp(
  String.raw`(?<lead>(?:^|[\n.!?;,])[\s*_#>-]*)(?:i|we)(?:['’]d|['’]ll|\s+would|\s+will)?\s+(?:give|rate|score|grade|say)\b[^.!?\n\d]{0,40}${NUMBER}${OF_FIVE}$`,
  "iu",
);
/** `4/5` on a line of its own. */
const FRACTION = new RegExp(String.raw`(?<lead>(?:^|\n)[\s*_#>-]*)${NUMBER}${OF_FIVE}$`, "iu");
/** Nothing but a number. */
const BARE = new RegExp(String.raw`^[\s*_#>-]*${NUMBER}$`, "u");
/** How an object ends that is not quite JSON. */
const LAST_FIELD =
  /["']?\b(?:score|grade|rating)["']?\s*[:=]\s*["']?(?<number>-?\d+(?:[.,]\d+)?)["']?\s*,?\s*\}$/iu;

/**
 * Reads a grade from the end of a judge's words; nothing where there is none. The rules:
 *
 * - The last statement decides, and nothing but signs may follow it: `[RESULT] 4`; `Grade: 4` or `Score: 4/5` at the
 *   beginning of a line or sentence; "I'd give it 4/5"; `4/5` on a line of its own; a JSON object with `score`, `grade` or `rating`; or a
 *   number alone.
 * - A grade is a whole number from 1 to 5 (`4.0` is one). `4.5`, `85`, `0` and `4/10` are none; nothing is rounded, clamped or
 *   scaled. Words such as "two" are none.
 * - What is in quotes, stands within a text of the object, or came with the words around it from what was judged, is a
 *   quotation and no grade. Nor is anything within thinking.
 * - Of words that were cut off only what is surely whole counts: a closed object, a number with something behind it.
 */
export function readGrade(written: Written): Reading<number> | undefined {
  const text = withoutThinking(written.text);
  const object = objectAtEnd({ ...written, text });
  if (object === "unclosed") return undefined;
  if (object !== undefined) {
    const value = gradeIn(object);
    return value === undefined ? undefined : { value, feedback: feedbackIn(object, text) };
  }
  const tail = tailOf(text);
  const match =
    RESULT.exec(tail.text) ??
    LABELLED.exec(tail.text) ??
    GIVEN.exec(tail.text) ??
    FRACTION.exec(tail.text) ??
    (tail.whole ? BARE.exec(tail.text) : null);
  if (match === null || (written.cut && tail.open)) return undefined;
  const at = match.index + (match.groups?.["lead"] ?? "").length;
  const value = gradeOf(match.groups?.["number"]);
  if (value === undefined || isQuoted(tail.text, at, written.material)) return undefined;
  return { value, feedback: text.slice(0, tail.start) + tail.text.slice(0, at) };
}

function gradeIn({ fields, text }: JudgedObject): number | undefined {
  if (fields === undefined) return gradeOf(LAST_FIELD.exec(text)?.groups?.["number"]);
  const given = [FIELDS, OTHER_FIELDS].map((names) => names.filter((name) => name in fields));
  const grades = new Set(
    (given.find((names) => names.length > 0) ?? []).map((name) => gradeOf(fields[name])),
  );
  // An object that says two things says nothing.
  return grades.size === 1 ? [...grades][0] : undefined;
}

function gradeOf(value: Json | undefined): number | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const digits = /^\s*([1-5])(?:[.,]0+)?(?:\s*(?:\/|out of|of)\s*5)?\s*$/iu.exec(String(value))?.[1];
  return digits === undefined ? undefined : Number(digits);
}
