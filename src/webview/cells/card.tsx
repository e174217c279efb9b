import type { VNode } from "preact";
import type { CellBase } from "../../trace/cells.ts";
import type { CardOfTurn, TurnModel } from "../../trace/model.ts";
import { count, tokenCount } from "../format.ts";
import { Icon } from "../icon.tsx";

/** The context card as a cell of the notebook: it has no place of its own in the turn's tree. */
export interface CardCell extends CellBase {
  readonly kind: "card";
  readonly card: CardOfTurn;
}

const KINDS: { readonly [kind in CardOfTurn["parts"][number]["kind"]]: string } = {
  persona: "persona",
  relationship: "relationship",
  fact: "fact",
  pinned: "pinned",
  interest: "interest",
  memory: "earlier turn",
};

/** The turn's context card as a cell; undefined when it had none. */
export function cardCell(turn: TurnModel): CardCell | undefined {
  const { card } = turn;
  if (card === undefined || (card.text === "" && card.parts.length === 0)) return undefined;
  return {
    kind: "card",
    card,
    id: `${turn.turnId}/card`,
    parentId: null,
    agent: turn.agent,
    respondent: "A",
    start: turn.start,
    end: turn.start,
    status: "done",
    revision: 0,
    children: [],
  };
}

/** The card's head line: how much of it there is. */
export function CardHead({ card }: { readonly card: CardOfTurn }): VNode {
  const lines = card.parts.length;
  const words = [
    `${count(lines)} ${lines === 1 ? "line" : "lines"} from memory`,
    ...(card.tokens > 0 ? [tokenCount(card.tokens)] : []),
  ];
  return (
    <>
      <Icon name="note" tone="memory" />
      <span class="what">Context card</span>
      <span class="summary">{words.join(" · ")}</span>
    </>
  );
}

/** What the model was given before the question, line by line, and the text itself. */
export function CardBody({ card }: { readonly card: CardOfTurn }): VNode {
  return (
    <>
      <dl class="card-parts">
        {card.parts.map(({ kind, text, id }, index) => (
          <div key={id ?? index}>
            <dt>{Object.hasOwn(KINDS, kind) ? KINDS[kind] : kind}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {card.text === "" ? null : (
        <details>
          <summary class="dim">As the model was given it</summary>
          <pre tabIndex={0} aria-label="The context card as the model was given it">
            {card.text}
          </pre>
        </details>
      )}
    </>
  );
}
