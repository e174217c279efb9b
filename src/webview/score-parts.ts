/** A part of why something was recalled. */
export interface ScorePart {
  readonly name: string;
  /** In plain words. */
  readonly label: string;
  readonly value: number;
  readonly tone: "tool" | "thinking" | "memory" | "answer" | "model";
  /** What makes up the relevance, or what is added to it. */
  readonly kind: "view" | "added";
}

type Known = Omit<ScorePart, "name" | "value">;

const PARTS: { readonly [name: string]: Known } = {
  text: { label: "text", tone: "thinking", kind: "view" },
  vector: { label: "meaning", tone: "tool", kind: "view" },
  window: { label: "meaning, with what stands around it", tone: "tool", kind: "view" },
  textNeighbours: { label: "neighbours, by text", tone: "model", kind: "view" },
  vectorNeighbours: { label: "neighbours, by meaning", tone: "model", kind: "view" },
  windowNeighbours: { label: "neighbours, by what stands around them", tone: "model", kind: "view" },
  neighbours: { label: "neighbours", tone: "model", kind: "view" },
  rerank: { label: "second look", tone: "tool", kind: "view" },
  speaker: { label: "who said it", tone: "answer", kind: "view" },
  time: { label: "the time asked about", tone: "memory", kind: "view" },
  substance: { label: "how much it says", tone: "model", kind: "view" },
  score: { label: "grade", tone: "answer", kind: "added" },
  verdict: { label: "verdict", tone: "answer", kind: "added" },
  reward: { label: "reward", tone: "answer", kind: "added" },
  recency: { label: "age", tone: "memory", kind: "added" },
  pin: { label: "pin", tone: "memory", kind: "added" },
};

const ORDER = Object.keys(PARTS);

function known(name: string): Known {
  const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  return part ?? { label: name, tone: "model", kind: "added" };
}

function place(name: string): number {
  const at = ORDER.indexOf(name);
  return at < 0 ? ORDER.length : at;
}

/** The parts of a score in the order in which they are told; the relevance itself is the sum of the views, and none. */
export function scoreParts(parts: { readonly [name: string]: number }): readonly ScorePart[] {
  return Object.entries(parts)
    .filter(([name, value]) => name !== "relevance" && Number.isFinite(value) && value !== 0)
    .map(([name, value]) => ({ name, value, ...known(name) }))
    .sort((a, b) => place(a.name) - place(b.name));
}

/** A figure with its sign: `+0.05`, `−0.10`. */
export function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

const BY_VIEW: { readonly [name: string]: string } = {
  text: "it shares words with what was asked",
  vector: "it means much the same as what was asked",
  window: "what was said around it fits what was asked",
  rerank: "a second look found that it fits what was asked",
  speaker: "the one who was asked about said it",
  time: "it is of the time that was asked about",
};

const BY_ADDED: { readonly [name: string]: readonly [string, string] } = {
  score: ["its good grade", "its poor grade"],
  verdict: ["the verdict for it", "the verdict against it"],
  reward: ["your good opinion of it", "your poor opinion of it"],
  recency: ["being recent", "its age"],
  pin: ["your pin", "your pin"],
};

/** Reasons that the sentence names; the parts say all of them. */
const MAX_REASONS = 3;

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

function addedWords(parts: readonly ScorePart[], up: boolean): string {
  const words = parts
    .filter(({ kind, value }) => kind === "added" && value > 0 === up && Math.abs(value) >= 0.005)
    .map(({ name, label, value }) => {
      const [good, poor] = Object.hasOwn(BY_ADDED, name) ? (BY_ADDED[name] ?? []) : [];
      return `${(up ? good : poor) ?? label} (${signed(value)})`;
    });
  return listed(words);
}

/** Why something was recalled, in one sentence. */
export function whyRecalled(parts: { readonly [name: string]: number }): string {
  const all = scoreParts(parts);
  const views = all.filter(({ kind, value }) => kind === "view" && value > 0);
  const own = views.filter(({ name }) => Object.hasOwn(BY_VIEW, name)).sort((a, b) => b.value - a.value);
  const reasons = own
    .filter(({ value }) => value >= (own[0]?.value ?? 0) / 2)
    .slice(0, MAX_REASONS)
    .map(({ name }) => BY_VIEW[name] ?? "");
  const begin =
    reasons.length > 0
      ? `Recalled because ${listed(reasons)}`
      : views.length > 0
        ? "Recalled because what stands beside it fits what was asked"
        : "Recalled, though nothing says why";
  const lifted = addedWords(all, true);
  const lowered = addedWords(all, false);
  return `${[begin, lifted && `lifted by ${lifted}`, lowered && `lowered by ${lowered}`].filter(Boolean).join("; ")}.`;
}
