import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Learned, MemoryEdit, MemoryTableQuery } from "../../agent/memory/types.ts";
import { embedEdited } from "../embed/embed-edited.ts";
import { editEpisode, episodesPage } from "./episode-rows.ts";
import type { Method, Params } from "./params.ts";
import type { Parts } from "./parts.ts";
import type { Values } from "./values.ts";

/** Answers one kind of request, whose parameters are checked already. */
export type Handler<M extends Method> = (
  params: Params<M>,
  signal: AbortSignal,
) => Promise<Result<Values[M]>>;

/** What answers each kind of request. */
export type Handlers = { readonly [M in Method]: Handler<M> };

/** What answers the requests that need nothing but the parts of memory. */
export function partHandlers(
  parts: Parts,
): Omit<Handlers, "search" | "searchAll" | "add" | "embedding" | "embed" | "status"> {
  const { annotations, graph, resources, moments, forgetting, transfer } = parts;
  return {
    annotate: async (params, signal) => {
      const kept = await notForgotten(parts, params.annotations, ({ episodeId }) => episodeId, signal);
      if (!kept.ok) return kept;
      const added = await annotations.append(kept.value, signal);
      if (!added.ok) return added;
      const edited = kept.value.filter(({ kind }) => kind === "edit").map(({ episodeId }) => episodeId);
      const embedded = edited.length === 0 ? success(undefined) : await embedEdited(parts, edited, signal);
      return embedded.ok ? success({ added: added.value.size }) : embedded;
    },
    learn: (learnt, signal) => learn(parts, learnt, signal),
    keep: async (params, signal) => {
      const kept = await notForgotten(parts, params.resources, ({ turnId }) => turnId, signal);
      return kept.ok ? resources.keep(kept.value, signal) : kept;
    },
    saveMoments: (params, signal) => moments.save(params.moments, signal),
    moments: (query, signal) => moments.find(query, signal),
    graph: (query, signal) => graph.answer(query, signal),
    card: (query, signal) => card(parts, query, signal),
    list: (query, signal) => list(parts, query, signal),
    edit: (change, signal) => edit(parts, change, signal),
    previewForget: (what, signal) => forgetting.preview(what, signal),
    forget: (what, signal) => forgetting.forget(what, signal),
    exportPage: ({ cursor }, signal) => transfer.exportPage(cursor, signal),
    importLines: async ({ lines }, signal) => {
      const imported = await transfer.importLines(lines, signal);
      if (!imported.ok || imported.value.added === 0) return imported;
      const united = await graph.unite(signal);
      return united.ok ? imported : united;
    },
  };
}

/** Those that don't belong to what was forgotten meanwhile. */
async function notForgotten<T>(
  { forgetting }: Parts,
  rows: readonly T[],
  idOf: (row: T) => string,
  signal: AbortSignal,
): Promise<Result<readonly T[]>> {
  const gone = await forgetting.forgotten(rows.map(idOf), signal);
  return gone.ok ? success(rows.filter((row) => !gone.value.has(idOf(row)))) : gone;
}

const NOTHING: Learned = { added: [], repeated: [], closed: [], rejected: [], entities: 0, edges: 0 };

/** First who and what there is, then what holds of them. */
async function learn(
  { facts, graph, forgetting }: Parts,
  learnt: Params<"learn">,
  signal: AbortSignal,
): Promise<Result<Learned>> {
  const { turnId } = learnt.source;
  const gone = await forgetting.forgotten([turnId], signal);
  if (!gone.ok) return gone;
  if (gone.value.has(turnId)) return success(NOTHING);
  const linked = await graph.learn(learnt, signal);
  if (!linked.ok) return linked;
  const told = await facts.learn(learnt, signal);
  return told.ok ? success({ ...told.value, ...linked.value }) : told;
}

async function card(
  { facts, graph }: Parts,
  query: Params<"card">,
  signal: AbortSignal,
): Promise<Result<Values["card"]>> {
  const { agent, question, scopes } = query;
  const [told, relationships, interests] = await Promise.all([
    facts.card(query, signal),
    graph.of(agent, question, scopes, signal),
    facts.interests(agent, signal),
  ]);
  if (!told.ok) return told;
  if (!relationships.ok) return relationships;
  if (!interests.ok) return interests;
  return success({
    ...told.value,
    relationships: relationships.value,
    interests: interests.value.slice(0, 2),
  });
}

function list(parts: Parts, query: MemoryTableQuery, signal: AbortSignal): Promise<Result<Values["list"]>> {
  switch (query.table) {
    case "episodes":
      return episodesPage(parts, query as MemoryTableQuery<"episodes">, signal);
    case "facts":
      return parts.facts.list(query as MemoryTableQuery<"facts">, signal);
    case "people":
      return parts.graph.people(query as MemoryTableQuery<"people">, signal);
    case "relationships":
      return parts.graph.relationships(query as MemoryTableQuery<"relationships">, signal);
    case "resources":
      return parts.resources.list(query as MemoryTableQuery<"resources">, signal);
    case "moments":
      return parts.moments.list(query as MemoryTableQuery<"moments">, signal);
  }
}

function edit(parts: Parts, change: MemoryEdit, signal: AbortSignal): Promise<Result<Values["edit"]>> {
  switch (change.table) {
    case "episodes":
      return editEpisode(parts, change, signal);
    case "facts":
      return parts.facts.edit(change, signal);
    case "people":
    case "relationships":
      return parts.graph.edit(change, signal);
    case "moments":
      return parts.moments.edit(change, signal);
  }
}
