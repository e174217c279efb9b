/** What memory takes and gives, by what it is for. */
export * from "./memory-knowledge.ts";
export * from "./memory-learnt.ts";
export * from "./memory-moments.ts";
export * from "./memory-asked.ts";
export * from "./memory-tables.ts";
export * from "./memory-forget.ts";
