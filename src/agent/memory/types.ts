/** What memory takes and gives, by what it is for. */
export * from "./knowledge.ts";
export * from "./learnt.ts";
export * from "./moments.ts";
export * from "./asked.ts";
export * from "./tables.ts";
export * from "./forget.ts";
