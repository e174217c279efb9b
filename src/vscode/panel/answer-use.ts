import type { ImplicitSign } from "../../agent/events-judged.ts";
import type { Identity } from "../../agent/ids.ts";
import type { PanelMessage } from "../../trace/panel-protocol.ts";
import type { PanelHostDeps } from "./deps.ts";
import type { HostPart } from "./part.ts";

/** Copies answers and puts their code into files, and lets it tell what the user thinks of them. */
export class AnswerUse implements HostPart {
  private readonly deps: Pick<PanelHostDeps, "engine" | "answers">;
  private readonly identity: Identity;

  constructor(deps: Pick<PanelHostDeps, "engine" | "answers">, identity: Identity) {
    this.deps = deps;
    this.identity = identity;
  }

  async receive(message: PanelMessage): Promise<void> {
    const { answers } = this.deps;
    if (message.type !== "use" || answers === undefined) return;
    const { how, text } = message;
    if (text !== undefined) {
      if (how === "copied") await answers.copy(text);
      else if (!(await answers.insert(text))) return;
    }
    if (answers.concludes()) this.tell(message, how);
  }

  private tell(place: { readonly sessionId: string; readonly turnId: string }, sign: ImplicitSign): void {
    const { sessionId, turnId } = place;
    this.deps.engine.publish({
      type: "user.feedback",
      ...{ id: this.identity.spanId(), parentId: turnId, time: this.identity.now(), sessionId, turnId },
      ...{ agent: "user", respondent: "A" },
      data: { rating: "up", "conclave.door": "panel", "conclave.implicit": sign },
    });
  }
}
