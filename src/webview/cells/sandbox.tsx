import type { VNode } from "preact";
import type { SandboxCounters } from "../../agent/events-sandbox.ts";
import type { SandboxCell } from "../../trace/cells.ts";
import { count } from "../format.ts";

const STOPPED: Readonly<Record<string, string>> = {
  rounds: "all rounds were had",
  repetition: "it repeated itself",
  cancelled: "it was stopped",
  failed: "a persona failed",
};

/** Who talks, how much was said, and why the talk ended. */
export function sandboxSummary({ personas, lines, stopped, failed }: SandboxCell): string {
  const why = stopped === undefined || !Object.hasOwn(STOPPED, stopped) ? stopped : STOPPED[stopped];
  const words = [
    personas.map(({ name }) => name).join(", "),
    `${count(lines.length)} ${lines.length === 1 ? "message" : "messages"}`,
    ...(why === undefined ? [] : [failed === undefined ? why : `${failed} failed`]),
  ];
  return words.join(" · ");
}

function figure(value: number | undefined): string {
  return value === undefined ? "-" : value.toFixed(2);
}

/** The scene, who speaks with which model, and the figures of the rounds. */
export function SandboxBody({ cell }: { readonly cell: SandboxCell }): VNode {
  const { scenario, personas, counters, lines } = cell;
  const rows: readonly (readonly [string, SandboxCounters])[] =
    counters === undefined
      ? lines.map((line) => [`${line.round} ${line.speaker}`, line.counters])
      : counters.map((round, index) => [String(index + 1), round]);
  return (
    <>
      {scenario === "" ? null : <p>{scenario}</p>}
      <p class="dim">{personas.map(({ name, model }) => `${name}: ${model}`).join(" · ")}</p>
      {rows.length === 0 ? null : (
        <table>
          <thead>
            <tr>
              {["Round", "Retrieved", "Extracted", "Updated", "Drift", "Repetition"].map((head) => (
                <th key={head} class={head === "Round" ? "" : "num"}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, one], index) => (
              <tr key={index}>
                <td>{name}</td>
                <td class="num">{count(one.retrieved)}</td>
                <td class="num">{count(one.extracted)}</td>
                <td class="num">{count(one.updated)}</td>
                <td class="num">{figure(one.drift)}</td>
                <td class="num">{figure(one.repetition)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
