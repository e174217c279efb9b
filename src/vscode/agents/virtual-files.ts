import { agentFileForm } from "../../agent/agents/file-form.ts";
import { AGENT_FOLDERS, MAX_BYTES, MAX_FILES, RULES_FILE, type GivenFile } from "../../agent/agents/files.ts";
import { describeError } from "../../agent/failure.ts";

/** Where agents of a workspace are kept, by their origin. */
const ORIGINS = ["workspace", "github", "claude"] as const;

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
 * The agent files of workspace folders elsewhere, such as a repository that is open without a clone. They can't be read
 * in one go with the question that needs them, so they are read ahead.
 */
export class VirtualAgentFiles {
  readonly #files: VirtualFileSystem;
  readonly #onChange: () => void;
  #given: readonly GivenFile[] = [];
  #reading: Promise<void> = Promise.resolve();
  #wanted = 0;

  /** `onChange` hears that there is something else than before. */
  constructor(files: VirtualFileSystem, onChange: () => void) {
    this.#files = files;
    this.#onChange = onChange;
  }

  /** What was read last. */
  get given(): readonly GivenFile[] {
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

  async #folder({ name, address }: VirtualFolder): Promise<readonly GivenFile[]> {
    const agents = ORIGINS.map(async (origin) => {
      const folder = this.#files.join(address, ...AGENT_FOLDERS[origin].split(/[\\/]/u));
      const names = await this.#files.list(folder).catch(() => []);
      const wanted = [...names].filter((file) => agentFileForm(file, origin) !== undefined).sort();
      const few = wanted.slice(0, MAX_FILES);
      return Promise.all(few.map((file) => this.#file(this.#files.join(folder, file), origin, name)));
    });
    const rules = this.#file(this.#files.join(address, RULES_FILE), "rules", name);
    return [...(await Promise.all(agents)).flat(), await rules].flatMap((file) => file ?? []);
  }

  async #file(path: string, origin: GivenFile["origin"], folder: string): Promise<GivenFile | undefined> {
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

function marks(files: readonly GivenFile[]): string {
  return JSON.stringify(
    files.map(({ path, stamp, content }) => [path, stamp, typeof content === "string" ? content : ""]),
  );
}
