/** A run of letters of scripts that put no space between words. */
const RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30FC]+/gu;

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/**
 * A text whose words all stand apart, as an index needs them that cuts at spaces: those of Chinese, Japanese, Thai and
 * other scripts without spaces are found by Unicode's rules and dictionaries. All else stays as it is.
 */
export function wordsApart(text: string): string {
  return text.replace(
    RUN,
    (run) => ` ${[...segmenter.segment(run)].map(({ segment }) => segment).join(" ")} `,
  );
}
