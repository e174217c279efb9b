import assert from "node:assert/strict";
import type { AgentState, AgentTrigger } from "../../../src/agent/events.ts";
import { createAgentMachine, IllegalTransition, nextState } from "../../../src/agent/transitions.ts";

const STATES: readonly AgentState[] = [
  "idle",
  "receiving",
  "generating",
  "dispatching_tool",
  "waiting_for_tool",
  "publishing",
];
const TRIGGERS: readonly AgentTrigger[] = [
  "receive_query",
  "start_generation",
  "dispatch_tool",
  "tool_result",
  "tool_timeout",
  "finish",
];
const LEGAL = [
  "idle receive_query receiving",
  "receiving start_generation generating",
  "generating dispatch_tool dispatching_tool",
  "generating finish publishing",
  "dispatching_tool dispatch_tool waiting_for_tool",
  "dispatching_tool tool_result generating",
  "waiting_for_tool tool_result generating",
  "waiting_for_tool tool_timeout generating",
  "publishing finish idle",
];

describe("the state machine of an agent", () => {
  it("allows exactly the transitions of its table", () => {
    const found: string[] = [];
    for (const from of STATES) {
      for (const trigger of TRIGGERS) {
        try {
          found.push(`${from} ${trigger} ${nextState(from, trigger)}`);
        } catch (error) {
          assert.ok(error instanceof IllegalTransition);
          assert.deepEqual([error.from, error.trigger], [from, trigger]);
        }
      }
    }
    assert.deepEqual(found.sort(), [...LEGAL].sort());
  });

  it("can fail from any state, and is idle then", () => {
    for (const from of STATES) assert.equal(nextState(from, "fail"), "idle");
  });

  it("tells of each change, and stays where it is when a trigger is illegal", () => {
    const changes: string[] = [];
    const machine = createAgentMachine((from, to, trigger) => changes.push(`${from} ${trigger} ${to}`));
    machine.fire("receive_query");
    assert.throws(() => machine.fire("tool_result"), IllegalTransition);
    assert.equal(machine.state(), "receiving");
    assert.deepEqual(changes, ["idle receive_query receiving"]);
  });
});
