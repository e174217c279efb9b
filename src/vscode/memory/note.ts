import type { Episode } from "../../agent/memory/port.ts";
import type { FactKind, FactProposal, Learned, Learnt } from "../../agent/memory/types.ts";
import { USER } from "../../agent/memory/types.ts";
import { proposeByRules } from "../../agent/remember/propose.ts";
import { resolveTimeWords } from "../../agent/time/time-words.ts";

/** How sure a fact is that the user asked to be kept. */
const SURE = 0.9;

const PREFERENCE =
  /\b(prefer|like|love|enjoy|hate|dislike|favou?rite|rather|want|never use|always use)\w*\b/i;
const RELATIONSHIP =
  /\b(wife|husband|partner|mother|father|mum|mom|dad|sister|brother|son|daughter|friend|boss|colleague|neighbou?r)\b/i;

/** What kind of fact a note is, by its words. */
export function kindOfNote(text: string, hasTime: boolean): FactKind {
  if (PREFERENCE.test(text)) return "preference";
  if (hasTime) return "event";
  return RELATIONSHIP.test(text) ? "relationship" : "fact";
}

/**
 * What a note of the user's own teaches: the note itself as a fact, in the user's words, and the
 * names and relations that rules find in it.
 */
export function learntFromNote(note: Episode): Learnt {
  const said = note.answer;
  const [day] = resolveTimeWords(said, note.time);
  const fact: FactProposal = {
    kind: kindOfNote(said, day !== undefined),
    text: said,
    subject: USER,
    confidence: SURE,
    owner: USER,
    quote: said,
    ...(day === undefined ? {} : { eventFrom: day.from, eventTo: day.to }),
  };
  const { entities, edges } = proposeByRules({ said, agent: note.agent, time: note.time }).learnt;
  return {
    source: { sessionId: note.sessionId, turnId: note.turnId, time: note.time },
    agent: note.agent,
    scope: note.scope ?? "",
    by: "user",
    said,
    recalled: [],
    facts: [fact],
    entities,
    edges,
  };
}

/** What became of a note, in a sentence for people. */
export function learnedInWords({ added, repeated, closed, rejected }: Learned): string {
  const parts = [
    ...(added.length > 0 ? ["kept as a fact"] : []),
    ...(repeated.length > 0 ? ["known before, and surer now"] : []),
    ...closed.map(({ text }) => `no longer holds: ${text}`),
    ...rejected.map(({ reason }) => `not kept as a fact: ${reason}`),
  ];
  return parts.join("; ");
}
