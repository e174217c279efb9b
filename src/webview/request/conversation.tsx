import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { TurnModel } from "../../trace/model.ts";
import type { ConversationTurn, ConversationView, TurnStanding } from "../../trace/request/types.ts";
import { count } from "../format.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";
import type { OpenedConversation } from "./state.ts";
import { Message } from "./message.tsx";

const STANDINGS: { readonly [standing in TurnStanding]: string } = {
  whole: "sent as it was",
  trimmed: "results trimmed",
  summed_up: "summed up",
  left_out: "left out",
};

/** The conversation as it stands after the turn that is shown: what the next question would be sent with. */
export function Conversation({ store, turn }: { readonly store: Store; readonly turn: TurnModel }): VNode {
  const { turnId, status, steps } = turn;
  const opened = store.requests.conversation(turnId);
  // What the turn adds is there once a step of it has ended, or all of it.
  useEffect(() => store.requests.fetchConversation(turn), [store, turnId, status, steps]);
  return (
    <section class="conversation" aria-label="Conversation" tabIndex={0}>
      <h2>Conversation after this turn</h2>
      {opened?.view === undefined ? (
        <p class="dim">…</p>
      ) : (
        <Standing store={store} turn={turn} opened={opened} view={opened.view} />
      )}
    </section>
  );
}

interface StandingProps {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly opened: OpenedConversation;
  readonly view: ConversationView;
}

function Standing({ store, turn, opened, view }: StandingProps): VNode {
  const { summary, system } = view;
  return (
    <>
      <p class="dim">
        {view.running ? "The turn still runs: this is what it was sent with last. " : ""}
        {count(view.messages)} {view.messages === 1 ? "message goes" : "messages go"} before the next question
        of this session, behind the system message.
      </p>
      {system === undefined ? null : (
        <ol class="messages" aria-label="System message">
          <Message store={store} head={system} {...system} />
        </ol>
      )}
      {summary === undefined ? null : (
        <div class="piece edge-history">
          <span class="piece-word">
            summary, in the place of earlier turns{summary.model === undefined ? "" : `, by ${summary.model}`}
          </span>
          <pre tabIndex={0} aria-label="Summary of earlier turns">
            {summary.text}
          </pre>
        </div>
      )}
      {opened.turns.map((one) => (
        <TurnOf key={one.turnId} store={store} turn={one} shown={one.turnId === turn.turnId} />
      ))}
      {opened.next === null ? null : (
        <button
          type="button"
          class="quiet"
          disabled={opened.waiting}
          onClick={() => store.requests.fetchConversation(turn, opened.next ?? 0)}
        >
          Show more
        </button>
      )}
    </>
  );
}

function TurnOf(props: {
  readonly store: Store;
  readonly turn: ConversationTurn;
  readonly shown: boolean;
}): VNode {
  const { store, turn, shown } = props;
  const { question, standing, why, lines, messages } = turn;
  const isSent = standing === "whole" || standing === "trimmed";
  return (
    <div class={isSent ? "conversation-turn" : "conversation-turn not-sent"}>
      <div class="head">
        <Icon name={isSent ? "comment" : "circle-slash"} />
        <span class="what">{question === "" ? "A turn without a question" : question}</span>
        {shown ? <span class="word dim">this turn</span> : null}
        <span class={standing === "whole" ? "word dim" : "word tone-warning"}>{STANDINGS[standing]}</span>
        <span class="time">
          {count(messages)} {messages === 1 ? "message" : "messages"}
        </span>
      </div>
      {why === "" ? null : <p class="dim">{why}</p>}
      <ol class="messages" aria-label={`Messages of the turn ${question}`}>
        {lines.map((line) => (
          <Message key={line.index} store={store} head={line} {...line} />
        ))}
      </ol>
    </div>
  );
}
