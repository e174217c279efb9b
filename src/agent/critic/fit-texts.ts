import { messagesTokens, textTokens } from "../context.ts";
import type { ChatMessage } from "../models/types.ts";
import { shareOut } from "../prompt.ts";
import { cutAtGrapheme, wellFormed } from "../text.ts";
import { fenceFor } from "./fence.ts";
import type { JudgedTexts, ShownText } from "./judge-form.ts";
import type { Rubric } from "./types.ts";

/** Text (UTF-16 units) that is looked at of one text at most. */
export const MAX_JUDGED = 400_000;
/** Of the room, so much is for the sources where there is not room for all. */
const SOURCES_SHARE = 1 / 3;

/** What is to be judged, whole. */
export interface WholeTexts {
  readonly question: string;
  readonly answers: readonly string[];
  readonly sources?: string;
  readonly reference?: string;
  readonly rubric: Rubric;
}

/**
 * Cuts the texts so that the messages made of them take at most `room` estimated tokens, and says what was cut; nothing
 * when there is not even room for the messages around them.
 */
export function fitTexts(
  whole: WholeTexts,
  make: (texts: JudgedTexts) => readonly ChatMessage[],
  room: number,
): readonly ChatMessage[] | undefined {
  const main = [
    whole.question,
    ...whole.answers,
    ...(whole.reference === undefined ? [] : [whole.reference]),
  ];
  const texts = main.map(bounded);
  const sources = whole.sources === undefined ? undefined : bounded(whole.sources);
  const fence = fenceFor([...texts, ...(sources === undefined ? [] : [sources])]);
  const judged = (cuts: readonly string[], cutSources: string): JudgedTexts => {
    const shown = cuts.map((text, at) => shownText(text, main[at] ?? ""));
    const answers = shown.slice(1, 1 + whole.answers.length);
    const [question = { text: "", note: "" }] = shown;
    const reference = whole.reference === undefined ? undefined : shown.at(-1);
    return {
      question,
      answers,
      rubric: whole.rubric,
      fence,
      ...(whole.sources !== undefined && { sources: shownText(cutSources, whole.sources) }),
      ...(reference && { reference }),
    };
  };
  const empty = make(
    judged(
      texts.map(() => ""),
      "",
    ),
  );
  const left = room - messagesTokens(empty);
  if (left <= 0) return undefined;
  const wanted = sources === undefined ? 0 : textTokens(sources);
  const cuts = shareOut(texts, left - Math.min(wanted, left * SOURCES_SHARE));
  const used = cuts.reduce((sum, text) => sum + textTokens(text), 0);
  const [cutSources = ""] = sources === undefined ? [] : shareOut([sources], left - used);
  return make(judged(cuts, cutSources));
}

function bounded(text: string): string {
  return wellFormed(cutAtGrapheme(text, MAX_JUDGED));
}

function shownText(text: string, whole: string): ShownText {
  const note =
    text.length < whole.length ? `only the first ${text.length} of ${whole.length} characters` : "";
  return { text, note };
}
