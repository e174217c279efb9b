import type { RunningTurn } from "../../agent/engine-port.ts";
import { failure, type Failure, type Result } from "../../agent/failure.ts";
import type { Identity } from "../../agent/ids.ts";
import { tipOf } from "../../trace/fork/branches.ts";
import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";
import { askForSynthesis } from "../synthesis.ts";
import type { PanelHostDeps } from "./deps.ts";
import type { HostPart } from "./part.ts";

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
export class PanelAsks implements HostPart {
  private readonly host: PanelAsksDeps;

  constructor(host: PanelAsksDeps) {
    this.host = host;
  }

  async receive(message: PanelMessage): Promise<void> {
    switch (message.type) {
      case "ask": {
        await this.ask(message);
        return;
      }
      case "retry_synthesis": {
        await this.retrySynthesis(message);
        return;
      }
      case "restore_context": {
        await this.restore(message);
        return;
      }
      default:
        // The other parts' messages.
        return;
    }
  }

  /** Asks a question, of the committee where it is on. */
  private async ask({ question, sessionId, after }: MessageOf<"ask">): Promise<void> {
    const { engine, toggles } = this.host.deps;
    const parentTurnId = sessionId === null ? undefined : await this.branch(sessionId, after);
    await this.begun(
      await engine.ask({
        question,
        door: "panel",
        ...(sessionId === null ? {} : { sessionId }),
        ...(parentTurnId === undefined ? {} : { parentTurnId }),
        ...(toggles.get().committee ? { options: { committee: {} } } : {}),
      }),
    );
  }

  /** The end of the branch that the user looks at, where that is not the newest one. */
  private async branch(sessionId: string, after: string | undefined): Promise<string | undefined> {
    if (after === undefined) return undefined;
    const rows = await this.host.deps.log.rows(sessionId);
    if (!rows.ok || !rows.value.some(({ turnId }) => turnId === after)) return undefined;
    const tip = tipOf(rows.value, after);
    return tip === rows.value.at(-1)?.turnId ? undefined : tip;
  }

  /** Has what a committee said summed up once more. */
  private async retrySynthesis(turn: MessageOf<"retry_synthesis">): Promise<void> {
    await this.begun(await askForSynthesis(this.host.deps, turn, "panel"));
  }

  /** Takes back the summary of a session's earlier turns. */
  private async restore({ sessionId }: MessageOf<"restore_context">): Promise<void> {
    const restored = await this.host.deps.engine.restoreContext?.(sessionId);
    if (restored?.ok === true && restored.value) return;
    const none = failure("bad_input", "No summary stands in the place of earlier turns any more.");
    this.host.notice(restored?.ok === false ? restored.failure : none, false);
  }

  /** Shows a turn that was asked for here, or why it was not taken. */
  async begun(asked: Result<RunningTurn>): Promise<void> {
    if (!asked.ok) {
      this.host.notice(asked.failure, true);
      return;
    }
    const { sessionId, turnId } = asked.value;
    this.host.post({ type: "asked", sessionId, turnId });
    await this.host.select(sessionId, turnId);
  }
}
