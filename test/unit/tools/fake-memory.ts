import { failed, success, type Result } from "../../../src/agent/failure.ts";
import type {
  AnyHit,
  Episode,
  MemoryPort,
  MemoryQuery,
  MemorySearch,
} from "../../../src/agent/memory/port.ts";
import type {
  ForgetPreview,
  ForgetWhat,
  Forgotten,
  GraphAnswer,
  GraphQuery,
  Learned,
  Learnt,
  MemoryEdit,
  MemoryRows,
  MemoryTablePage,
  MemoryTableQuery,
  Moment,
  MomentPage,
  MomentQuery,
} from "../../../src/agent/memory/types.ts";

/** A turn that memories are made of in tests. */
export const EPISODE: Episode = {
  id: "0a1b2c3d-0000-4000-8000-000000000001",
  sessionId: "5e55104e-0000-4000-8000-000000000001",
  turnId: "turn-0",
  question: "What did we decide\nabout the cache?",
  answer: "It is written through, with a limit of 64 MB.",
  agent: "conclave",
  respondent: "A",
  model: "m:7b",
  time: new Date(2026, 10, 3, 12).getTime(),
  kind: "turn",
};

/** Nothing of any table. */
export const NONE = { episodes: 0, facts: 0, people: 0, relationships: 0, resources: 0 };

/** Nothing became of what was learnt. */
export const NOTHING_LEARNED: Learned = {
  ...{ added: [], repeated: [], closed: [], rejected: [] },
  entities: 0,
  edges: 0,
};

/** A memory that answers as it is told to, and notes what it is asked. */
export class FakeMemory implements MemoryPort {
  readonly asked: MemoryQuery[] = [];
  readonly askedAll: MemoryQuery[] = [];
  readonly askedGraph: GraphQuery[] = [];
  readonly learnt: Learnt[] = [];
  readonly previewed: ForgetWhat[] = [];
  readonly forgotten: ForgetWhat[] = [];
  answer: MemorySearch = {
    hits: [{ episode: EPISODE, score: 0.8, parts: { text: 0.9, vector: 0.7 } }],
    searched: 41,
  };
  all: readonly AnyHit[] = [];
  told: GraphAnswer = { lines: [], unknown: [] };
  learned: Learned = NOTHING_LEARNED;
  preview: (what: ForgetWhat) => ForgetPreview = () => ({ counts: NONE, samples: [] });
  gone: Forgotten = { removed: 0, counts: NONE, turns: [] };
  readonly savedMoments: Moment[] = [];
  readonly askedMoments: MomentQuery[] = [];
  foundMoments: MomentPage = { moments: [], total: 0 };
  readonly listed: MemoryTableQuery[] = [];
  rows: readonly MemoryRows["facts"][] = [];
  readonly edits: MemoryEdit[] = [];
  down = false;

  search(query: MemoryQuery): Promise<Result<MemorySearch>> {
    this.asked.push(query);
    return this.#give(this.answer);
  }
  searchAll(query: MemoryQuery): Promise<Result<{ readonly hits: readonly AnyHit[] }>> {
    this.askedAll.push(query);
    return this.#give({ hits: this.all });
  }
  learn(learnt: Learnt): Promise<Result<Learned>> {
    this.learnt.push(learnt);
    return this.#give(this.learned);
  }
  graph(query: GraphQuery): Promise<Result<GraphAnswer>> {
    this.askedGraph.push(query);
    return this.#give(this.told);
  }
  previewForget(what: ForgetWhat): Promise<Result<ForgetPreview>> {
    this.previewed.push(what);
    return this.#give(this.preview(what));
  }
  forget(what: ForgetWhat): Promise<Result<Forgotten>> {
    this.forgotten.push(what);
    return this.#give(this.gone);
  }
  add(): Promise<Result<{ readonly added: number }>> {
    return this.#give({ added: 0 });
  }
  annotate(): Promise<Result<{ readonly added: number }>> {
    return this.#give({ added: 0 });
  }
  keep(): Promise<Result<{ readonly kept: number }>> {
    return this.#give({ kept: 0 });
  }
  card() {
    return this.#give({ relationships: [], facts: [], pinned: [], interests: [] });
  }
  saveMoments(moments: readonly Moment[]): Promise<Result<{ readonly saved: number }>> {
    this.savedMoments.push(...moments);
    return this.#give({ saved: moments.length });
  }
  moments(query: MomentQuery): Promise<Result<MomentPage>> {
    this.askedMoments.push(query);
    return this.#give(this.foundMoments);
  }
  list(query: MemoryTableQuery): Promise<Result<MemoryTablePage<never>>> {
    this.listed.push(query);
    return this.#give({ rows: this.rows as never[], total: this.rows.length });
  }
  edit(edit: MemoryEdit) {
    this.edits.push(edit);
    return this.#give({ changed: true });
  }
  exportPage() {
    return this.#give({ lines: [] });
  }
  importLines() {
    return this.#give({ added: 0, known: 0, bad: [] });
  }
  embedding() {
    return this.#give({ changed: false });
  }
  status() {
    return Promise.resolve({ state: "ready" as const });
  }

  #give<T>(value: T): Promise<Result<T>> {
    return Promise.resolve(
      this.down ? failed("memory_unavailable", "Memory is not running.") : success(value),
    );
  }
}
