import { agentFileForm } from "../../agent/agents/file-form.ts";
import { AGENT_FOLDERS, MAX_FILES, RULES_FILE, type GivenFile } from "../../agent/agents/files.ts";
import { MAX_BYTES } from "../../agent/agents/find-files.ts";
import { describeError } from "../../agent/failure.ts";

/** A file that was read ahead, or why it was not. */
export type ReadAhead<Kind extends string> = Omit<GivenFile, "origin"> & { readonly origin: Kind };

/** Which files of a workspace folder are read ahead. */
export interface WantedFiles<Kind extends string> {
  readonly origin: Kind;
  /** A folder below that of the workspace, whose files are wanted by their names. */
  readonly folder?: string;
  readonly isWanted: (name: string) => boolean;
  /** A single file at the top. */
  readonly file?: string;
}

const AGENT_FILES: readonly WantedFiles<GivenFile["origin"]>[] = [
  ...(["workspace", "github", "claude"] as const).map((origin) => ({
    origin,
    folder: AGENT_FOLDERS[origin],
    isWanted: (name: string) => agentFileForm(name, origin) !== undefined,
  })),
  { origin: "rules", file: RULES_FILE, isWanted: () => true },
];

/** A workspace folder that is not on this machine's disk. */
export interface VirtualFolder {
  readonly name: string;
  readonly address: string;
}

/** Reaches files by their addresses; everything rejects for what is not there. */
export interface VirtualFileSystem {
  /** The address of what lies in a folder. */
  join(address: string, ...names: readonly string[]): string;
  /** Names of the files in a folder. */
  list(address: string): Promise<readonly string[]>;
  stat(address: string): Promise<{ readonly size: number; readonly mtime: number }>;
  read(address: string): Promise<Uint8Array>;
}

/**
 * Files of workspace folders elsewhere, such as a repository that is open without a clone. They can't be read in one go
 * with the question that needs them, so they are read ahead.
 */
export class VirtualFiles<Kind extends string> {
  readonly #files: VirtualFileSystem;
  readonly #wantedFiles: readonly WantedFiles<Kind>[];
  readonly #onChange: () => void;
  #given: readonly ReadAhead<Kind>[] = [];
  #reading: Promise<void> = Promise.resolve();
  #wanted = 0;

  /** `onChange` hears that there is something else than before. */
  constructor(files: VirtualFileSystem, wanted: readonly WantedFiles<Kind>[], onChange: () => void) {
    this.#files = files;
    this.#wantedFiles = wanted;
    this.#onChange = onChange;
  }

  /** What was read last. */
  get given(): readonly ReadAhead<Kind>[] {
    return this.#given;
  }

  /** Reads these folders anew, and no others; the last wish counts. Never rejects. */
  refresh(folders: readonly VirtualFolder[]): Promise<void> {
    this.#wanted += 1;
    const mine = this.#wanted;
    this.#reading = this.#reading.then(async () => {
      if (mine !== this.#wanted) return;
      const given = (await Promise.all(folders.map((folder) => this.#folder(folder)))).flat();
      if (mine !== this.#wanted || marks(given) === marks(this.#given)) return;
      this.#given = given;
      this.#onChange();
    });
    return this.#reading;
  }

  async #folder({ name, address }: VirtualFolder): Promise<readonly ReadAhead<Kind>[]> {
    const all = this.#wantedFiles.map(async ({ origin, folder, isWanted, file }) => {
      if (file !== undefined) return [await this.#file(this.#files.join(address, file), origin, name)];
      const place = this.#files.join(address, ...(folder ?? "").split(/[\\/]/u));
      const names = await this.#files.list(place).catch(() => []);
      const few = [...names].filter(isWanted).sort().slice(0, MAX_FILES);
      return Promise.all(few.map((one) => this.#file(this.#files.join(place, one), origin, name)));
    });
    return (await Promise.all(all)).flat().flatMap((file) => file ?? []);
  }

  async #file(path: string, origin: Kind, folder: string): Promise<ReadAhead<Kind> | undefined> {
    const found = await this.#files.stat(path).catch(() => undefined);
    if (found === undefined) return undefined;
    const stamp = `${found.mtime} ${found.size}`;
    const file = { path, origin, folder, stamp };
    const unread = { ...file, stamp: `${stamp} unread` };
    const known = this.#given.find((one) => one.path === path && one.stamp === stamp);
    if (known !== undefined) return known;
    if (found.size > MAX_BYTES)
      return { ...unread, content: `it has more than ${MAX_BYTES / 1024} KB. Make it shorter.` };
    try {
      return { ...file, content: await this.#files.read(path) };
    } catch (error) {
      return { ...unread, content: describeError(error) };
    }
  }
}

/** The agent files of workspace folders elsewhere. */
export class VirtualAgentFiles extends VirtualFiles<GivenFile["origin"]> {
  /** `onChange` hears that there is something else than before. */
  constructor(files: VirtualFileSystem, onChange: () => void) {
    super(files, AGENT_FILES, onChange);
  }
}

function marks(files: readonly ReadAhead<string>[]): string {
  return JSON.stringify(
    files.map(({ path, stamp, content }) => [path, stamp, typeof content === "string" ? content : ""]),
  );
}
