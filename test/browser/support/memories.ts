import type {
  Entity,
  EpisodeRow,
  Fact,
  Moment,
  Relationship,
  Resource,
} from "../../../src/agent/memory/types.ts";
import type { PanelBed } from "../../unit/trace/support/panel-bed.ts";
import type { PanelPage } from "./panel-page.ts";

const HOUR = 3_600_000;
const SESSION = "00000000-0000-4000-8000-00000000aaaa";

function id(kind: number, index: number): string {
  return `00000000-0000-4000-8${String(kind).padStart(3, "0")}-${String(index).padStart(12, "0")}`;
}

const ASKED = [
  [
    "What did we decide about the cache?",
    "LRU in process, ten minutes, no Redis for now: latency stays under 2 ms.",
  ],
  ["Which boat lies at the pier?", "The red one; the blue one is in the shed since March."],
  ["Is the migration reversible?", "Yes, as long as nobody writes to the new column before Friday."],
  ["Summarise the changes since the last release", "Twelve fixes, two new settings, one breaking change."],
  [
    "Why is the staging database read-only?",
    "So that nobody tests against it by mistake; ask Mira for a copy.",
  ],
] as const;

/** Episodes, the newest first, an hour apart. */
export function episodes(count: number, now = Date.now()): EpisodeRow[] {
  return Array.from({ length: count }, (_, index) => {
    const [question, answer] = ASKED[index % ASKED.length]!;
    return {
      id: id(1, index),
      sessionId: SESSION,
      turnId: `turn-${index}`,
      question: index < ASKED.length ? question : `${question} (${index})`,
      answer,
      agent: "conclave",
      respondent: index % 7 === 3 ? "B" : "A",
      model: "qwen3:8b",
      time: now - index * HOUR * 5 - 120_000,
      kind: "turn",
      intent: "fact",
      entities: ["cache", "Redis"],
      sources: [{ uri: "https://docs.example.org/cache", title: "Cache invalidation" }],
      notes: {
        ...(index % 3 === 2 ? {} : { score: 5 - (index % 4) }),
        sentiment: (["neutral", "positive", "negative"] as const)[index % 3]!,
        ...(index % 7 === 3 ? { verdict: "winner" } : {}),
        ...(index % 9 === 1 ? { pinned: true } : {}),
      },
    };
  });
}

const FACTS = [
  ["Mira owns the staging database", "Mira", "fact", 0.9],
  ["The user likes short answers", "user", "preference", 0.85],
  ["The cache holds entries for ten minutes", "cache", "fact", 0.8],
  ["One node serves all requests", "cache", "fact", 0.55],
  ["Mira is the sister of Jonas", "Mira", "relationship", 0.7],
  ["The release is on 4 December 2026", "release", "event", 0.65],
] as const;

/** Facts; every fourth no longer holds. */
export function facts(count: number, now = Date.now()): Fact[] {
  return Array.from({ length: count }, (_, index) => {
    const [text, subject, kind, confidence] = FACTS[index % FACTS.length]!;
    return {
      id: id(2, index),
      kind,
      text: index < FACTS.length ? text : `${text} (${index})`,
      subject,
      confidence,
      owner: "user",
      scope: index % 2 === 0 ? "here" : "",
      validFrom: now - 40 * 24 * HOUR,
      validTo: index % 4 === 3 ? now - 24 * HOUR : null,
      eventFrom: null,
      eventTo: null,
      mentions: 1 + (index % 3),
      pinned: index === 1,
      by: "model",
      source: { sessionId: SESSION, turnId: `turn-${index}`, time: now - HOUR },
      quote: "we keep it for ten minutes",
      createdAt: now - 40 * 24 * HOUR,
      updatedAt: now - index * 3 * HOUR,
    };
  });
}

/** People, places, projects and things. */
export function people(now = Date.now()): Entity[] {
  const names = [
    ["Mira", "person", ["Mira K."]],
    ["Jonas", "person", []],
    ["Lisbon", "place", ["Lisboa"]],
    ["Conclave", "project", []],
    ["Redis", "thing", []],
  ] as const;
  return names.map(([name, type, aliases], index) => ({
    id: id(3, index),
    name,
    type,
    aliases: [...aliases],
    scope: "",
    mentions: 9 - index,
    pinned: index === 0,
    createdAt: now - 30 * 24 * HOUR,
    updatedAt: now - index * 26 * HOUR,
  }));
}

/** Who has to do with whom and what. */
export function relationships(now = Date.now()): Relationship[] {
  const edges = [
    ["Mira", "sister_of", "Jonas", 0.7, null],
    ["Jonas", "lives_in", "Lisbon", 0.85, null],
    ["Conclave", "uses", "Redis", 0.4, now - 5 * 24 * HOUR],
  ] as const;
  return edges.map(([from, type, to, strength, validTo], index) => ({
    id: id(4, index),
    from,
    to,
    fromId: id(3, index),
    toId: id(3, index + 1),
    type,
    text: `${from} ${type.replaceAll("_", " ")} ${to}`,
    strength,
    validFrom: now - 90 * 24 * HOUR,
    validTo,
    owner: "user",
    scope: "",
    source: { sessionId: SESSION, turnId: `turn-${index}`, time: now - HOUR },
    mentions: 2,
    updatedAt: now - index * 50 * HOUR,
  }));
}

/** Pages and files. */
export function resources(now = Date.now()): Resource[] {
  return ["Cache invalidation", "Release notes 0.4", "Using the store from two windows"].map(
    (title, index) => ({
      id: id(5, index),
      uri: `https://docs.example.org/pages/${index}`,
      title,
      text: "Entries are dropped when the row they were made from changes.\n".repeat(8),
      scope: "",
      sessionId: SESSION,
      turnId: `turn-${index}`,
      indexedAt: now - index * 30 * HOUR,
    }),
  );
}

const KEPT = [
  ["The cache stays in process", "We looked at Redis and decided against it: one node, ten minutes, LRU."],
  ["The red boat moved to the north pier", "It lies there until the shed is painted."],
  ["The staging database was handed over", "The harbour office has the keys since then."],
] as const;

/** Moments, the latest first, a day and a half apart; every third lasts two days. */
export function moments(count: number, now = Date.now()): Moment[] {
  return Array.from({ length: count }, (_, index) => {
    const [title, text] = KEPT[index % KEPT.length]!;
    const from = now - index * 36 * HOUR - 48 * HOUR;
    return {
      id: id(6, index),
      title: index < KEPT.length ? title : `${title} (${index})`,
      text,
      from,
      to: index % 3 === 1 ? from + 48 * HOUR : from,
      scope: index % 2 === 0 ? "here" : "",
      agent: index % 3 === 2 ? "Dreaming" : "conclave",
      source: { sessionId: SESSION, turnId: `turn-${index}`, time: from + HOUR },
      turns: [{ sessionId: SESSION, turnId: `turn-${index + 1}` }],
      ...(index === 1 && { pinned: true }),
    };
  });
}

/** A memory with something in every table. */
export function withMemories(bed: PanelBed, howMany = 60): void {
  bed.memory.rows = {
    episodes: episodes(howMany),
    facts: facts(24),
    people: people(),
    relationships: relationships(),
    resources: resources(),
    moments: moments(6),
  };
}

/** Opens the memory view, and waits until its first rows are drawn. */
export async function openMemory(panel: PanelPage): Promise<void> {
  await panel.page.getByRole("button", { name: "Memory", exact: true }).click();
  await panel.page.locator(".memory-row .main").first().waitFor();
}
