import { USER } from "../memory/types.ts";
import type { Proposal } from "../remember/propose.ts";

/** The words by which a reader names whoever wrote a message. */
const WRITER = /\bthe user\b/giu;

/**
 * What was read in a persona's message, as its own: whoever wrote the message is the persona, and what it says belongs
 * to nobody else. Relations between others would be taken for the user's, so they are left out.
 */
export function asOwnWords({ learnt, rejected }: Proposal, name: string): Proposal {
  const who = (subject: string): string => (subject === USER || isSame(subject, name) ? name : subject);
  const told = (text: string): string => text.replace(WRITER, () => name);
  const edges = learnt.edges
    .map((edge) => ({ ...edge, from: who(edge.from), to: who(edge.to), text: told(edge.text) }))
    .filter(({ from, to }) => from === name || to === name);
  const ends = edges.flatMap(({ from, to }) => [from, to]);
  return {
    rejected,
    learnt: {
      ...learnt,
      facts: learnt.facts.map((fact) => ({
        ...fact,
        text: told(fact.text),
        subject: who(fact.subject),
        owner: name,
      })),
      edges,
      entities: learnt.entities.filter((entity) => ends.some((end) => isSame(end, entity.name))),
    },
  };
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
