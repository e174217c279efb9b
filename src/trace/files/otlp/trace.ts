import { createHash } from "node:crypto";
import type { JsonObject } from "../../../agent/models/types.ts";
import { ATTRIBUTES as A, OPERATIONS } from "../../export/otlp/names.ts";
import type { Span } from "./span.ts";
import { text } from "./values.ts";

/** What a span is, as far as we tell of it. */
export type Operation = (typeof OPERATIONS)[keyof typeof OPERATIONS] | undefined;

const KNOWN: ReadonlySet<string> = new Set(Object.values(OPERATIONS));
/** Names of the operation in older writers, by ours. */
const OTHER_NAMES: Readonly<Record<string, Operation>> = {
  text_completion: OPERATIONS.chat,
  generate_content: OPERATIONS.chat,
  create_agent: undefined,
};

/** What a span says that it is, by its attribute, else by the first word of its name. */
export function operationOf(span: Span): Operation {
  const said = text(span.attributes, A.operation) ?? span.name.split(" ", 1)[0] ?? "";
  if (KNOWN.has(said)) return said as Operation;
  return Object.hasOwn(OTHER_NAMES, said) ? OTHER_NAMES[said] : undefined;
}

/** The spans of one trace as a tree; each child stands once, whatever the file says. */
export class SpanTree {
  readonly roots: readonly Span[];
  private readonly children = new Map<string, Span[]>();

  constructor(spans: readonly Span[]) {
    const byId = new Map<string, Span>();
    for (const span of spans) if (!byId.has(span.id)) byId.set(span.id, span);
    const roots: Span[] = [];
    for (const span of byId.values()) {
      const { parentId } = span;
      if (parentId === null || !byId.has(parentId) || isItsOwnAncestor(span, byId)) roots.push(span);
      else this.listOf(parentId).push(span);
    }
    for (const list of this.children.values()) list.sort(byTime);
    this.roots = roots.sort(byTime);
  }

  private listOf(parentId: string): Span[] {
    const list = this.children.get(parentId) ?? [];
    this.children.set(parentId, list);
    return list;
  }

  /** What happened under a span, in order. */
  under(span: Span): readonly Span[] {
    return this.children.get(span.id) ?? [];
  }
}

function byTime(one: Span, other: Span): number {
  return one.start - other.start;
}

/** Spans that name each other as parents would never end. */
function isItsOwnAncestor(span: Span, byId: ReadonlyMap<string, Span>): boolean {
  const seen = new Set<string>([span.id]);
  let above = span.parentId;
  while (above !== null) {
    if (seen.has(above)) return above === span.id;
    seen.add(above);
    above = byId.get(above)?.parentId ?? null;
  }
  return false;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A session's id for a conversation: its own where it is one, else one made of it. */
export function sessionIdOf(conversation: string): string {
  if (UUID.test(conversation)) return conversation.toLowerCase();
  const hex = createHash("sha256").update(conversation).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What went wrong in a span; undefined when nothing did. */
export function failureOf({ attributes, failed }: Span): JsonObject | undefined {
  const code = text(attributes, A.errorType);
  if (failed === undefined && code === undefined) return undefined;
  return {
    code: code ?? "internal",
    message: failed === undefined || failed === "" ? (code ?? "failed") : failed,
  };
}
