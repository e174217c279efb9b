import type { TurnEvent } from "../agent/events.ts";
import { jsonForLog } from "./bounded.ts";

/** Lists of tools in JSON: all agents of a turn are told of the same one. */
const lists = new WeakMap<object, string>();

/** How the data of an event begin in its line; a text holds no such quotes, so that the first place is the right one. */
const DATA = '"data":{';

/** An event as its line in the log, without the line feed: `jsonForLog` of it. */
export function eventLine(event: TurnEvent): string {
  // What was forgotten of an event may stand there as a text.
  if (event.type !== "tool.schema" || !Array.isArray(event.data.tools)) return jsonForLog(event);
  const { tools, ...more } = event.data;
  const known = lists.get(tools);
  const list = known ?? jsonForLog(tools, 2);
  if (known === undefined) lists.set(tools, list);
  const line = jsonForLog({ ...event, data: more });
  const at = line.indexOf(DATA) + DATA.length;
  return `${line.slice(0, at)}"tools":${list},${line.slice(at)}`;
}
