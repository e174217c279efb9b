/** Words that make a text a question and say nothing of what it is about. */
const QUESTION_WORDS = new Set(
  `what when where who whom whose which why how did do does done is are was were am be been being has have had can
  could would should will shall may might must tell say said says ask remember recall know think about please
  there any some ever me my i you your we us our it its he she they them their his her the a an of to in on at for
  from with by and or not that this these those as if so than then`.split(/\s+/),
);

/** Most words that a full-text query is made of. */
const MAX_WORDS = 64;
/** What of a query is looked at, in UTF-16 units. */
const MAX_QUERY = 4_000;

/**
 * The words of a query that are worth looking for, in order, each once: letters and digits only, so that no sign has
 * a meaning to the search. Empty when the query has none.
 */
export function contentWords(query: string): string[] {
  const words =
    query
      .slice(0, MAX_QUERY)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const wanted = words.filter((word) => !QUESTION_WORDS.has(word) && !/^(?:s|t|d|m|re|ve|ll)$/.test(word));
  return [...new Set(wanted)].slice(0, MAX_WORDS);
}
