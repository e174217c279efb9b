import type { AgentDefinition } from "../../../agent/agents/definition.ts";
import type { CaseFields, CaseTurn } from "./schema.ts";

/** A page as it is served. */
export interface ServedPage {
  readonly body: string;
  readonly type: string;
  readonly status: number;
  /** Milliseconds until it is sent. */
  readonly delay: number;
}

/** A case, ready to be run: a question by itself has become a dialogue of one turn, files have been read. */
export interface EvalCase extends Omit<CaseFields, SingleTurn | "dialogue" | "agents" | "pages"> {
  /** Path of its file, as it was asked for. */
  readonly file: string;
  readonly dialogue: readonly CaseTurn[];
  readonly agents: readonly AgentDefinition[];
  /** By their paths, from `/`. */
  readonly pages: ReadonlyMap<string, ServedPage>;
}

/** A case's fields, checked, with files that are yet to be read. */
export type CheckedFields = Omit<CaseFields, SingleTurn | "dialogue"> & Pick<EvalCase, "dialogue">;

/** Fields that are short for a dialogue of one turn. */
type SingleTurn = "question" | "expect" | "reference" | "then";

/** Where the files beside a case are read; gives their text, or in a sentence why not. */
export type ReadBeside = (name: string) => Promise<string | { readonly problem: string }>;
