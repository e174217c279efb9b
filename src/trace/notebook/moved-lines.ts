import { jsonForLog } from "../bounded.ts";
import { parseLine } from "../parse-line.ts";

/** Lines of a turn as they stand in the log of another session; what is no event stays as it is. */
export function movedLines(lines: readonly string[], sessionId: string): readonly string[] {
  return lines.map((line) => {
    const event = parseLine(line);
    return event === undefined ? line : jsonForLog({ ...event, sessionId });
  });
}
