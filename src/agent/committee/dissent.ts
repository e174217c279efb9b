import type { Verdict } from "../events-committee.ts";
import { cutAtGrapheme } from "../text.ts";
import { anyOpposed, sentencesOf, tellingWords } from "./similarity.ts";
import type { Speech } from "./speeches.ts";
import { OTHER_VIEW } from "./words.ts";

/** Views that are added at most, and how much is quoted of each (UTF-16 units). */
const MAX_VIEWS = 3;
const MAX_QUOTE = 600;

/** Telling words of a view that are looked for: more of them are reasons. */
const MAX_WORDS = 15;

/** Of a view's words, a text that takes it up holds this part: of one that was outvoted in one sentence. */
const TAKEN_UP = 0.5;

/** Words that make a section more than a heading. */
const LEAST_SECTION = 4;

/** How a section for another view is headed in the languages that models mostly write. */
const HEADED =
  /^[\s>]*(?:#{1,6}\s|\*\*|__)[^\n]*(?:(?:an)?other (?:view|opinion|position|perspective)|minority|dissent|counter-?(?:point|view)|ander\p{L}* (?:sicht|ansicht|meinung|kijk|mening|blick)|minderheit|autre (?:avis|point de vue|opinion)|otr[oa] (?:opini[oó]n|visi[oó]n|perspectiva|punto)|altr[oa] (?:opinione|visione|parere|punto)|outr[oa] (?:opini[aã]o|vis[aã]o|perspectiva)|anne[nt]\p{L}* (?:syn|perspektiv|mening)|друг\p{L}+ (?:мнение|точка|взгляд)|另一|其他观点|別の(?:見方|意見|視点)|다른 (?:의견|관점|견해))/imu;

/**
 * A synthesis with the views that it lost: of those whom a majority outvoted, or of the majority where it sides with
 * the others; where there is no majority, of those whose view it does not take up at all. They stand in a section of their own, quoted. The text as it was where nothing is
 * missing.
 */
export function keepDissent(
  synthesis: string,
  positions: readonly Speech[],
  { majority, minority }: Verdict,
): string {
  if (positions.length < 2 || hasSection(synthesis)) return synthesis;
  const lost =
    majority === undefined
      ? positions.filter(notIn([synthesis], "loosely"))
      : lostOf(sentencesOf(synthesis), positions, new Set(minority.map(({ agent }) => agent)));
  if (lost.length === 0 || lost.length === positions.length) return synthesis;
  const quotes = lost.slice(0, MAX_VIEWS).map(({ member, answer }) => quote(member.name, answer));
  return [synthesis.trimEnd(), OTHER_VIEW, ...quotes].join("\n\n");
}

/** The outvoted views that are not said; and that of the majority, where only an outvoted one is. */
function lostOf(
  sentences: readonly string[],
  positions: readonly Speech[],
  outvoted: ReadonlySet<string>,
): readonly Speech[] {
  const isLost = notIn(sentences, "closely");
  const others = positions.filter(({ member }) => outvoted.has(member.name));
  const lost = others.filter(isLost);
  const [most] = positions.filter(({ member }) => !outvoted.has(member.name));
  const isTurned = most !== undefined && lost.length < others.length && isLost(most);
  return isTurned ? [most, ...lost] : lost;
}

/**
 * Tells of a speech whether none of some texts says what its view holds: most of its words, and, looked at closely,
 * neither another number nor the opposite.
 */
function notIn(texts: readonly string[], how: "closely" | "loosely"): (speech: Speech) => boolean {
  const read = texts.map((text) => ({ text, said: new Set(tellingWords(text)) }));
  return ({ view }) => {
    const words = [...new Set(tellingWords(view))].slice(0, MAX_WORDS);
    if (words.length === 0) return false;
    const isSaid = read.some(({ text, said }) => {
      const share = words.filter((word) => said.has(word)).length / words.length;
      return share >= TAKEN_UP && (how === "loosely" || !anyOpposed([view, text]));
    });
    return !isSaid;
  };
}

/** Whether the synthesis keeps a section for another view that says something. */
function hasSection(synthesis: string): boolean {
  const found = HEADED.exec(synthesis);
  if (found === null) return false;
  const body = synthesis.slice(found.index + found[0].length);
  return tellingWords(body).length >= LEAST_SECTION;
}

function quote(name: string, answer: string): string {
  const whole = answer.trim();
  const text = whole.length <= MAX_QUOTE ? whole : `${cutAtGrapheme(whole, MAX_QUOTE)}…`;
  const lines = text.split("\n").map((line) => (line.trim() === "" ? ">" : `> ${line}`));
  return `**${name}**\n\n${lines.join("\n")}`;
}
