import type { Json, JsonObject } from "../../../agent/models/types.ts";
import { isAfterwards } from "../../afterwards.ts";
import { OTHER } from "../../respondent.ts";

/** Where an event stands. */
export interface Place {
  readonly id: string;
  readonly parentId: string | null;
  readonly time: number;
  readonly stepId?: string | undefined;
  readonly agent?: string | undefined;
  readonly respondent?: string | undefined;
}

/** Gathers the events of a turn, not checked yet, in the order in which a log holds them. */
export class Teller {
  readonly sessionId: string;
  readonly turnId: string;
  /** Who answers: for events that don't say. */
  agent = "agent";
  private readonly during: JsonObject[] = [];
  private readonly afterwards: JsonObject[] = [];
  private made = 0;

  constructor(sessionId: string, turnId: string) {
    this.sessionId = sessionId;
    this.turnId = turnId;
  }

  /** Adds an event. */
  tell(type: string, { id, parentId, time, stepId, agent, respondent }: Place, data: Json): void {
    const event: JsonObject = {
      ...{ id, parentId, time, sessionId: this.sessionId, turnId: this.turnId },
      ...(stepId === undefined ? {} : { stepId }),
      agent: agent ?? this.agent,
      respondent: respondent ?? "A",
      type,
      data,
    };
    const isAfter = isAfterwards(type) || respondent === OTHER;
    (isAfter ? this.afterwards : this.during).push(event);
  }

  /** An id that nothing in the turn has yet. */
  newId(): string {
    this.made += 1;
    return `${this.turnId}-${this.made}`;
  }

  /** All that was told, the end of the turn last but for what came after it. */
  all(): readonly JsonObject[] {
    return [...this.during, ...this.afterwards];
  }
}
