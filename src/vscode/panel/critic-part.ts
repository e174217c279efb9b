import type { Critic } from "../../agent/critic/critic.ts";
import type { CriticJob } from "../../agent/critic/jobs.ts";
import type { CriticSettings } from "../../agent/critic/settings.ts";
import type { Failure, Result } from "../../agent/failure.ts";
import type { CriticHostMessage, CriticJobView } from "../../trace/panel-critic.ts";
import type { PanelMessage } from "../../trace/panel-protocol.ts";
import type { HostPart } from "./part.ts";

/** The critic as the panel knows it. */
export interface PanelCritic {
  readonly critic: Pick<Critic, "grade" | "compare" | "view" | "judge" | "onChange">;
  readonly settings: () => CriticSettings;
  /** Names of the rubrics there are. */
  readonly rubrics: () => readonly string[];
  /** Takes respondent B's answer to the question of a turn. */
  take(turn: { readonly sessionId: string; readonly turnId: string }): Promise<Result<unknown>>;
}

/** Asks the critic for what the panel wants, and tells the panel what it is at. */
export class CriticPart implements HostPart {
  private readonly critic: PanelCritic | undefined;
  private readonly post: (message: CriticHostMessage) => void;
  private readonly notice: (problem: Failure) => void;
  private readonly stop: () => void;
  private isAwake = false;
  private isTold = false;

  /**
   * @param critic undefined: there is none here, such as for a trace from a file
   * @param notice says why something was not done
   */
  constructor(
    critic: PanelCritic | undefined,
    post: (message: CriticHostMessage) => void,
    notice: (problem: Failure) => void,
  ) {
    this.critic = critic;
    this.post = post;
    this.notice = notice;
    this.stop = critic?.critic.onChange(() => this.soon()) ?? (() => undefined);
  }

  async receive(message: PanelMessage): Promise<void> {
    const { critic } = this;
    if (critic === undefined) return;
    switch (message.type) {
      case "critic.grade": {
        const { sessionId, turnId, agentId, rubric, reference } = message;
        const about = {
          ...(agentId !== undefined && { agentId }),
          ...(rubric !== undefined && { rubric }),
          ...(reference !== undefined && { reference }),
        };
        this.say(await critic.critic.grade({ sessionId, turnId, ...about }));
        return;
      }
      case "critic.compare": {
        const { sessionId, turnId, model, agent, temperature } = message;
        const who = {
          ...(model !== undefined && { model }),
          ...(agent !== undefined && { agent }),
          ...(temperature !== undefined && { temperature }),
        };
        this.say(await critic.critic.compare({ sessionId, turnId, ...who }));
        return;
      }
      case "critic.take": {
        const { sessionId, turnId } = message;
        this.say(await critic.take({ sessionId, turnId }));
        return;
      }
      default:
    }
  }

  wake(): void {
    this.isAwake = true;
    this.tell();
  }

  sleep(): void {
    this.isAwake = false;
  }

  dispose(): void {
    this.stop();
  }

  private say(done: Result<unknown>): void {
    if (!done.ok) this.notice(done.failure);
  }

  /** Many changes of one moment are told once. */
  private soon(): void {
    if (!this.isAwake || this.isTold) return;
    this.isTold = true;
    queueMicrotask(() => {
      this.isTold = false;
      this.tell();
    });
  }

  private tell(): void {
    const { critic } = this;
    if (critic === undefined || !this.isAwake) return;
    const { mode, shadow } = critic.settings();
    const { running, waiting, dropped } = critic.critic.view();
    this.post({
      type: "critic.state",
      state: {
        ...{ mode, shadow, dropped },
        judge: critic.critic.judge(),
        rubrics: critic.rubrics(),
        running: running && viewOf(running),
        waiting: waiting.map(viewOf),
      },
    });
  }
}

function viewOf(job: CriticJob): CriticJobView {
  const { kind, sessionId, turnId, askedBy } = job;
  const agentId = job.kind === "grade" ? job.agentId : undefined;
  return { kind, sessionId, turnId, askedBy, ...(agentId !== undefined && { agentId }) };
}
