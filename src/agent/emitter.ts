import type { AgentTrigger, EventOf, EventSink, TurnEvent, TurnEventType, WarningCode } from "./events.ts";
import { repeated } from "./fork/repeat.ts";
import type { Identity } from "./ids.ts";
import type { JsonObject } from "./models/types.ts";
import { createAgentMachine } from "./transitions.ts";

/** What all events of one agent in one turn have in common. */
export interface Origin {
  readonly sessionId: string;
  readonly turnId: string;
  readonly agent: string;
  readonly respondent: string;
}

/** Where an event stands; without an id it gets a new one. */
export interface Place {
  readonly id?: string;
  readonly parentId: string | null;
  readonly stepId?: string;
  /** In a fork: the event that this repeats. */
  readonly replays?: string;
}

/** Makes and sends the events of one agent in one turn, and keeps its state machine. */
export interface Emitter {
  readonly origin: Origin;
  /** The id of the agent's span: the parent of its steps. */
  readonly agentId: string;
  /** Sends an event; gives its id. */
  emit<Type extends TurnEventType>(type: Type, place: Place, data: EventOf<Type>["data"]): string;
  /** Moves the agent's state machine, which is an event too. Throws `IllegalTransition`. */
  fire(trigger: AgentTrigger): void;
  warn(code: WarningCode, message: string, detail?: JsonObject, stepId?: string): void;
  /** Sends events of another turn once more; `ids` holds the new ids of what they stand under, and takes up theirs. */
  repeat(events: readonly TurnEvent[], ids: Map<string, string>): void;
}

/** An emitter whose events go to `sink`. */
export function createEmitter(origin: Origin, identity: Identity, sink: EventSink): Emitter {
  const { sessionId, turnId, agent, respondent } = origin;
  const agentId = identity.spanId();

  const emit: Emitter["emit"] = (type, place, data) => {
    const { id = identity.spanId(), parentId, stepId, replays } = place;
    const time = identity.now();
    const step = stepId === undefined ? undefined : { stepId };
    const again = replays === undefined ? undefined : { replays };
    const event = { type, id, parentId, time, sessionId, turnId, ...step, agent, respondent, ...again, data };
    // The compiler can't see that `type` and `data` belong together; the signature of `emit` makes sure of it.
    sink(event as unknown as TurnEvent);
    return id;
  };

  const machine = createAgentMachine((from, to, trigger) => {
    emit("agent.transition", { parentId: agentId }, { from, to, trigger });
  });

  return {
    origin,
    agentId,
    emit,
    fire: (trigger) => machine.fire(trigger),
    warn: (code, message, detail, stepId) => {
      const place = stepId === undefined ? { parentId: agentId } : { parentId: stepId, stepId };
      emit("warning", place, { code, message, ...(detail && { detail }) });
    },
    repeat: (events, ids) => {
      for (const event of repeated(events, ids, origin, identity)) sink(event);
    },
  };
}
