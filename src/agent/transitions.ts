import type { AgentState, AgentTrigger } from "./events.ts";

/**
 * Where each trigger leads from each state. `fail` leads to `idle` from anywhere and is not listed. One message's
 * calls are dispatched (checked), waited for, and answered together.
 */
const TRANSITIONS: { readonly [from in AgentState]: { readonly [trigger in AgentTrigger]?: AgentState } } = {
  idle: { receive_query: "receiving" },
  receiving: { start_generation: "generating" },
  generating: { dispatch_tool: "dispatching_tool", finish: "publishing" },
  dispatching_tool: { dispatch_tool: "waiting_for_tool", tool_result: "generating" },
  waiting_for_tool: { tool_result: "generating", tool_timeout: "generating" },
  publishing: { finish: "idle" },
};

/** A trigger that its state does not allow: a bug of ours, never of the model's. */
export class IllegalTransition extends Error {
  readonly from: AgentState;
  readonly trigger: AgentTrigger;

  constructor(from: AgentState, trigger: AgentTrigger) {
    super(`an agent that is ${from} can't ${trigger}`);
    this.name = "IllegalTransition";
    this.from = from;
    this.trigger = trigger;
  }
}

/** The state that a trigger leads to. Throws `IllegalTransition` when there is none. */
export function nextState(from: AgentState, trigger: AgentTrigger): AgentState {
  if (trigger === "fail") return "idle";
  const to = TRANSITIONS[from][trigger];
  if (to === undefined) throw new IllegalTransition(from, trigger);
  return to;
}

/** An agent's state over a turn. */
export interface AgentMachine {
  state(): AgentState;
  /** Moves on and tells of it. Throws `IllegalTransition`. */
  fire(trigger: AgentTrigger): void;
}

/** A machine in state `idle`; `onChange` hears every legal change. */
export function createAgentMachine(
  onChange: (from: AgentState, to: AgentState, trigger: AgentTrigger) => void,
): AgentMachine {
  let state: AgentState = "idle";
  return {
    state: () => state,
    fire: (trigger) => {
      const from = state;
      state = nextState(from, trigger);
      onChange(from, state, trigger);
    },
  };
}
