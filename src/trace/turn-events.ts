import type { TurnEvent, TurnEventType } from "../agent/events.ts";
import type { TurnEventsPort } from "../agent/reward/rewards.ts";
import { parseEvent } from "./event-schema.ts";
import type { TraceLog } from "./log.ts";
import { parseLine } from "./parse-line.ts";

/** Lets single turns be read from the log by the types of their events; other lines are not even parsed. */
export function turnEventsOf(log: Pick<TraceLog, "flush" | "lines">): TurnEventsPort {
  return {
    turnEvents: async ({ sessionId, turnId }, types, signal) => {
      await log.flush();
      const signs = [...types].map((type) => `"${type}"`);
      const events: TurnEvent[] = [];
      for await (const line of log.lines(sessionId)) {
        if (signal.aborted) break;
        const event = line.includes(turnId) && signs.some((sign) => line.includes(sign)) && eventIn(line);
        if (event && event.turnId === turnId && isOneOf(types, event)) events.push(event);
      }
      return events;
    },
  };
}

function isOneOf(types: ReadonlySet<TurnEventType>, { type }: TurnEvent): boolean {
  return types.has(type);
}

function eventIn(line: string): TurnEvent | undefined {
  const value = parseLine(line);
  const parsed = value && parseEvent(value);
  return parsed !== undefined && "event" in parsed ? parsed.event : undefined;
}
