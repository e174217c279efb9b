import type { RunningTurn } from "../../agent/engine-port.ts";
import { failure, type Failure, type Result } from "../../agent/failure.ts";
import type { Identity } from "../../agent/ids.ts";
import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";
import { askForSynthesis } from "../synthesis.ts";
import type { PanelHostDeps } from "./deps.ts";

type MessageOf<Type extends PanelMessage["type"]> = Extract<PanelMessage, { readonly type: Type }>;

/** What asking from the panel needs of its host. */
export interface PanelAsksDeps {
  readonly deps: PanelHostDeps;
  readonly identity: Identity;
  readonly post: (message: HostMessage) => void;
  readonly notice: (problem: Failure, asked: boolean) => void;
  /** Shows a turn from its beginning. */
  readonly select: (sessionId: string, turnId: string) => Promise<void>;
}

/** What the user asks of the engine by way of the panel. */
export class PanelAsks {
  private readonly host: PanelAsksDeps;

  constructor(host: PanelAsksDeps) {
    this.host = host;
  }

  /** Asks a question, of the committee where it is on. */
  async ask({ question, sessionId }: MessageOf<"ask">): Promise<void> {
    const { engine, toggles } = this.host.deps;
    await this.begun(
      await engine.ask({
        question,
        door: "panel",
        ...(sessionId === null ? {} : { sessionId }),
        ...(toggles.get().committee ? { options: { committee: {} } } : {}),
      }),
    );
  }

  /** Has what a committee said summed up once more. */
  async retrySynthesis(turn: MessageOf<"retry_synthesis">): Promise<void> {
    await this.begun(await askForSynthesis(this.host.deps, turn, "panel"));
  }

  /** Takes back the summary of a session's earlier turns. */
  async restore({ sessionId }: MessageOf<"restore_context">): Promise<void> {
    const restored = await this.host.deps.engine.restoreContext?.(sessionId);
    if (restored?.ok === true && restored.value) return;
    const none = failure("bad_input", "No summary stands in the place of earlier turns any more.");
    this.host.notice(restored?.ok === false ? restored.failure : none, false);
  }

  /** Tells what the user thinks of an answer. */
  feedback({ sessionId, turnId, rating }: MessageOf<"feedback">): void {
    const { deps, identity } = this.host;
    deps.engine.publish({
      type: "user.feedback",
      id: identity.spanId(),
      parentId: turnId,
      time: identity.now(),
      ...{ sessionId, turnId },
      agent: "user",
      respondent: "A",
      data: { rating, "conclave.door": "panel" },
    });
  }

  /** Shows a turn that was asked for here, or why it was not taken. */
  private async begun(asked: Result<RunningTurn>): Promise<void> {
    if (!asked.ok) {
      this.host.notice(asked.failure, true);
      return;
    }
    const { sessionId, turnId } = asked.value;
    this.host.post({ type: "asked", sessionId, turnId });
    await this.host.select(sessionId, turnId);
  }
}
