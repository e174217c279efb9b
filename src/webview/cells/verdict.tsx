import type { VNode } from "preact";
import type { CommitteeCell } from "../../trace/cells.ts";
import { count } from "../format.ts";
import { Icon } from "../icon.tsx";
import { Markdown } from "./markdown.tsx";

const STOPPED: { readonly [reason: string]: string } = {
  rounds: "all rounds were had",
  agreed: "the members agreed",
  nothing_new: "no new content came",
  cancelled: "it was cancelled",
  failed: "it failed",
};

/** The verdict's head line: what stands beside the synthesis. */
export function VerdictHead({ committee }: { readonly committee: CommitteeCell }): VNode {
  const { verdict } = committee;
  const words = [
    ...(verdict?.best === undefined ? [] : [`best single: ${verdict.best.agent}`]),
    verdict?.majority === undefined
      ? "no majority"
      : `majority: ${count(verdict.majority.agents.length)} of ${count(committee.personas.length)}`,
    ...(verdict === undefined || verdict.minority.length === 0
      ? []
      : [`another view: ${verdict.minority.map(({ agent }) => agent).join(", ")}`]),
  ];
  return (
    <>
      <Icon name="law" tone="answer" />
      <span class="what">Beside the synthesis</span>
      <span class="summary">{words.join(" · ")}</span>
    </>
  );
}

/** Best answer, majority and other views, who stood behind which letter, and why the committee stopped. */
export function VerdictBody({ committee }: { readonly committee: CommitteeCell }): VNode {
  const { verdict, ranking, shownAs = [] } = committee;
  const stopped = STOPPED[committee.stopped ?? ""] ?? committee.stopped ?? "";
  return (
    <div class="verdict">
      {verdict?.best === undefined ? null : (
        <View
          title={`Best single answer: ${verdict.best.agent} (${verdict.best.by})`}
          text={verdict.best.answer}
        />
      )}
      {verdict?.majority === undefined ? null : (
        <View title={`Majority: ${verdict.majority.agents.join(", ")}`} text={verdict.majority.answer} />
      )}
      {verdict?.minority.map(({ agent, answer }) => (
        <View key={agent} title={`Another view: ${agent}`} text={answer} />
      ))}
      {ranking === undefined ? null : <Ranking ranking={ranking} />}
      <p class="dim">
        {committee.strategy} · {count(committee.roundsHad ?? 0)} of {count(committee.rounds)} rounds:{" "}
        {stopped}
        {shownAs.length === 0
          ? ""
          : ` · the synthesizer saw ${shownAs.map(({ letter, agent }) => `${letter} = ${agent}`).join(", ")}`}
      </p>
    </div>
  );
}

function View({ title, text }: { readonly title: string; readonly text: string }): VNode {
  return (
    <details>
      <summary>{title}</summary>
      <Markdown text={text} complete />
    </details>
  );
}

function Ranking({ ranking }: { readonly ranking: NonNullable<CommitteeCell["ranking"]> }): VNode {
  return (
    <table class="ranking">
      <thead>
        <tr>
          <th>Ranked by each other</th>
          <th class="num">mean place</th>
          <th class="num">votes</th>
        </tr>
      </thead>
      <tbody>
        {ranking.result.map(({ agent, mean, votes }) => (
          <tr key={agent}>
            <td>{agent}</td>
            <td class="num">{mean.toFixed(2)}</td>
            <td class="num">{count(votes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
