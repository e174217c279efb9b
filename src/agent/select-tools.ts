import type { ToolProtocol } from "./events.ts";
import { failed, success, type Result } from "./failure.ts";
import type { Lesson } from "./loop-types.ts";
import type { Capability } from "./models/types.ts";
import { nearestName } from "./nearest-name.ts";
import type { ToolSet } from "./tool.ts";

const WEAKER_LAST: readonly ToolProtocol[] = ["native", "constrained", "react", "none"];

/** Tools that write to memory. */
const MEMORY_WRITERS: ReadonlySet<string> = new Set(["save_memory"]);

/** The tools of a private turn: those that would leave something in memory are neither offered nor found. */
export function withoutWriters(tools: ToolSet): ToolSet {
  return {
    schemas: tools.schemas.filter(({ name }) => !MEMORY_WRITERS.has(name)),
    find: (name) => {
      const tool = tools.find(name);
      return tool !== undefined && MEMORY_WRITERS.has(tool.name) ? undefined : tool;
    },
  };
}

/** The tools of a set that are named, in the set's own order; all of them when no names are given. */
export function selectTools(tools: ToolSet, names: readonly string[] | undefined): Result<ToolSet> {
  if (names === undefined) return success(tools);
  const wanted = new Set<string>();
  for (const name of names) {
    const tool = tools.find(name);
    if (tool === undefined) {
      const known = tools.schemas.map((schema) => schema.name);
      const near = nearestName(name, known);
      const hint = near === undefined ? "" : ` Did you mean ${near}?`;
      return failed("bad_input", `There is no tool "${name}" that is on.${hint}`, { target: name });
    }
    wanted.add(tool.name);
  }
  return success({
    schemas: tools.schemas.filter((schema) => wanted.has(schema.name)),
    find: (name) => {
      const tool = tools.find(name);
      return tool !== undefined && wanted.has(tool.name) ? tool : undefined;
    },
  });
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
