import { runCommittee } from "./committee/run-committee.ts";
import { createEmitter, type Emitter } from "./emitter.ts";
import type { TurnOutcome } from "./ask-types.ts";
import { withoutParts } from "./message-parts.ts";
import type { ChatMessage } from "./models/types.ts";
import { endOf, RESPONDENT } from "./run-agent.ts";
import { parentOf } from "./sessions/sessions.ts";
import { answeringAgent, runSingle } from "./single.ts";
import type { TurnAnswer, TurnDeps, TurnInput } from "./turn-types.ts";

/** The agent of a committee's turn, where its events name one. */
const COMMITTEE = "committee";

/**
 * Runs one turn from `turn.start` to `turn.end`. Never throws: it always ends with an answer or with a failure in
 * words, and keeps what was streamed.
 */
export async function runTurn(input: TurnInput, deps: TurnDeps): Promise<TurnOutcome> {
  const { request, sessionId, turnId } = input;
  const { identity } = deps;
  const committee = request.options?.committee;
  const agent = committee === undefined ? answeringAgent(input).name : COMMITTEE;
  const emitter = createEmitter({ sessionId, turnId, agent, respondent: RESPONDENT }, identity, deps.sink);
  const began = identity.now();
  begin(input, emitter);
  const answer = await answerOf(input, deps, emitter);
  finish(input, emitter, answer, identity.now() - began);
  const { outcome, error, output, chained } = answer;
  return {
    outcome,
    answer: answer.answer,
    ...(error && { error }),
    ...(output && { output }),
    ...(chained && { chained }),
  };
}

/** One agent answers, or a committee does. */
function answerOf(input: TurnInput, deps: TurnDeps, emitter: Emitter): Promise<TurnAnswer> {
  const { committee } = input.request.options ?? {};
  return committee === undefined
    ? runSingle(input, deps, emitter)
    : runCommittee(input, committee, deps, emitter);
}

function begin({ request, sessionId, turnId, conversation, fork }: TurnInput, emitter: Emitter): void {
  emitter.emit(
    "turn.start",
    { id: turnId, parentId: null },
    {
      "gen_ai.conversation.id": sessionId,
      "conclave.parent_turn_id": parentOf(conversation),
      "conclave.door": request.door,
      ...(request.private === true && { "conclave.private": true as const }),
      ...(request.background === true && { "conclave.background": true as const }),
      ...(fork && { "conclave.fork": fork.fork }),
    },
  );
  emitter.emit(
    "query.received",
    { parentId: turnId },
    {
      query: request.question,
      ...(request.references && request.references.length > 0 && { references: request.references }),
    },
  );
}

function finish({ turnId, request }: TurnInput, emitter: Emitter, given: TurnAnswer, ms: number): void {
  const { outcome, answer, error, sources } = given;
  if (outcome === "answered") {
    emitter.emit(
      "answer.dialog",
      { parentId: turnId },
      {
        query: request.question,
        answer,
        ...(sources.length > 0 && { "conclave.sources": sources }),
      },
    );
  }
  emitter.emit(
    "turn.end",
    { id: turnId, parentId: null },
    {
      outcome,
      ...endOf(given, ms),
      ...(error && { error }),
      "conclave.steps": given.steps,
      "conclave.messages": conversationAdds(given),
    },
  );
}

/** What later turns are given of this one. A turn without an answer says so, so that the roles still take turns. */
function conversationAdds({ question, messages, error }: TurnAnswer): readonly ChatMessage[] {
  // Where a prompt's pieces came from is told by the request that they were sent with.
  const adds = [withoutParts(question), ...messages];
  const last = adds.at(-1);
  if (last?.role === "assistant" && last.toolCalls === undefined) return adds;
  const reason = error?.code === "cancelled" ? "it was cancelled" : "it failed";
  return [...adds, { role: "assistant", content: `[No answer was given in this turn: ${reason}.]` }];
}
