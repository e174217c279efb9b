/** A folder that is open in the editor, on this machine's disk. */
export interface WorkspaceFolder {
  /** What it is called; paths begin with it where several folders are open. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
}

/** Something that the editor found wrong with a file. */
export interface FoundProblem {
  /** Absolute path. */
  readonly path: string;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly message: string;
  /** Who found it, and its number there, where known. */
  readonly source?: string;
  readonly code?: string;
}

/** The user's folders as the editor knows them. Asked anew for each call; must not throw. */
export interface WorkspacePort {
  /** Whether the user trusts what is open. */
  isTrusted(): boolean;
  folders(): readonly WorkspaceFolder[];
  /** Globs of what is hidden in a folder, relative to it. */
  hidden(folder: string): readonly string[];
  /** Globs of what else a search leaves out. */
  unsearched(folder: string): readonly string[];
  /** The text of a file as it stands in an editor, where it has changes that are not saved. */
  unsaved(path: string): string | undefined;
  problems(): readonly FoundProblem[];
}
