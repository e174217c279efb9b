import type { CommitteeRanking } from "../events-committee.ts";
import type { TurnFork } from "../events-fork.ts";
import type { EventOf, Outcome, TurnEvent } from "../events.ts";
import { failed, success, type Failure, type Result } from "../failure.ts";
import type { Source } from "../tool.ts";
import { editFor } from "./edits.ts";
import { eventsUnder } from "./read-tapes.ts";
import type { AgentTape } from "./tapes.ts";

/** What one member did in a round of a committee. */
export interface MemberTape {
  /** Its name in the committee; samples of one agent have their numbers. */
  readonly name: string;
  /** All of its work, which is told again; left out: it goes on by itself. */
  readonly said?: {
    readonly events: readonly TurnEvent[];
    /** The id of its event. */
    readonly agentId: string;
    readonly outcome: Outcome;
    readonly answer: string;
    readonly error?: Failure;
    readonly steps: number;
    readonly sources: readonly Source[];
  };
  /** Where it goes on by itself. */
  readonly tape?: AgentTape;
}

/** A round of a committee. */
export interface RoundTape {
  /** The id of its event. */
  readonly id: string;
  readonly members: readonly MemberTape[];
  /** It is told again as it was: whether all agreed then, and who judged that. Left out: it is judged anew. */
  readonly end?: { readonly data: EventOf<"round.end">["data"]; readonly judges: readonly TurnEvent[] };
}

/** What a committee takes over from the one that is branched off. */
export interface CommitteeTape {
  /** The id of its event. */
  readonly id: string;
  readonly rounds: readonly RoundTape[];
  /** The letters under which the members heard each other, by their names; empty where the trace does not tell. */
  readonly letters: ReadonlyMap<string, string>;
  /** The turn by which letters were dealt out then. */
  readonly dealtBy: string;
  /** The rounds are over: it goes on by itself with whoever sums up. */
  readonly conclusion?: {
    readonly ranking?: { readonly events: readonly TurnEvent[]; readonly data: CommitteeRanking["data"] };
    readonly tape?: AgentTape;
  };
}

/** What a committee's tape is made of. */
export interface CommitteeSource {
  readonly fork: TurnFork;
  readonly events: readonly TurnEvent[];
}

/** Makes the tape of a committee up to an agent of it, which goes on by its own tape; without one its answer is another. */
export function planCommittee(
  top: EventOf<"agent.start">,
  tape: AgentTape | undefined,
  source: CommitteeSource,
): Result<CommitteeTape> {
  const committee = source.events.find(
    (event): event is EventOf<"committee.start"> => event.type === "committee.start",
  );
  if (committee === undefined)
    return failed("bad_input", "The trace does not say which committee this agent sat in.");
  switch (top.data["conclave.role"]) {
    case "persona":
      return planRound(top, tape, committee, source);
    case "synthesizer":
      return planSum(committee, source, tape);
    default:
      return failed("bad_input", "Nothing branches off a judge of a committee: take an answer, or the sum.");
  }
}

function planRound(
  top: EventOf<"agent.start">,
  tape: AgentTape | undefined,
  committee: EventOf<"committee.start">,
  source: CommitteeSource,
): Result<CommitteeTape> {
  const rounds = roundsOf(committee, source);
  const until = rounds.findIndex(({ id }) => id === top.parentId);
  const last = rounds[until];
  if (last === undefined) return failed("bad_input", "The trace does not say in which round this was said.");
  const whole = rounds.slice(0, until).map((round) => wholeRound(round, committee.id, source));
  const branched = branchRound(last, { top, committee, ...(tape && { tape }) }, source);
  return success({ ...sharedOf(committee, source), rounds: [...whole, branched] });
}

/** Makes the tape of a committee up to where it is summed up. */
export function planSum(
  committee: EventOf<"committee.start">,
  source: CommitteeSource,
  tape?: AgentTape,
): Result<CommitteeTape> {
  const rounds = roundsOf(committee, source).map((round) => wholeRound(round, committee.id, source));
  const isHeard = rounds.some(({ members }) => members.some(({ said }) => said?.outcome === "answered"));
  if (!isHeard) return failed("bad_input", "The trace has nothing that this committee said. Ask it anew.");
  const ranking = rankingOf(source.events, committee.id);
  const conclusion = { ...(ranking && { ranking }), ...(tape && { tape }) };
  return success({ ...sharedOf(committee, source), rounds, conclusion });
}

function roundsOf(committee: TurnEvent, { events }: CommitteeSource): readonly EventOf<"round.start">[] {
  return events.filter(
    (event): event is EventOf<"round.start"> =>
      event.type === "round.start" && event.parentId === committee.id,
  );
}

function sharedOf(
  committee: TurnEvent,
  { events }: CommitteeSource,
): Pick<CommitteeTape, "id" | "letters" | "dealtBy"> {
  return { id: committee.id, letters: lettersOf(events), dealtBy: committee.turnId };
}

/** The letters that were told at the committee's end. */
function lettersOf(events: readonly TurnEvent[]): ReadonlyMap<string, string> {
  const end = events.find((event): event is EventOf<"committee.end"> => event.type === "committee.end");
  return new Map((end?.data["conclave.shown_as"] ?? []).map(({ agent, letter }) => [agent, letter]));
}

function membersOf(round: TurnEvent, events: readonly TurnEvent[]): readonly EventOf<"agent.start">[] {
  return events.filter(
    (event): event is EventOf<"agent.start"> => event.type === "agent.start" && event.parentId === round.id,
  );
}

function nameOf({ data, agent }: EventOf<"agent.start">): string {
  const sample = data["conclave.sample"];
  return sample === undefined ? agent : `${agent} #${sample}`;
}

function wholeRound(round: EventOf<"round.start">, committeeId: string, source: CommitteeSource): RoundTape {
  const { events } = source;
  const members = membersOf(round, events).flatMap((start) => memberTape(start, source) ?? []);
  const from = events.indexOf(round);
  const to = events.findIndex((event) => event.type === "round.end" && event.id === round.id);
  const end = events[to];
  if (end?.type !== "round.end") return { id: round.id, members };
  const judges = judgesIn(events.slice(from, to), committeeId);
  return { id: round.id, members, end: { data: end.data, judges } };
}

/** The work of judges in a stretch of a committee. */
function judgesIn(events: readonly TurnEvent[], committeeId: string): readonly TurnEvent[] {
  const judges = events.filter(
    (event) =>
      event.type === "agent.start" &&
      event.parentId === committeeId &&
      event.data["conclave.role"] === "judge",
  );
  const under = new Set(judges.flatMap((judge) => [judge, ...eventsUnder(events, judge.id)]));
  const ids = new Set(judges.map(({ id }) => id));
  return events.filter((event) => under.has(event) || (event.type === "agent.end" && ids.has(event.id)));
}

/** The agent that branches off in a round. */
interface Branching {
  readonly top: EventOf<"agent.start">;
  readonly tape?: AgentTape;
  readonly committee: EventOf<"committee.start">;
}

/**
 * The round in which it branches off: those who spoke beside the one that does so are told again. Where members hear
 * those before them, the ones after it are asked anew.
 */
function branchRound(
  round: EventOf<"round.start">,
  { top, tape, committee }: Branching,
  source: CommitteeSource,
): RoundTape {
  const starts = membersOf(round, source.events);
  const hearing = committee.data["conclave.strategy"] === "sequential";
  const at = starts.findIndex(({ id }) => id === top.id);
  const members = starts.flatMap((start, index): readonly MemberTape[] => {
    if (start.id === top.id && tape !== undefined) return [{ name: nameOf(start), tape }];
    if (hearing && index > at) return [];
    return memberTape(start, source) ?? [];
  });
  return { id: round.id, members };
}

/** What a member did, all of it; nothing where it did not come to its end. */
function memberTape(
  start: EventOf<"agent.start">,
  { events, fork }: CommitteeSource,
): readonly [MemberTape] | undefined {
  const end = events.find(
    (event): event is EventOf<"agent.end"> => event.type === "agent.end" && event.id === start.id,
  );
  const edited = editFor(fork, "answer", start.id);
  const under = eventsUnder(events, start.id);
  const given = under.find(
    (event): event is EventOf<"response.generation"> =>
      event.type === "response.generation" && event.parentId === start.id,
  );
  if (end === undefined || (end.data.outcome === "cancelled" && edited === undefined)) return undefined;
  const { error, ...told } = end.data;
  const outcome = edited === undefined ? end.data.outcome : "answered";
  const last = edited === undefined ? end : { ...end, data: { ...told, outcome } };
  const work = edited === undefined ? under : withAnswer(under, given, edited);
  const results = under.filter((event): event is EventOf<"tool.result"> => event.type === "tool.result");
  return [
    {
      name: nameOf(start),
      said: {
        events: [start, ...work, last],
        ...{ agentId: start.id, outcome },
        answer: edited ?? given?.data.answer ?? "",
        ...(edited === undefined && error && { error }),
        steps: under.filter(({ type }) => type === "step.start").length,
        sources: results.flatMap(({ data }) => data.details?.sources ?? []),
      },
    },
  ];
}

function withAnswer(
  under: readonly TurnEvent[],
  given: EventOf<"response.generation"> | undefined,
  answer: string,
): readonly TurnEvent[] {
  return under.map((event) => (event === given ? { ...given, data: { ...given.data, answer } } : event));
}

function rankingOf(
  events: readonly TurnEvent[],
  committeeId: string,
): { readonly events: readonly TurnEvent[]; readonly data: CommitteeRanking["data"] } | undefined {
  const ranking = events.find((event): event is CommitteeRanking => event.type === "committee.ranking");
  if (ranking === undefined) return undefined;
  const rounds = events.findLastIndex(({ type }) => type === "round.end");
  const until = events.indexOf(ranking);
  return { events: [...judgesIn(events.slice(rounds, until), committeeId), ranking], data: ranking.data };
}
