import type { EventOf } from "../../agent/events.ts";
import type { Identity } from "../../agent/ids.ts";
import type { PanelMessage } from "../../trace/panel-protocol.ts";
import type { PanelHostDeps } from "./deps.ts";
import type { HostPart } from "./part.ts";

type MessageOf<Type extends PanelMessage["type"]> = Extract<PanelMessage, { readonly type: Type }>;

/** What people judge by in the trace where nobody knows their name. */
const SOMEBODY = "you";

/** Tells what the user thinks of answers, and which grades the user puts right: as events of their turns. */
export class Judgements implements HostPart {
  private readonly deps: Pick<PanelHostDeps, "engine" | "userName">;
  private readonly identity: Identity;

  constructor(deps: Pick<PanelHostDeps, "engine" | "userName">, identity: Identity) {
    this.deps = deps;
    this.identity = identity;
  }

  receive(message: PanelMessage): Promise<void> {
    if (message.type === "feedback") this.feedback(message);
    if (message.type === "grade") this.grade(message);
    return Promise.resolve();
  }

  private feedback({ rating, note, ...place }: MessageOf<"feedback">): void {
    const event: EventOf<"user.feedback"> = {
      ...this.base(place),
      type: "user.feedback",
      data: { rating, ...(note === undefined ? {} : { note }), "conclave.door": "panel" },
    };
    this.deps.engine.publish(event);
  }

  private grade({ score, reason, ...place }: MessageOf<"grade">): void {
    const by = this.deps.userName?.() ?? SOMEBODY;
    const event: EventOf<"critique.corrected"> = {
      ...this.base(place),
      type: "critique.corrected",
      data: { score, reason, "conclave.by": by },
    };
    this.deps.engine.publish(event);
  }

  private base({
    sessionId,
    turnId,
    agentId,
  }: {
    readonly sessionId: string;
    readonly turnId: string;
    readonly agentId?: string;
  }) {
    return {
      id: this.identity.spanId(),
      parentId: agentId ?? turnId,
      time: this.identity.now(),
      ...{ sessionId, turnId },
      agent: "user",
      respondent: "A",
    };
  }
}
