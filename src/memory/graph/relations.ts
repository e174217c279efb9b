import type { EntityType } from "../../agent/memory/types.ts";

/** Longest name of a kind of relation, in UTF-16 units. */
const MAX_TYPE = 60;

/** Other words for a kind of relation. */
const SAME: Readonly<Record<string, string>> = {
  resides_in: "lives_in",
  living_in: "lives_in",
  lives_at: "lives_in",
  live_in: "lives_in",
  moved_to: "lives_in",
  relocated_to: "lives_in",
  based_in: "located_in",
  in: "located_in",
  works_for: "works_at",
  work_at: "works_at",
  employed_by: "works_at",
  employed_at: "works_at",
  job_at: "works_at",
  has_job: "works_as",
  spouse_of: "married_to",
  wife_of: "married_to",
  husband_of: "married_to",
  friends_with: "friend_of",
  works_with: "colleague_of",
  coworker_of: "colleague_of",
};

/** Relations of which somebody has one at a time: a newer one closes the older. */
export const EXCLUSIVE: readonly string[] = [
  "lives_in",
  "located_in",
  "works_at",
  "works_as",
  "married_to",
  "engaged_to",
  "reports_to",
  "born_in",
];

/** Relations that are the same from both ends. */
const SYMMETRIC = new Set([
  ...["married_to", "engaged_to", "sibling_of", "friend_of", "colleague_of", "partner_of", "neighbour_of"],
  ...["neighbor_of", "cousin_of", "twin_of", "knows", "related_to"],
]);

/** Relations by which one place is part of another: who lives in Oslo lives in Norway too. */
export const CONTAINS: readonly string[] = ["located_in", "part_of", "city_in", "capital_of", "district_of"];

const TO_PLACE = new Set([
  "lives_in",
  "located_in",
  "born_in",
  "visited",
  "travels_to",
  "city_in",
  "capital_of",
]);
const FROM_PLACE = new Set(["city_in", "capital_of", "district_of"]);
const FROM_PERSON = new Set([
  "lives_in",
  "works_at",
  "works_as",
  "born_in",
  "likes",
  "dislikes",
  "owns",
  "visited",
]);
const PEOPLE =
  /^(?:(?:step|half|grand|great|ex)_?)*(?:sister|brother|sibling|mother|father|parent|son|daughter|child|friend|colleague|boss|manager|partner|cousin|aunt|uncle|niece|nephew|neighbou?r|twin|mentor|student|teacher|girlfriend|boyfriend|mother_in_law|father_in_law)_of$|^(?:married_to|engaged_to|knows|reports_to|related_to)$/;

/** A kind of relation as it is kept: snake_case, one word for each kind; empty when it is none. */
export function relationType(type: string): string {
  const snake = type
    .toWellFormed()
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^(?:is|was|used_to)_(?=.)/, "")
    .replace(/^_+|_+$/g, "")
    .slice(0, MAX_TYPE);
  return SAME[snake] ?? snake;
}

/** Whether only one of these holds at a time. */
export function isExclusive(type: string): boolean {
  return EXCLUSIVE.includes(type);
}

/** Whether the relation is the same from both ends. */
export function isSymmetric(type: string): boolean {
  return SYMMETRIC.has(type);
}

/** What stands at the two ends of a kind of relation, where its name tells. */
export function endTypes(type: string): { readonly from: EntityType; readonly to: EntityType } {
  if (FROM_PLACE.has(type)) return { from: "place", to: "place" };
  if (TO_PLACE.has(type)) return { from: FROM_PERSON.has(type) ? "person" : "thing", to: "place" };
  if (PEOPLE.test(type)) return { from: "person", to: "person" };
  return { from: FROM_PERSON.has(type) ? "person" : "thing", to: "thing" };
}
