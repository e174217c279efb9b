import type { AgentCell, CommitteeCell, RoundCell, SandboxCell } from "../../cells.ts";
import { agentName } from "../../model.ts";
import { took } from "./make.ts";
import { judgementLines } from "./judgements.ts";
import type { StoryBlock, StoryPart } from "./types.ts";
import { count, counted, joined, tokens } from "./words.ts";

/** Cells that hold others. */
type GroupCell = AgentCell | CommitteeCell | RoundCell | SandboxCell;

/** The block of a cell that holds others. */
export function groupBlock(cell: GroupCell, children: readonly StoryBlock[]): StoryBlock {
  const head = { tone: "agent", took: took(cell), children } as const;
  switch (cell.kind) {
    case "agent":
      return { ...head, title: agentName(cell), ...agentTold(cell) };
    case "round":
      return {
        ...head,
        title: `Round ${count(cell.index)}`,
        summary: joined(
          cell.agreed === undefined ? "" : cell.agreed ? "the members agree" : "the members differ",
          cell.agreement,
        ),
        parts: standings(cell),
      };
    case "sandbox":
      return {
        ...head,
        title: "Sandbox",
        summary: joined(cell.personas.map(({ name }) => name).join(", "), cell.scenario, cell.stopped),
        parts: [],
      };
    case "committee":
      return {
        ...head,
        title: "Committee",
        summary: joined(
          cell.strategy,
          counted(cell.personas.length, "persona"),
          `${count(cell.roundsHad ?? 0)} of ${counted(cell.rounds, "round")}`,
          tokens(cell.inputTokens, cell.outputTokens),
        ),
        parts: [],
        children: [...children, ...verdict(cell)],
      };
  }
}

function agentTold(cell: AgentCell): Pick<StoryBlock, "summary" | "parts"> {
  const judged = judgementLines(cell);
  return {
    summary: joined(
      cell.role,
      cell.model,
      tokens(cell.inputTokens, cell.outputTokens),
      cell.toolCalls > 0 ? counted(cell.toolCalls, "tool call") : "",
      cell.error?.message,
    ),
    parts: judged.length === 0 ? [] : [{ kind: "text", label: "Judged", text: judged.join("\n") }],
  };
}

function standings(cell: RoundCell): readonly StoryPart[] {
  const rows = cell.standings.map(({ agent, model, changed, reason, error }) => [
    agent,
    model,
    changed === undefined ? "" : changed ? "changed" : "the same",
    error?.message ?? reason ?? "",
  ]);
  if (rows.length === 0) return [];
  return [{ kind: "table", label: "Where they stand", head: ["Persona", "Model", "View", "Why"], rows }];
}

/** What stands beside the synthesis. */
function verdict(cell: CommitteeCell): readonly StoryBlock[] {
  const { verdict: given, ranking } = cell;
  if (given === undefined) return [];
  const parts: StoryPart[] = [];
  if (given.best !== undefined)
    parts.push(view(`Best single answer: ${given.best.agent} (${given.best.by})`, given.best.answer));
  if (given.majority !== undefined)
    parts.push(view(`Majority: ${given.majority.agents.join(", ")}`, given.majority.answer));
  for (const { agent, answer } of given.minority) parts.push(view(`Another view: ${agent}`, answer));
  if (ranking !== undefined) {
    const rows = ranking.result.map(({ agent, mean, votes }) => [agent, mean.toFixed(2), count(votes)]);
    parts.push({
      kind: "table",
      label: "Ranked by each other",
      head: ["Persona", "Mean place", "Votes"],
      rows,
    });
  }
  const best = given.best === undefined ? "" : `best single: ${given.best.agent}`;
  const majority =
    given.majority === undefined ? "no majority" : counted(given.majority.agents.length, "vote");
  return [
    {
      tone: "verdict",
      title: "Beside the synthesis",
      summary: joined(best, majority),
      took: "",
      parts,
      children: [],
    },
  ];
}

function view(label: string, text: string): StoryPart {
  return { kind: "text", label, text };
}
