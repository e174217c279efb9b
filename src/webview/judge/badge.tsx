import type { VNode } from "preact";
import { gradeWord, ungradedWords } from "../../trace/judged-words.ts";

function toneOf(score: number): string {
  return score < 2.5 ? "low" : score < 3.5 ? "middle" : "high";
}

/**
 * A grade in its badge: the number, its word and a colour. None is said in words, with the reason where there is one. A
 * short one, in lists, leaves its word to those who listen and to the pointer.
 */
export function GradeBadge(props: {
  readonly score: number | null;
  readonly why?: string | undefined;
  readonly short?: boolean;
}): VNode {
  const { score, why, short = false } = props;
  if (score === null) {
    const words = ungradedWords(why);
    return (
      <span class="grade none" title={words}>
        {short ? "not graded" : words}
      </span>
    );
  }
  const word = gradeWord(score);
  return (
    <span class={`grade ${toneOf(score)}`} {...(short && { title: word })}>
      {score}/5<span class={short ? "sr-only" : "grade-word"}> {word}</span>
    </span>
  );
}
