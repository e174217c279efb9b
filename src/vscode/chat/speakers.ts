import type { AgentRole, TurnEvent } from "../../agent/events.ts";
import { isAnswering } from "../../trace/fold-model.ts";
import { agentName } from "../../trace/model.ts";

/** Who speaks in a turn. */
export interface Speaker {
  readonly name: string;
  /** Absent where it answers the turn alone. */
  readonly role?: AgentRole;
  readonly model: string;
}

/** Tells which agent an event of a turn belongs to. Give it every event, in order. */
export class Speakers {
  readonly #by = new Map<string, Speaker>();

  /** Takes the next event, and says whose it is; undefined where it belongs to no agent. */
  of(event: TurnEvent): Speaker | undefined {
    if (event.type === "agent.start") {
      const role = event.data["conclave.role"];
      const model = event.data["gen_ai.request.model"];
      const sample = event.data["conclave.sample"];
      const name = agentName({ agent: event.agent, ...(sample !== undefined && { sample }) });
      const speaker = { name, model, ...(role !== undefined && { role }) };
      this.#by.set(event.id, speaker);
      return speaker;
    }
    const above = [event.id, event.stepId, event.parentId].find((id) => id != null && this.#by.has(id));
    const speaker = above == null ? undefined : this.#by.get(above);
    if (speaker !== undefined && event.type === "step.start") this.#by.set(event.id, speaker);
    return speaker;
  }
}

/** Whether what an agent says is the turn's answer; an event of no agent's is taken for one's that answers alone. */
export function answers(speaker: Speaker | undefined): boolean {
  return speaker === undefined || isAnswering(speaker);
}
