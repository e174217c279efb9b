import { isAlias, isMap, isScalar, isSeq, type Document } from "yaml";
import type { Json } from "../models/types.ts";
import { rangeOf } from "./yaml-faults.ts";

/** Most values that a file may hold, those that references stand for counted each time. */
const MAX_VALUES = 5_000;
/** How deep lists and fields may be nested. */
const MAX_DEPTH = 40;

/** The way to a value: names of fields and places in lists. */
export type Path = readonly (string | number)[];

/** Offsets in the text that was read. */
export type Range = readonly [from: number, to: number];

/** What stands twice, too deep, or without end. */
export interface TreeFault {
  readonly range: Range;
  readonly message: string;
}

/** The fields of a file as plain values, and where each of them stands. */
export interface Tree {
  /** Texts, lists and objects; where values have types numbers, truth values and nulls too. A field without a value is left out. */
  readonly value: Json | undefined;
  readonly faults: readonly TreeFault[];
  /** Where a value stands. */
  valueAt(path: Path): Range | undefined;
  /** Where the name of a field stands. */
  keyAt(path: Path): Range | undefined;
  /** Fields that stand there without a value. */
  readonly empty: readonly Path[];
}

/** Tells where values have types; everything else in a file is text as it was written. */
export type Typed = (path: Path) => boolean;

/** Where values of JSON Schema stand in agent files. */
export const SCHEMA_VALUES: Typed = ([field]) => field === "properties";

/** Takes the values out of a document that was read with the core schema. Bounded, whatever references unfold to. Never throws. */
export function treeOf(document: Document, typed: Typed = SCHEMA_VALUES): Tree {
  return new Walk(document, typed);
}

class Walk implements Tree {
  readonly value: Json | undefined;
  readonly faults: TreeFault[] = [];
  readonly empty: Path[] = [];
  readonly #document: Document;
  readonly #typed: Typed;
  readonly #values = new Map<string, Range>();
  readonly #keys = new Map<string, Range>();
  #left = MAX_VALUES;
  #endless = false;

  constructor(document: Document, typed: Typed) {
    this.#document = document;
    this.#typed = typed;
    this.value = this.#read(document.contents, []);
  }

  valueAt(path: Path): Range | undefined {
    return this.#values.get(keyOf(path));
  }

  keyAt(path: Path): Range | undefined {
    return this.#keys.get(keyOf(path));
  }

  #read(node: unknown, path: Path): Json | undefined {
    const range = rangeOf(node);
    if (range) this.#values.set(keyOf(path), range);
    this.#left -= 1;
    if (this.#left < 0 || path.length > MAX_DEPTH) {
      this.#tooMuch(range ?? [0, 0]);
      return undefined;
    }
    if (isAlias(node)) return this.#read(node.resolve(this.#document), path);
    if (isSeq(node)) return this.#list(node.items, path);
    if (isMap(node)) return this.#fields(node.items, path);
    if (!isScalar(node)) return undefined;
    const { value, source = "", type } = node;
    if (this.#typed(path)) return withType(value, source);
    if (value === null || value === undefined) return undefined;
    return type === "PLAIN" || typeof value !== "string" ? source : value;
  }

  #list(items: readonly unknown[], path: Path): Json {
    const list: Json[] = [];
    for (const [at, item] of items.entries()) {
      if (this.#endless) break;
      list.push(this.#read(item, [...path, at]) ?? null);
    }
    return list;
  }

  #fields(items: readonly { readonly key: unknown; readonly value: unknown }[], path: Path): Json {
    const fields = new Map<string, Json>();
    const seen = new Set<string>();
    for (const { key, value } of items) {
      if (this.#endless) break;
      const keyRange = rangeOf(key) ?? [0, 0];
      if (!isScalar(key)) {
        this.faults.push({ range: keyRange, message: "A field's name must be a word." });
        continue;
      }
      const name = key.type === "PLAIN" ? (key.source ?? String(key.value)) : String(key.value);
      const inner = [...path, name];
      if (seen.has(name)) {
        const message = `The field \`${shown(name)}\` is there twice. Leave only one of them.`;
        this.faults.push({ range: keyRange, message });
        continue;
      }
      seen.add(name);
      this.#keys.set(keyOf(inner), keyRange);
      const read = this.#read(value, inner);
      if (read === undefined) this.empty.push(inner);
      else fields.set(name, read);
    }
    // Not by assignment: a field named `__proto__` is a field like any other.
    return Object.fromEntries(fields);
  }

  #tooMuch(range: Range): void {
    if (!this.#endless) {
      const message = `The file holds too much: at most ${MAX_VALUES} values, and ${MAX_DEPTH} levels deep. References are counted with what they stand for.`;
      this.faults.push({ range, message });
    }
    this.#endless = true;
  }
}

/** A name as it may stand in a message: on one line, cut. */
export function shown(name: string): string {
  const line = name.replace(/\s+/gu, " ");
  return line.length > 60 ? `${line.slice(0, 57).toWellFormed()}...` : line;
}

function keyOf(path: Path): string {
  return path.map(String).join("\u0000");
}

function withType(value: unknown, source: string): Json {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? value : source;
}
