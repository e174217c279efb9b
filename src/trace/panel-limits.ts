/*
 * Apart from the protocol, so that the panel's script does not carry the checks of the host.
 */

/** No message to the panel is larger than this, in bytes of JSON. */
export const MAX_MESSAGE_BYTES = 256 * 1024;

/** Longest note or reason of the user, in UTF-16 units. */
export const MAX_NOTE = 2_000;

/** Longest reference answer that a grade goes by, in UTF-16 units. */
export const MAX_REFERENCE = 8_000;

/** How much of an answer is copied or put into a file at most, in UTF-16 units. */
export const MAX_USED = 200_000;

/** Rows of memory on one page at most. */
export const MEMORY_PAGE = 100;

/** Hits that a ranked search in the memory view gives at most. */
export const MEMORY_HITS = 50;
