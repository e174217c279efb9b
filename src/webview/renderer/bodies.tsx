import type { VNode } from "preact";
import type { Json } from "../../agent/models/types.ts";
import type { Cell, CommitteeCell, ModelCell, ToolCell } from "../../trace/cells.ts";
import { cutKey, type Cuts } from "../../trace/posted.ts";
import { Markdown } from "../cells/markdown.tsx";
import { RecalledTable, recalledOf } from "../cells/recalled.tsx";
import { characters, count, duration } from "../format.ts";

interface BodyProps<C extends Cell = Cell> {
  readonly cell: C;
  readonly cuts: Cuts;
}

/** What an open line shows; null for one whose line says it all. */
export function Body({ cell, cuts }: BodyProps): VNode | null {
  switch (cell.kind) {
    case "thinking":
      return <Text cell={cell} cuts={cuts} field="text" text={cell.text} label="Thinking" />;
    case "remark":
    case "answer":
      return <Markdown text={cell.text} complete={cell.status !== "running"} />;
    case "tool":
      return <ToolBody cell={cell} cuts={cuts} />;
    case "model":
      return <ModelBody cell={cell} />;
    case "warning":
      return <p>{cell.message}</p>;
    case "error":
      return <p>{cell.failure.message}</p>;
    case "compaction":
      return cell.summary === undefined ? null : <Markdown text={cell.summary} complete />;
    case "output":
      return cell.value === undefined ? null : (
        <Text cell={cell} cuts={cuts} field="value" text={pretty(cell.value)} label="Output" />
      );
    case "agent":
      return cell.answer === "" ? null : <Markdown text={cell.answer} complete />;
    case "committee":
      return <Verdict cell={cell} />;
    default:
      return null;
  }
}

function pretty(value: Json): string {
  return JSON.stringify(value, null, 2);
}

/** A text as it stands; where it was cut, says how much there is. */
function Text(
  props: BodyProps & { readonly field: string; readonly text: string; readonly label: string },
): VNode {
  const cut = props.cuts.get(cutKey(props.cell.id, props.field));
  const whole = cut?.unit === "items" ? `${count(cut.length)} items` : characters(cut?.length ?? 0);
  return (
    <div class="block">
      <div class="label">{props.label}</div>
      <pre tabIndex={0} role="region" aria-label={props.label}>
        {props.text}
      </pre>
      {cut === undefined ? null : (
        <p class="dim">
          The beginning of {whole}. The whole of it stands in the file, and in its trace view.
        </p>
      )}
    </div>
  );
}

function ToolBody({ cell, cuts }: BodyProps<ToolCell>): VNode {
  const recalled = recalledOf(cell);
  const data = cell.details?.data;
  return (
    <>
      {recalled.length === 0 ? null : (
        <RecalledTable rows={recalled} now={Date.now()}>
          {null}
        </RecalledTable>
      )}
      {cell.error === undefined ? null : <p class="tone-error">{cell.error.message}</p>}
      {cell.mended.length === 0 ? null : <p class="dim">Mended: {cell.mended.join("; ")}</p>}
      <Text {...{ cell, cuts }} field="arguments" text={pretty(cell.arguments)} label="Arguments" />
      {cell.result === undefined ? null : (
        <Text
          {...{ cell, cuts }}
          field="result"
          text={cell.result}
          label="Result, as the model was given it"
        />
      )}
      {data === undefined || recalled.length > 0 ? null : (
        <Text
          {...{ cell, cuts }}
          field="details"
          text={pretty(data)}
          label="Details, not shown to the model"
        />
      )}
    </>
  );
}

function ModelBody({ cell }: { readonly cell: ModelCell }): VNode {
  const times: readonly (readonly [string, number | undefined])[] = [
    ["load", cell.loadMs],
    ["prompt", cell.promptMs],
    ["generation", cell.generationMs],
    ["first chunk after", cell.firstChunkMs],
  ];
  const figures = times.flatMap(([name, ms]) => (ms === undefined ? [] : [`${name} ${duration(ms)}`]));
  return (
    <p class="dim">
      {[
        `${cell.model} (${cell.provider})`,
        `context ${count(cell.contextLength)}`,
        ...figures,
        ...(cell.finishReasons.length === 0 ? [] : [`ended: ${cell.finishReasons.join(", ")}`]),
      ].join(" · ")}
    </p>
  );
}

/** What stands beside a synthesis. */
function Verdict({ cell }: { readonly cell: CommitteeCell }): VNode {
  const { verdict, personas } = cell;
  return (
    <>
      <p class="dim">{personas.map(({ name, model }) => `${name} (${model})`).join(", ")}</p>
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
    </>
  );
}

function View({ title, text }: { readonly title: string; readonly text: string }): VNode {
  return (
    <div class="block">
      <div class="label">{title}</div>
      <Markdown text={text} complete />
    </div>
  );
}
