import { z } from "zod";
import type { AgentDefinition } from "./agents/definition.ts";
import type { ToolProtocol } from "./events.ts";
import { failed, failure, success, type Result } from "./failure.ts";
import type { Lesson } from "./loop/types.ts";
import type { Capability, ToolSchema } from "./models/types.ts";
import { nearestName } from "./nearest-name.ts";
import { sameList } from "./same-list.ts";
import type { Tool, ToolSet } from "./tool.ts";

const WEAKER_LAST: readonly ToolProtocol[] = ["native", "constrained", "react", "none"];

/** Tools that write to memory. */
const MEMORY_WRITERS: ReadonlySet<string> = new Set([
  "save_memory",
  "save_moments",
  "remind_me",
  "update_user_metadata",
]);

/** The tools of a private turn: those that would leave something in memory are neither offered nor found. */
export function withoutWriters(tools: ToolSet): ToolSet {
  return keepTools(tools, (name) => !MEMORY_WRITERS.has(name));
}

/** Of some tools, those whose own names are wanted. */
export function keepTools(tools: ToolSet, isWanted: (name: string) => boolean): ToolSet {
  const keep = (schemas: readonly ToolSchema[]) => sameList(schemas.filter(({ name }) => isWanted(name)));
  return {
    schemas: keep(tools.schemas),
    ...(tools.byName && { byName: keep(tools.byName) }),
    find: (name) => {
      const tool = tools.find(name);
      return tool !== undefined && isWanted(tool.name) ? tool : undefined;
    },
  };
}

/**
 * The tools of a set that are named, by name or alias, in the set's own order and with those that are only for who names
 * them at the end. Unknown names are left out.
 */
export function namedTools(tools: ToolSet, names: readonly string[]): ToolSet {
  const wanted = new Set(names.map((name) => tools.find(name)?.name));
  const kept = keepTools(tools, (name) => wanted.has(name));
  return { schemas: sameList([...kept.schemas, ...(kept.byName ?? [])]), find: (name) => kept.find(name) };
}

/** The tools of a set that are named, in the set's own order; all of them when no names are given. */
export function selectTools(tools: ToolSet, names: readonly string[] | undefined): Result<ToolSet> {
  if (names === undefined) return success(tools);
  const [unknown] = unknownTools(tools, names);
  if (unknown !== undefined) {
    const { name, near } = unknown;
    const hint = near === undefined ? "" : ` Did you mean ${near}?`;
    return failed("bad_input", `There is no tool "${name}" that is on.${hint}`, { target: name });
  }
  return success(namedTools(tools, names));
}

/**
 * The tools that an agent has by its file, in the set's own order and with the file's descriptions; when its file names
 * none, all that don't have to be named. An empty list gives none, unknown names are left out (`unknownTools`).
 */
export function agentTools(tools: ToolSet, definition: Pick<AgentDefinition, "tools"> | undefined): ToolSet {
  const listed = definition?.tools;
  if (listed === undefined) {
    const hidden = new Set(tools.byName?.map(({ name }) => name));
    return hidden.size === 0 ? tools : keepTools(tools, (name) => !hidden.has(name));
  }
  const descriptions = new Map(listed.map(({ name, description }) => [tools.find(name)?.name, description]));
  const names = listed.map(({ name }) => name);
  const named = namedTools(tools, names);
  const described = named.schemas.map((schema) => {
    const description = descriptions.get(schema.name) ?? schema.description;
    return description === schema.description ? schema : { ...schema, description };
  });
  return { schemas: sameList(described), find: (name) => named.find(name) };
}

/** A tool that is named and that there is not. */
export interface UnknownTool {
  readonly name: string;
  /** The most similar name that there is. */
  readonly near?: string;
}

/** Which of the named tools there are not. */
export function unknownTools(tools: ToolSet, names: readonly string[]): readonly UnknownTool[] {
  const known = [...tools.schemas, ...(tools.byName ?? [])].map(({ name }) => name);
  const missing = names.filter((name) => tools.find(name) === undefined);
  return missing.map((name) => {
    const near = nearestName(name, known);
    return { name, ...(near !== undefined && { near }) };
  });
}

/**
 * The same tools, told of in the same words and order, of which an agent may use only some: a call of another one is
 * refused with a sentence. So all speakers of a turn share one prompt up to their own words. `allowed`: names; left
 * out: all of them.
 */
export function restrictTools(
  tools: ToolSet,
  allowed: readonly string[] | undefined,
  agentName: string,
): ToolSet {
  if (allowed === undefined) return tools;
  const mayUse = new Set(allowed.map((name) => tools.find(name)?.name));
  const names = tools.schemas.map(({ name }) => name).filter((name) => mayUse.has(name));
  if (names.length === tools.schemas.length && tools.byName === undefined) return tools;
  return {
    schemas: tools.schemas,
    find: (name) => {
      const tool = tools.find(name);
      return tool === undefined || mayUse.has(tool.name) ? tool : refusing(tool, names, agentName);
    },
  };
}

/** A stand-in that does nothing but say that its caller may not use the tool, whatever the arguments are. */
function refusing(
  { name, description, timeoutMs }: Tool,
  allowed: readonly string[],
  agentName: string,
): Tool {
  const instead = allowed.length === 0 ? "Answer without tools." : `It may use: ${allowed.join(", ")}.`;
  const message = `${agentName} may not use ${name}. ${instead}`;
  return {
    name,
    description,
    parameters: z.unknown(),
    readOnly: true,
    timeoutMs,
    run: () => Promise.resolve({ ok: false, failure: failure("bad_input", message), retryable: false }),
  };
}

/**
 * How tools are offered: as the setting says, else natively to a model that can and constrained to one that can't; no
 * better than what the server's errors taught. Without tools there is nothing to offer.
 */
export function chooseProtocol(
  setting: ToolProtocol | "auto",
  capabilities: readonly Capability[] | undefined,
  lesson: Lesson,
  tools: ToolSet,
): ToolProtocol {
  if (tools.schemas.length === 0) return "none";
  const able = capabilities === undefined || capabilities.includes("tools");
  const wanted = setting === "auto" ? (able ? "native" : "constrained") : setting;
  const learned = lesson.protocol ?? wanted;
  return WEAKER_LAST.indexOf(learned) > WEAKER_LAST.indexOf(wanted) ? learned : wanted;
}
