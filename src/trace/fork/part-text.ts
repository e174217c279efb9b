import type { ForkPart } from "../../agent/events-fork.ts";
import type { EventOf, TurnEvent, TurnEventType } from "../../agent/events.ts";
import { questionTail, takeApart } from "../../agent/fork/kept-prompt.ts";

/**
 * The text of a part of a turn as it was, exactly: what a user starts from who changes it. Undefined where the turn has no
 * such part, or its events don't tell.
 */
export function partText(
  events: readonly TurnEvent[],
  part: ForkPart,
  eventId: string | undefined,
): string | undefined {
  const find = <Type extends TurnEventType>(type: Type): EventOf<Type> | undefined =>
    events.find(
      (event): event is EventOf<Type> =>
        event.type === type && (eventId === undefined || event.id === eventId),
    );
  switch (part) {
    case "question":
      return events.find((event): event is EventOf<"query.received"> => event.type === "query.received")?.data
        .query;
    case "tool_result":
      return find("tool.result")?.data.result;
    case "tool_arguments": {
      const request = find("tool.request");
      return request && JSON.stringify(request.data.arguments, null, 2);
    }
    case "answer":
      return events.find(
        (event): event is EventOf<"response.generation"> =>
          event.type === "response.generation" && event.parentId === eventId,
      )?.data.answer;
    default: {
      const request = find("model.start");
      return request && promptText(part, request);
    }
  }
}

function promptText(
  part: "system" | "recalled" | "tail",
  request: EventOf<"model.start">,
): string | undefined {
  const taken = takeApart(request.data["conclave.messages"]);
  if (taken === undefined) return undefined;
  if (part === "system") return taken.system.content;
  return part === "recalled" ? (taken.recalled?.content ?? "") : questionTail(taken.question);
}
