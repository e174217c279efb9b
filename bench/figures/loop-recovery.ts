import type { ToolProtocol } from "../../src/agent/events.ts";
import { Skipped, type BenchOptions, type Figure, type Measured } from "../frame.ts";
import { findToolCalls, readToolCalls } from "../support/toolcall-cases.ts";
import { turnOf } from "../support/toolcall-turn.ts";

/** The loop with tools of the server, and the text protocol. */
const PROTOCOLS: readonly ToolProtocol[] = ["native", "react"];

async function measure({ data }: BenchOptions): Promise<Measured> {
  const file = findToolCalls(data);
  if (file === undefined) throw new Skipped("there are no texts of calls: --data FILE names them (.jsonl).");
  const cases = await readToolCalls(file);
  let [right, falseCalls] = [0, 0];
  const wrong: string[] = [];
  for (const protocol of PROTOCOLS) {
    for (const one of cases) {
      const { asExpected, falseCall, shown } = await turnOf(one, cases, protocol);
      if (asExpected && !falseCall) right += 1;
      else wrong.push(`\n  ${protocol} ${one.id}: ${shown}`);
      if (falseCall) falseCalls += 1;
    }
  }
  const turns = cases.length * PROTOCOLS.length;
  const value = (100 * right) / turns;
  return {
    value,
    reference: { name: "tools run that were not called", value: falseCalls, unit: "" },
    rounds: turns,
    spread: [value, value],
    note: `${right} of ${turns} turns as expected, ${cases.length} texts in ${PROTOCOLS.join(" and ")}${wrong.join("")}`,
  };
}

/** What becomes of calls that models got wrong. */
export const loopRecovery: Figure = {
  name: "loop.recovery",
  unit: "%",
  goal: 100,
  atLeast: true,
  about: "malformed calls of tools that come out as they were meant, and are not run where they were none",
  measure,
};
