import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../../agent/failure.ts";
import { parsePersona, type Persona } from "../../agent/persona.ts";

/** Where agent files are in a workspace folder and in the user's home. */
export const AGENT_FOLDER = join(".conclave", "agents");

const ENDINGS = [".yaml", ".yml", ".json"];
/** A larger file is no agent file; bytes. */
const MAX_BYTES = 512 * 1024;

/** Where personas are looked for, and who is told what is wrong with a file. */
export interface PersonaFilesOptions {
  /** Folders of agent files, those that come first win. */
  readonly folders: () => readonly string[];
  /** Takes one line for people; told once for each state of a file. */
  readonly onProblem: (line: string) => void;
}

interface Read {
  readonly stamp: string;
  readonly persona: Persona | undefined;
}

/**
 * Who an agent is, by the file that bears its name. A file is looked at before each turn and read when it has changed:
 * it is small, and what was just saved holds at once. Never throws.
 */
export class PersonaFiles {
  readonly #options: PersonaFilesOptions;
  readonly #read = new Map<string, Read>();

  constructor(options: PersonaFilesOptions) {
    this.#options = options;
  }

  /** The persona of an agent; undefined when no file bears its name, or the one that does can't be used. */
  of(agent: string): Persona | undefined {
    if (!/^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,99}$/u.test(agent)) return undefined;
    const paths = this.#options
      .folders()
      .flatMap((folder) => ENDINGS.map((ending) => join(folder, `${agent}${ending}`)));
    for (const path of paths) {
      const stamp = stampOf(path);
      if (stamp !== undefined) return this.#persona(path, stamp);
    }
    return undefined;
  }

  #persona(path: string, stamp: string): Persona | undefined {
    const known = this.#read.get(path);
    if (known?.stamp === stamp) return known.persona;
    const persona = this.#parse(path);
    this.#read.clear();
    this.#read.set(path, { stamp, persona });
    return persona;
  }

  #parse(path: string): Persona | undefined {
    try {
      const parsed = parsePersona(readFileSync(path, "utf8"));
      if (parsed.ok) return parsed.persona;
      this.#options.onProblem(`${path}: ${parsed.failure.message}`);
    } catch (error) {
      this.#options.onProblem(`${path}: ${describeError(error)}`);
    }
    return undefined;
  }
}

/** What changes when a file is saved; undefined when there is no such file. */
function stampOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= MAX_BYTES ? `${found.mtimeMs} ${found.size}` : undefined;
}
