import { success } from "../../../src/agent/failure.ts";
import type { MemoryPort } from "../../../src/agent/memory/port.ts";
import type { ForgetCounts, Learned } from "../../../src/agent/memory/types.ts";

/** What became of a turn that taught nothing. */
export const NOTHING_LEARNED: Learned = {
  added: [],
  repeated: [],
  closed: [],
  rejected: [],
  entities: 0,
  edges: 0,
};

const NO_COUNTS: ForgetCounts = {
  episodes: 0,
  facts: 0,
  people: 0,
  relationships: 0,
  resources: 0,
};

/** A memory that holds nothing and takes everything, but for what `part` does instead. */
export function emptyMemory(part: Partial<MemoryPort> = {}): MemoryPort {
  return {
    search: () => Promise.resolve(success({ hits: [], searched: 0 })),
    searchAll: () => Promise.resolve(success({ hits: [] })),
    add: (episodes) => Promise.resolve(success({ added: episodes.length })),
    annotate: (annotations) => Promise.resolve(success({ added: annotations.length })),
    learn: () => Promise.resolve(success(NOTHING_LEARNED)),
    keep: (resources) => Promise.resolve(success({ kept: resources.length })),
    saveMoments: (moments) => Promise.resolve(success({ saved: moments.length })),
    moments: () => Promise.resolve(success({ moments: [], total: 0 })),
    graph: () => Promise.resolve(success({ lines: [], unknown: [] })),
    card: () => Promise.resolve(success({ relationships: [], facts: [], pinned: [], interests: [] })),
    list: () => Promise.resolve(success({ rows: [], total: 0 })),
    edit: () => Promise.resolve(success({ changed: false })),
    previewForget: () => Promise.resolve(success({ counts: NO_COUNTS, samples: [] })),
    forget: () => Promise.resolve(success({ removed: 0, counts: NO_COUNTS, turns: [] })),
    exportPage: () => Promise.resolve(success({ lines: [] })),
    importLines: () => Promise.resolve(success({ added: 0, known: 0, bad: [] })),
    embedding: () => Promise.resolve(success({ changed: false })),
    status: () => Promise.resolve({ state: "ready" }),
    ...part,
  };
}
