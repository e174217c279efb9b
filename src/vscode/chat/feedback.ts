import type { UserFeedback } from "../../agent/events-judged.ts";
import type { Services } from "../services.ts";
import { readMetadata } from "./conversation.ts";

/** Publishes thumbs up or down as an event of its turn; false, and nothing, of a result that no turn made. */
export function publishFeedback(
  services: Pick<Services, "engine" | "identity">,
  metadata: unknown,
  rating: "up" | "down",
): boolean {
  const place = readMetadata(metadata);
  if (place?.turnId === undefined || place.sessionId === undefined) return false;
  const event: UserFeedback = {
    type: "user.feedback",
    id: services.identity.spanId(),
    parentId: place.turnId,
    time: services.identity.now(),
    sessionId: place.sessionId,
    turnId: place.turnId,
    agent: "user",
    respondent: "A",
    data: { rating, "conclave.door": "chat" },
  };
  services.engine.publish(event);
  return true;
}
