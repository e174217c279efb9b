/**
 * The part of a notebook's metadata that names its log by the content. It is another one for each version of a file, so
 * it is told to VS Code as passing: else a comparison would call the notebook's metadata changed, whatever was.
 */
export const LOG_KEY = "conclaveLog";

/** What of a notebook VS Code neither compares nor hands back to be saved. */
export const TRANSIENT = { transientDocumentMetadata: { [LOG_KEY]: true } } as const;
