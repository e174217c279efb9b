import type { VNode } from "preact";
import type { Failure, FailureAction } from "../../agent/failure.ts";
import type { WarningCode } from "../../agent/events.ts";
import type { WarningCell } from "../../trace/cells.ts";
import type { TurnModel } from "../../trace/model.ts";
import { actionLabel } from "../actions.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";

/** What a warning is about, in a word or two: all that its line needs when it is folded. */
const WORDS: Readonly<Record<WarningCode, string>> = {
  step_limit: "step limit",
  repeated_call: "repeated call",
  token_budget: "token budget",
  protocol_changed: "other protocol",
  context_cut: "cut to fit",
  context_changed: "other context",
  answer_cut: "answer cut",
  references_cut: "files cut",
  memory_unavailable: "no memory",
  format_broken: "broken format",
  web_off: "web is off",
  retried: "asked again",
  runaway: "ran on",
  agent_unknown: "unknown agent",
  tool_unknown: "unknown tool",
  agent_failed: "agent failed",
  committee_too_small: "small committee",
  no_synthesis: "no synthesis",
  stopped_early: "stopped early",
  output_invalid: "invalid output",
  chained_tool: "chained tool",
  delegation_refused: "not delegated",
  prompt_truncated: "prompt cut",
};

/** What can be done about a warning. */
const MENDS: Readonly<Partial<Record<WarningCode, readonly [action: FailureAction, target?: string]>>> = {
  web_off: ["enable_web"],
  agent_unknown: ["open_agent"],
  tool_unknown: ["open_agent"],
  committee_too_small: ["open_agent"],
  step_limit: ["open_settings", "conclave.maxSteps"],
  token_budget: ["open_settings", "conclave.tokenBudget"],
  answer_cut: ["open_settings", "conclave.maxOutputTokens"],
  context_changed: ["open_settings", "conclave.contextLength"],
  prompt_truncated: ["open_settings", "conclave.contextLength"],
  memory_unavailable: ["check_setup"],
};

/** Warnings that are about what a model was sent: that is a step away. */
const ABOUT_THE_PROMPT: ReadonlySet<WarningCode> = new Set([
  "context_cut",
  "references_cut",
  "prompt_truncated",
  "context_changed",
]);

/** What a warning is about, in a word or two; those of newer versions by their code. */
export function warningWord({ code }: WarningCell): string {
  return Object.hasOwn(WORDS, code) ? WORDS[code] : code;
}

/** The warning as a failure with the action that mends it, as the buttons take it; undefined where nothing does. */
function mendOf(cell: WarningCell, agent: string): Failure | undefined {
  const mend = Object.hasOwn(MENDS, cell.code) ? MENDS[cell.code] : undefined;
  if (mend === undefined) return undefined;
  const [action, target] = mend;
  // The agent that a warning is of has the line in its file; one that no file has can't be opened.
  const named = action === "open_agent" && cell.code === "tool_unknown" ? agent : target;
  return { code: "bad_input", message: cell.message, action, ...(named !== undefined && { target: named }) };
}

/** The request that a warning is about: that of its step, else the first that came after it. */
function promptOf(turn: TurnModel, cell: WarningCell): string | undefined {
  const above = cell.parentId === null ? undefined : turn.cells.get(cell.parentId);
  const near = above?.kind === "step" ? above.children : [...turn.cells.keys()];
  return near.find((id) => turn.cells.get(id)?.kind === "model");
}

/** What to know, and what can be done about it. */
export function Warning(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: WarningCell;
}): VNode {
  const { store, turn, cell } = props;
  const mend = store.readOnly ? undefined : mendOf(cell, cell.agent);
  const prompt = ABOUT_THE_PROMPT.has(cell.code) ? promptOf(turn, cell) : undefined;
  return (
    <div class="warning">
      <span>
        <span class="tone-warning">Warning</span> {cell.message}
      </span>
      {mend === undefined ? null : (
        <button type="button" class="secondary" onClick={() => store.act(mend)}>
          {actionLabel(mend)}
        </button>
      )}
      {prompt === undefined ? null : (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            store.fold(prompt, true);
            store.goTo(prompt);
          }}
        >
          <Icon name="json" /> What the model saw
        </button>
      )}
      <RetrySynthesis store={store} turn={turn} cell={cell} />
    </div>
  );
}

function RetrySynthesis(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly cell: WarningCell;
}): VNode | null {
  const { store, turn, cell } = props;
  const { sessionId, turnId } = turn;
  if (cell.code !== "no_synthesis" || turn.status === "running" || store.readOnly) return null;
  return (
    <button
      type="button"
      class="secondary"
      title="Nobody is asked again: what was said is summed up once more"
      disabled={store.asking !== undefined}
      onClick={() => store.send({ type: "retry_synthesis", sessionId, turnId })}
    >
      Retry synthesis
    </button>
  );
}
