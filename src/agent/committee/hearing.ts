import type { SourcedText } from "../message-parts.ts";
import { oncePer } from "../once-per.ts";
import { asTask, fromOthers } from "./behind.ts";
import type { Member } from "./cast.ts";
import type { Sitting } from "./deliberation.ts";
import { byLetter, roundBlock } from "./material.ts";
import { lastPositions, type Rounds, type Speech } from "./speeches.ts";
import { FIRST_RULE, HEARING_RULE, LATER_RULE, SMALL_RULES, youAre } from "./words.ts";

/** What the speakers of one round hear. */
export interface Hearing {
  /** Where each member stood last, by name. */
  readonly stood: ReadonlyMap<string, Speech>;
  /**
   * What stands behind the question for a member: what it hears, the rule, last its own instruction. `saidNow`: what was
   * said to it in this round. The very same list for all who ask, where nothing was.
   */
  readonly tail: (member: Member, saidNow?: readonly Speech[]) => readonly SourcedText[];
}

/** What the rounds before mean to the speakers of round `index`, from 1. */
export function hearingOf(index: number, before: Rounds, sitting: Sitting): Hearing {
  const stood = new Map(lastPositions(before).map((speech) => [speech.member.name, speech]));
  const isRing = sitting.settings.strategy === "ring";
  const all = isRing ? [] : heardBlocks(before, sitting);
  const tail = (member: Member, saidNow: readonly Speech[]): readonly SourcedText[] => {
    const blocks = isRing ? heardBlocks(before, sitting, member) : all;
    const said = saidNow.length > 0 ? [blockOf(index, saidNow, sitting)] : [];
    const rule = ruleOf(index, member, stood, saidNow, sitting);
    return [...fromOthers([...blocks, ...said]), ...rule, ...sitting.seatOf(member).own];
  };
  const alone = oncePer((member: Member) => tail(member, []));
  return {
    stood,
    tail: (member, saidNow = []) => (saidNow.length === 0 ? alone(member) : tail(member, saidNow)),
  };
}

function ruleOf(
  index: number,
  { name }: Member,
  stood: ReadonlyMap<string, Speech>,
  saidNow: readonly Speech[],
  { letters }: Sitting,
): readonly SourcedText[] {
  if (index === 1) {
    const hears = saidNow.some(({ error }) => error === undefined);
    return [hears ? asTask(HEARING_RULE, SMALL_RULES.hearing) : asTask(FIRST_RULE, SMALL_RULES.first)];
  }
  const letter = letters.get(name);
  const you = letter === undefined || !stood.has(name) ? "" : youAre(letter);
  return [asTask(LATER_RULE, SMALL_RULES.later), asTask(you)];
}

/** What was said in the rounds before: all of it, or for a member of a ring its own words and its neighbour's. */
export function heardBlocks(before: Rounds, sitting: Sitting, member?: Member): string[] {
  const { settings, cast } = sitting;
  const isRing = settings.strategy === "ring" && member !== undefined;
  const blocks = before.map((speeches, at) => {
    const said = isRing ? neighbours(member, speeches, cast.members) : speeches;
    return blockOf(at + 1, said, sitting);
  });
  return blocks.filter((block) => block !== "");
}

function blockOf(index: number, speeches: readonly Speech[], { letters, rooms, settings }: Sitting): string {
  // Those who hear each other one after the other hear in that order; a list of letters tells nothing of it.
  const ordered = settings.strategy === "sequential" ? speeches : byLetter(speeches, letters);
  return roundBlock(index, ordered, letters, rooms.excerpt);
}

/** Of one round, a member's own speech and that of the nearest one before it in the ring that spoke. */
function neighbours(member: Member, speeches: readonly Speech[], ring: readonly Member[]): readonly Speech[] {
  const at = ring.findIndex(({ name }) => name === member.name);
  const spoke = new Map(
    speeches.filter(({ error }) => error === undefined).map((one) => [one.member.name, one]),
  );
  const own = spoke.get(member.name);
  for (let back = 1; back < ring.length; back += 1) {
    const name = ring[(at - back + ring.length) % ring.length]?.name ?? "";
    const neighbour = spoke.get(name);
    if (neighbour !== undefined) return own === undefined ? [neighbour] : [neighbour, own];
  }
  return own === undefined ? [] : [own];
}
