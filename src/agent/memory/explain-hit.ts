import type { EpisodeNotes } from "./episode.ts";

/** A part of why something was recalled. */
export interface ScorePart {
  readonly name: string;
  /** In plain words. */
  readonly label: string;
  readonly value: number;
  /** What was said of it, where that is known: `critic 4/5`, `preferred`, `thumbed down 3 days ago`. */
  readonly says?: string;
  /** What makes up the relevance, or what is added to it. */
  readonly kind: "view" | "added";
}

/** The parts of a value by name, as a search gives them. */
type Parts = Readonly<Record<string, number | undefined>>;

/** What is known of a hit beyond the parts of its value. */
export interface About {
  readonly notes?: EpisodeNotes | undefined;
  /** Milliseconds since the epoch; left out: nothing is told of how long ago something was. */
  readonly now?: number | undefined;
}

/** A known part: its label, and what it says in a sentence. */
type Known =
  | { readonly label: string; readonly kind: "view"; readonly because?: string }
  | { readonly label: string; readonly kind: "added"; readonly words?: readonly [up: string, down: string] };

/** In the order in which they are told. */
const PARTS: { readonly [name: string]: Known } = {
  text: { label: "text", kind: "view", because: "it shares words with what was asked" },
  vector: { label: "meaning", kind: "view", because: "it means much the same as what was asked" },
  window: {
    label: "meaning, with what stands around it",
    kind: "view",
    because: "what was said around it fits what was asked",
  },
  match: { label: "how well it fits", kind: "view", because: "it fits what was asked" },
  words: { label: "asked words in it", kind: "view", because: "it holds words of what was asked" },
  textNeighbours: { label: "neighbours, by text", kind: "view" },
  vectorNeighbours: { label: "neighbours, by meaning", kind: "view" },
  windowNeighbours: { label: "neighbours, by what stands around them", kind: "view" },
  neighbours: { label: "neighbours", kind: "view" },
  rerank: { label: "second look", kind: "view", because: "a second look found that it fits what was asked" },
  speaker: { label: "who said it", kind: "view", because: "the one who was asked about said it" },
  time: { label: "the time asked about", kind: "view", because: "it is of the time that was asked about" },
  intent: {
    label: "what it is after",
    kind: "view",
    because: "it is of the kind that was asked for",
  },
  substance: { label: "how much it says", kind: "view" },
  stated: { label: "how much of it states something", kind: "view" },
  asking: { label: "how much of it only asks (lowers it)", kind: "view" },
  opening: { label: "opens its session", kind: "view" },
  score: { label: "grade", kind: "added", words: ["its good grade", "its poor grade"] },
  verdict: { label: "verdict", kind: "added", words: ["the verdict for it", "the verdict against it"] },
  reward: { label: "reward", kind: "added", words: ["your good opinion of it", "your poor opinion of it"] },
  recency: { label: "age", kind: "added", words: ["being recent", "its age"] },
  pin: { label: "pin", kind: "added", words: ["your pin", "your pin"] },
};

const ORDER = Object.keys(PARTS);

/** Reasons that the sentence names; the parts say all of them. */
const MAX_REASONS = 3;
/** What is added counts for nothing below this: it would read 0.00. */
const LEAST_ADDED = 0.005;

function known(name: string): Known {
  const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  return part ?? { label: name, kind: "added" };
}

function place(name: string): number {
  const at = ORDER.indexOf(name);
  return at < 0 ? ORDER.length : at;
}

/** The parts of a value in the order in which they are told; the relevance itself is the sum of the views, and none. */
export function scoreParts(parts: Parts, about: About = {}): readonly ScorePart[] {
  const said = saidOf(about);
  return Object.entries(parts)
    .flatMap(([name, value]): ScorePart[] => {
      const none = name === "relevance" || value === undefined || value === 0 || !Number.isFinite(value);
      const { label, kind } = known(name);
      const says = Object.hasOwn(said, name) ? said[name] : undefined;
      return none ? [] : [{ name, value, label, kind, ...(says !== undefined && { says }) }];
    })
    .sort((a, b) => place(a.name) - place(b.name));
}

/** What was said of a memory, by the part of its value that it makes up. */
export function saidOf({ notes = {}, now }: About): Readonly<Record<string, string | undefined>> {
  const { score, scoreBy, verdict, rewardFor, rewardAt } = notes;
  const grade = score === undefined ? undefined : `${Number.isInteger(score) ? score : score.toFixed(1)}/5`;
  const ago = now === undefined || rewardAt === undefined ? "" : ` ${agoWords(now - rewardAt)}`;
  return {
    score:
      grade === undefined ? undefined : scoreBy === "user" ? `graded ${grade} by you` : `critic ${grade}`,
    verdict: verdict === undefined ? undefined : VERDICTS[verdict],
    reward: rewardFor === undefined ? undefined : `${rewardFor}${ago}`,
  };
}

const VERDICTS = { winner: "preferred", loser: "another answer was preferred", tie: "a tie" } as const;
const DAY_MS = 86_400_000;
const MONTH_DAYS = 30.44;
/** So many days are told as days, longer times as months. */
const MANY_DAYS = 60;

function agoWords(ms: number): string {
  const days = Math.floor(Math.max(0, ms) / DAY_MS);
  if (days === 0) return "less than a day ago";
  if (days === 1) return "a day ago";
  return days < MANY_DAYS ? `${days} days ago` : `${Math.round(days / MONTH_DAYS)} months ago`;
}

/** A figure with its sign: `+0.05`, `−0.10`. */
export function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

/**
 * Why something was recalled, in one sentence for people: the strongest of what makes it relevant, then what lifted
 * and what lowered it. The same words wherever it is asked: in the panel, the chat and the trace.
 */
export function whyRecalled(parts: Parts, about: About = {}): string {
  const all = scoreParts(parts, about);
  const views = all.filter(({ kind, value }) => kind === "view" && value > 0);
  const own = views
    .flatMap(({ name, value }) => {
      const part = known(name);
      return part.kind === "view" && part.because !== undefined ? [{ value, because: part.because }] : [];
    })
    .sort((a, b) => b.value - a.value);
  const reasons = own.filter(({ value }) => value >= (own[0]?.value ?? 0) / 2).slice(0, MAX_REASONS);
  const lifted = addedWords(all, true);
  const lowered = addedWords(all, false);
  const sentence = [
    beginning(
      reasons.map(({ because }) => because),
      views.length > 0,
    ),
    lifted && `lifted by ${lifted}`,
    lowered && `lowered by ${lowered}`,
  ];
  return `${sentence.filter(Boolean).join("; ")}.`;
}

function beginning(reasons: readonly string[], hasViews: boolean): string {
  if (reasons.length > 0) return `Recalled because ${listed(reasons)}`;
  return hasViews
    ? "Recalled because what stands beside it fits what was asked"
    : "Recalled, though nothing says why";
}

function addedWords(parts: readonly ScorePart[], up: boolean): string {
  const words = parts
    .filter(({ kind, value }) => kind === "added" && value > 0 === up && Math.abs(value) >= LEAST_ADDED)
    .map(({ name, label, value, says }) => {
      const part = known(name);
      const own = part.kind === "added" ? part.words?.[up ? 0 : 1] : undefined;
      const [what, figure] = [own ?? label, signed(value)];
      return says === undefined ? `${what} (${figure})` : `${what} (${says}, ${figure})`;
    });
  return listed(words);
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}
