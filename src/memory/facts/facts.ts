import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import type {
  Fact,
  Learnt,
  MemoryCardQuery,
  MemoryEdit,
  MemoryTablePage,
  MemoryTableQuery,
} from "../../agent/memory/types.ts";
import { USER } from "../../agent/memory/types.ts";
import type { EmbeddingSource } from "../embed/embedding-source.ts";
import { nameWords } from "../graph/names.ts";
import type { KnowledgeDeps } from "../knowledge-deps.ts";
import { all, inScopes, isOneOf, literal } from "../store/sql.ts";
import { textFault } from "./bounds.ts";
import { chooseCard, fitOf } from "./choose.ts";
import { editFact } from "./edit-fact.ts";
import { FactStore, put, select } from "./fact-store.ts";
import { ForgottenTurns } from "./forgotten-turns.ts";
import { Interests } from "./interests.ts";
import type { LearnedFacts } from "./learn-facts.ts";
import { learnFacts, sift } from "./learn-facts.ts";
import { FactMeaning, embeddedText, factEmbeddingSource } from "./meaning.ts";
import type { StoredFact } from "./table.ts";
import { FACT_COLUMNS, publicFact, readFacts } from "./table.ts";

/** Facts that a card is chosen from: the latest, the pinned, and those that fit best. */
const CARD_LATEST = 200;
const CARD_PINNED = 50;
const CARD_FITTING = 50;
/** Words that a search is made of. */
const MAX_WORDS = 64;
/** Interests that a card holds. */
const CARD_INTERESTS = 2;

/** How facts are looked for. */
export interface FactSearch {
  readonly limit: number;
  readonly scopes?: readonly string[] | undefined;
  readonly minConfidence: number;
  /** Only of these owners; left out: of all. */
  readonly owners?: readonly string[] | undefined;
  /** Facts that no longer hold are left out. */
  readonly onlyCurrent?: boolean | undefined;
}

/** What is known of the user, of people and of things, sentence by sentence. Nothing here throws. */
export class Facts {
  readonly store: FactStore;
  readonly #deps: KnowledgeDeps;
  readonly #meaning: FactMeaning;
  readonly #interests: Interests;
  readonly #forgotten: ForgottenTurns;

  constructor(deps: KnowledgeDeps) {
    this.#deps = deps;
    this.store = new FactStore(deps.database);
    this.#meaning = new FactMeaning(deps, this.store);
    this.#interests = new Interests(deps);
    this.#forgotten = new ForgottenTurns(deps.database);
  }

  /** The facts as rows that are embedded, also after a switch of models. */
  embeddingSource(): EmbeddingSource {
    return factEmbeddingSource(this.store);
  }

  /**
   * Stores what was learnt from a turn as far as it is to be trusted and new, and moves the agent's interests. Nothing
   * of a turn that was forgotten is stored.
   */
  async learn(learnt: Learnt, signal: AbortSignal): Promise<Result<LearnedFacts>> {
    const { sifted, rejected } = sift(learnt);
    let learned: LearnedFacts = { added: [], repeated: [], closed: [], rejected };
    if (sifted.length > 0) {
      const where = inScopes([...new Set(["", learnt.scope])]);
      const texts = sifted.map(({ proposal }) => embeddedText(proposal));
      const near = await this.#meaning.near(texts, "document", { where }, signal);
      const { now, newId } = this.#deps;
      const done = await this.store.table.change(async (table) => {
        if (await this.#forgotten.has(learnt.source.turnId, signal)) return undefined;
        return learnFacts(table, learnt, sifted, { now: now(), newId, near });
      }, signal);
      if (!done.ok) return done;
      if (done.value === undefined) return success(allRejected(learnt));
      const { outcome, worded } = done.value;
      learned = { ...outcome, rejected: [...rejected, ...outcome.rejected] };
      await this.#meaning.embed(worded, signal);
    }
    if ((learnt.interests ?? []).length > 0) {
      const moved = await this.#interests.learn(learnt, signal);
      if (!moved.ok) return moved;
    }
    return success(learned);
  }

  /** A page of the table of facts. */
  list(query: MemoryTableQuery<"facts">, signal: AbortSignal): Promise<Result<MemoryTablePage<"facts">>> {
    const words = nameWords(query.filter ?? "").map((word) => `contains(search_text, ${literal(word)})`);
    const where = all(
      ...words,
      inScopes(query.scopes),
      query.onlyCurrent === true ? "valid_to IS NULL" : undefined,
    );
    const { column, ascending } = query.sort ?? { column: "updatedAt", ascending: false };
    return this.store.table.read<MemoryTablePage<"facts">>(
      { rows: [], total: 0 },
      async (table) => {
        const total = await table.countRows(where);
        if (query.limit === 0 || query.offset >= total) return { rows: [], total };
        const asked = table.query();
        if (where !== undefined) asked.where(where);
        const rows: unknown[] = await asked
          .orderBy([
            { columnName: COLUMN_OF[column], ascending },
            { columnName: "id", ascending: true },
          ])
          .select(FACT_COLUMNS)
          .limit(query.limit)
          .offset(query.offset)
          .toArray();
        return { rows: readFacts(rows).map(publicFact), total };
      },
      signal,
    );
  }

  /** The user's own change of a fact; `changed` is false when there is no such fact or nothing is different. */
  async edit(
    edit: Extract<MemoryEdit, { table: "facts" }>,
    signal: AbortSignal,
  ): Promise<Result<{ readonly changed: boolean }>> {
    const fault = edit.text === undefined ? undefined : textFault(edit.text);
    if (fault !== undefined) return failed("bad_input", `This can't be a fact: ${fault}.`);
    const done = await this.store.table.change(async (table) => {
      const [fact] = await select(table, isOneOf("id", [edit.id.toLowerCase()]), 1);
      const edited = fact === undefined ? undefined : editFact(fact, edit, this.#deps.now());
      if (edited !== undefined) await put(table, [edited]);
      return fact !== undefined && edited !== undefined ? { fact, edited } : undefined;
    }, signal);
    if (!done.ok) return done;
    if (done.value === undefined) return success({ changed: false });
    const { fact, edited } = done.value;
    if (embeddedText(fact) !== embeddedText(edited)) {
      const dropped = await this.#meaning.drop([edited.id], signal);
      if (!dropped.ok) return dropped;
      await this.#meaning.embed([edited], signal);
    }
    return success({ changed: true });
  }

  /** Facts that fit some words, best first, those that no longer hold among them; scores are 0..1. */
  async search(
    query: string,
    options: FactSearch,
    signal: AbortSignal,
  ): Promise<Result<readonly { readonly fact: Fact; readonly score: number }[]>> {
    const found = await this.#fitting(query, options, signal);
    if (!found.ok) return found;
    const ranked = [...found.value].sort(
      (one, other) => other.score - one.score || (one.fact.id < other.fact.id ? -1 : 1),
    );
    return success(
      ranked.slice(0, options.limit).map(({ fact, score }) => ({ fact: publicFact(fact), score })),
    );
  }

  /** What facts give to a context card. The same store gives the same card. */
  async card(
    { question, agent, scopes, minConfidence, excludeTurnIds, owners: own, facts: wanted }: MemoryCardQuery,
    signal: AbortSignal,
  ): Promise<Result<{ readonly facts: readonly Fact[]; readonly pinned: readonly Fact[] }>> {
    const owners = own ?? [...new Set([USER, agent])];
    const options: FactSearch = { limit: CARD_FITTING, scopes, minConfidence, owners, onlyCurrent: true };
    const where = filterOf(options) ?? "true";
    const latest = await this.store.where(where, CARD_LATEST, signal);
    if (!latest.ok) return latest;
    const pinned = await this.store.where(`(${where}) AND pinned`, CARD_PINNED, signal);
    if (!pinned.ok) return pinned;
    const fitting = await this.#fitting(question, options, signal);
    if (!fitting.ok) return fitting;
    const fit = new Map(fitting.value.map(({ fact, score }) => [fact.id, score]));
    const facts = [...latest.value, ...pinned.value, ...fitting.value.map(({ fact }) => fact)];
    const ranked = [...new Map(facts.map((fact) => [fact.id, fact])).values()].map((fact) => ({
      fact,
      similarity: fit.get(fact.id) ?? 0,
    }));
    const rules = { minConfidence, excludeTurnIds: new Set(excludeTurnIds), ...(wanted && { wanted }) };
    const card = chooseCard(ranked, rules);
    return success({ facts: card.facts.map(publicFact), pinned: card.pinned.map(publicFact) });
  }

  /** What an agent has come to be interested in, the strongest first; scores are 0..1. */
  interests(
    agent: string,
    signal: AbortSignal,
    limit = CARD_INTERESTS,
  ): Promise<Result<readonly { readonly name: string; readonly score: number }[]>> {
    return this.#interests.of(agent, limit, signal);
  }

  async #fitting(
    query: string,
    options: FactSearch,
    signal: AbortSignal,
  ): Promise<Result<readonly { readonly fact: StoredFact; readonly score: number }[]>> {
    const where = filterOf(options);
    const wanted = Math.max(options.limit, 10);
    const words = [...new Set(nameWords(query))].slice(0, MAX_WORDS);
    const text = await this.store.table.matching(words, { limit: wanted, columns: ["id"], where }, signal);
    if (!text.ok && text.failure.code === "cancelled") return text;
    const [cosines] = await this.#meaning.near(
      [query],
      "query",
      { limit: wanted * 2, where: inScopes(options.scopes) },
      signal,
    );
    // Where the one half fails the other still answers.
    if (!text.ok && cosines === undefined) return text;
    const hits = text.ok ? z.array(hitSchema).parse(text.value) : [];
    const fit = fitOf(new Map(hits.map(({ id, _score }) => [id, _score])), cosines);
    const facts = await this.store.byIds([...fit.keys()], signal, where);
    if (!facts.ok) return facts;
    return success(facts.value.map((fact) => ({ fact, score: fit.get(fact.id) ?? 0 })));
  }
}

const hitSchema = z.object({ id: z.string(), _score: z.number() });

const COLUMN_OF = {
  updatedAt: "updated_at",
  text: "text",
  subject: "subject",
  kind: "kind",
  confidence: "confidence",
  owner: "owner",
  validFrom: "valid_from",
  mentions: "mentions",
} as const;

function filterOf({ scopes, minConfidence, owners, onlyCurrent }: FactSearch): string | undefined {
  return all(
    inScopes(scopes),
    `confidence >= ${minConfidence}`,
    owners === undefined ? undefined : isOneOf("owner", owners),
    onlyCurrent === true ? "valid_to IS NULL" : undefined,
  );
}

function allRejected(learnt: Learnt): LearnedFacts {
  const rejected = learnt.facts.map(({ text }) => ({ text, reason: "its turn was forgotten" }));
  return { added: [], repeated: [], closed: [], rejected };
}
