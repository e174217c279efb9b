import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";
import type { CriticState } from "../../trace/panel-critic.ts";
import type { Judged } from "./thumbs.tsx";

/** How a judgement of an answer stands that was asked for: at work, or how many are made before it. */
export type Asked = "running" | number;

/** Turns of which memory was asked to take the second answer that are kept in mind. */
const MAX_TAKEN = 500;

/** What the critic of this window is at, and what the panel asks of it. */
export class CriticQueue {
  /** Undefined where there is no critic to ask, as in a file that is only read. */
  state: CriticState | undefined;
  /** Counts the changes, so that a view knows when to draw again. */
  revision = 0;
  private readonly taken = new Set<string>();
  private readonly send: (message: PanelMessage) => void;

  constructor(send: (message: PanelMessage) => void) {
    this.send = send;
  }

  receive(message: HostMessage): void {
    if (message.type !== "critic.state") return;
    this.revision += 1;
    this.state = message.state;
  }

  /** How the grade, or the comparison, of an answer stands; undefined: nobody waits for one. */
  asked(kind: "grade" | "compare", { turnId, agentId }: Judged): Asked | undefined {
    const { running = null, waiting = [] } = this.state ?? {};
    const isIt = (job: (typeof waiting)[number]) =>
      job.kind === kind && job.turnId === turnId && (kind === "compare" || job.agentId === agentId);
    if (running !== null && isIt(running)) return "running";
    const at = waiting.findIndex(isIt);
    return at < 0 ? undefined : at + (running === null ? 0 : 1);
  }

  /** What is empty is as usual. */
  grade(
    { sessionId, turnId, agentId }: Judged,
    by: { readonly rubric?: string; readonly reference?: string } = {},
  ): void {
    const { rubric = "" } = by;
    const reference = by.reference?.trim() ?? "";
    this.send({
      type: "critic.grade",
      ...{ sessionId, turnId },
      ...(agentId !== undefined && { agentId }),
      ...(rubric !== "" && { rubric }),
      ...(reference !== "" && { reference }),
    });
  }

  /** What is empty is as it was for the answer that there is. */
  compareWith(
    { sessionId, turnId }: Judged,
    other: { readonly model: string; readonly agent: string; readonly temperature: number | undefined },
  ): void {
    const { temperature } = other;
    const [model, agent] = [other.model.trim(), other.agent.trim()];
    this.send({
      type: "critic.compare",
      ...{ sessionId, turnId },
      ...(model !== "" && { model }),
      ...(agent !== "" && { agent }),
      ...(temperature !== undefined && { temperature }),
    });
  }

  /** Asks for the second answer to be recalled from then on; the window says what becomes of it. */
  take({ sessionId, turnId }: Judged): void {
    this.send({ type: "critic.take", sessionId, turnId });
    this.revision += 1;
    this.taken.add(turnId);
    if (this.taken.size > MAX_TAKEN) this.taken.delete(this.taken.values().next().value ?? "");
  }

  isTaken(turnId: string): boolean {
    return this.taken.has(turnId);
  }
}
