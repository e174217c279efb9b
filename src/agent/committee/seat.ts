import type { AgentDefinition } from "../agents/definition.ts";
import type { SourcedText } from "../message-parts.ts";
import { oncePer } from "../once-per.ts";
import { readyInSpareTime } from "../spare-time.ts";
import { namedTools, restrictTools } from "../select-tools.ts";
import type { ToolSet } from "../tool.ts";
import type { TurnInput } from "../turn-types.ts";
import type { Cast, Member } from "./cast.ts";
import { ownPart, toolsPart } from "./words.ts";

/** What a member brings to each of its speeches. */
export interface Seat {
  /** The tools that all are told of; those that it may not use refuse. */
  readonly tools: ToolSet;
  /** Its own instruction, and what its file says of its tools. */
  readonly own: readonly SourcedText[];
}

/**
 * The seats of a committee: each is made once, while the first answer is awaited or when its member speaks before that.
 * `shared`: see `sharedTools`.
 */
export function seatsOf(
  { tools }: TurnInput,
  shared: ToolSet,
  { members, synthesizer }: Cast,
): (member: Member) => Seat {
  const seats = oncePer((member: Member): Seat =>
    seatOf(member, namesOf(member.definition.tools ?? tools.schemas), shared),
  );
  readyInSpareTime(() => [...members, synthesizer].forEach(seats));
  return seats;
}

function seatOf({ definition, name }: Member, allowed: readonly string[], shared: ToolSet): Seat {
  return {
    tools: restrictTools(shared, allowed, name),
    own: [
      { source: "persona", text: ownPart(name, definition.prompt), small: definition.prompt },
      { source: "persona", text: ownTools(definition, shared) },
    ],
  };
}

/**
 * The tools that all speakers of a committee are told of: what any of them may use, in the turn's own order. Those that
 * are only for who names them stand at the end.
 */
export function sharedTools({ tools }: TurnInput, { members, synthesizer }: Cast): ToolSet {
  const lists = [...members, synthesizer].map(({ definition }) => definition.tools);
  const free = lists.includes(undefined) ? namesOf(tools.schemas) : [];
  return namedTools(tools, [...free, ...lists.flatMap((list) => namesOf(list ?? []))]);
}

/** The names of tools in the files of all speakers: whatever is left out for want of room, it is none of these. */
export function namedBySpeakers({ members, synthesizer }: Cast): readonly string[] {
  const lists = [...members, synthesizer].map(({ definition }) => definition.tools);
  return [...new Set(lists.flatMap((list) => namesOf(list ?? [])))];
}

function namesOf(list: readonly { readonly name: string }[]): readonly string[] {
  return list.map(({ name }) => name);
}

/** What a member's file says of its tools: the list that all share tells of them in their own words. */
function ownTools({ tools: listed = [] }: AgentDefinition, tools: ToolSet): string {
  const described = listed.flatMap(({ name, description }) => {
    const tool = tools.find(name);
    return tool === undefined || description === undefined ? [] : [{ name: tool.name, description }];
  });
  return toolsPart(described);
}
