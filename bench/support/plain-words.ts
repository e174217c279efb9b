import type { Random } from "./memory-data.ts";

/** Usual words, so that they are about a token each to any model. */
const WORDS =
  "the a we it of to in and for with when then that this page file cache time test plan team step line part work week " +
  "write read keep move build check start stop change save load send find need know think want use make see small large " +
  "old new fast slow safe first last every other same open late early";
const LIST = WORDS.split(" ");

/** A text of so many usual words, no more than that. */
export function plainText(random: Random, words: number): string {
  return Array.from({ length: words }, () => LIST[Math.floor(random() * LIST.length)] ?? "").join(" ");
}
