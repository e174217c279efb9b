import type { RunningTurn } from "../../agent/engine-port.ts";
import { failed, success, type Result } from "../../agent/failure.ts";
import { makeFork } from "../../trace/fork/make-fork.ts";
import { partText } from "../../trace/fork/part-text.ts";
import { readTurn, type TurnRef } from "../../trace/fork/read-turn.ts";
import { LONGEST_EDIT } from "../../trace/panel-fork.ts";
import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";
import type { PanelHostDeps } from "./deps.ts";
import type { HostPart } from "./part.ts";

type MessageOf<Type extends PanelMessage["type"]> = Extract<PanelMessage, { readonly type: Type }>;

/** Models whose names are told; more are no choice. */
const MAX_MODELS = 200;

/** What branching off in the panel needs of its host. */
export interface ForkHostDeps {
  readonly deps: Pick<PanelHostDeps, "engine" | "log" | "source" | "models">;
  readonly post: (message: HostMessage) => void;
  /** Shows a turn that was asked for here, or why it was not taken. */
  readonly begun: (asked: Result<RunningTurn>) => Promise<void>;
}

/** Branches off turns for the panel, and gives it the texts that a user may change. */
export class ForkHost implements HostPart {
  private readonly host: ForkHostDeps;

  constructor(host: ForkHostDeps) {
    this.host = host;
  }

  async receive(message: PanelMessage): Promise<void> {
    if (message.type === "fork") await this.host.begun(await this.fork(message));
    if (message.type === "fork_text") await this.tell(message);
    if (message.type === "models") await this.models();
  }

  private async fork({
    sessionId,
    turnId,
    eventId,
    edits,
    options,
  }: MessageOf<"fork">): Promise<Result<RunningTurn>> {
    const { log, engine } = this.host.deps;
    const refused = this.refused({ sessionId, turnId });
    if (refused !== undefined) return refused;
    const at = eventId === undefined ? {} : { eventId };
    const made = await makeFork(log, { sessionId, turnId, ...at, edits, options }, "panel");
    return made.ok ? await engine.ask(made.value) : made;
  }

  /** Why nothing may branch off a turn now. */
  private refused({ sessionId, turnId }: TurnRef): Result<never> | undefined {
    const { engine, source } = this.host.deps;
    if (source !== undefined)
      return failed("bad_input", "This turn is shown from a file. Import it to branch off it.");
    if (engine.running(sessionId)?.turnId !== turnId) return undefined;
    return failed("session_busy", "This turn still runs. Wait for its end, or stop it, to branch off it.", {
      action: "cancel_running",
      target: sessionId,
    });
  }

  private async tell({ request, sessionId, turnId, part, eventId }: MessageOf<"fork_text">): Promise<void> {
    const read = await readTurn(this.host.deps.log, { sessionId, turnId });
    const found = read.ok ? editable(partText(read.value, part, eventId)) : read;
    this.host.post(
      found.ok
        ? { type: "fork_text", request, text: found.value }
        : { type: "fork_text", request, text: null, failure: found.failure },
    );
  }

  private async models(): Promise<void> {
    const names = (await this.host.deps.models?.()) ?? [];
    this.host.post({ type: "models", names: names.slice(0, MAX_MODELS) });
  }
}

/** A text of a turn as it may be changed, or why it may not. */
function editable(text: string | undefined): Result<string> {
  if (text === undefined)
    return failed("bad_input", "The trace does not hold this text, so it can't be changed.");
  if (text.length <= LONGEST_EDIT) return success(text);
  const limit = LONGEST_EDIT.toLocaleString("en");
  return failed(
    "bad_input",
    `This text is longer than ${limit} characters, which is too long to be changed here.`,
  );
}
