import type { Failure, Result } from "../../agent/failure.ts";
import type { MemoryStatus } from "../../agent/memory/port.ts";
import type { ModelInfo } from "../../agent/models/types.ts";
import type { CallForm } from "../../agent/protocols/call-form.ts";
import { plainMarkdown } from "../chat/words.ts";
import type { ModelEntry } from "../models/entry.ts";
import type { Settings } from "../settings-schema.ts";

/** A model that the server holds in memory. */
export interface LoadedModel {
  readonly name: string;
  /** What it was loaded with, in tokens. */
  readonly contextLength?: number;
  readonly sizeBytes?: number;
}

/** All that Check Set-up looks at, gathered beforehand. */
export interface SetupFacts {
  readonly extensionVersion: string;
  readonly vscodeVersion: string;
  /** The server's address as it is shown, without a password. */
  readonly host: string;
  readonly settings: Settings;
  readonly settingProblems: readonly string[];
  /** What the workspace asked for and did not get, in one line. */
  readonly refusedLine?: string;
  readonly version: Result<string>;
  readonly models: Result<readonly ModelEntry[]>;
  readonly loaded: readonly LoadedModel[];
  /** What the chosen model's server says of it; left out when none is chosen. */
  readonly chosen?: Result<ModelInfo>;
  /** How its calls came when it was asked for one; left out when it was not. */
  readonly calls?: Result<CallForm>;
  readonly memory: MemoryStatus;
  readonly searchKeySet: boolean;
  /** Whether this editor has a Chat view for participants. */
  readonly chat: boolean;
}

/** One line of the report. */
export interface SetupLine {
  readonly part: string;
  readonly state: "ok" | "fault" | "note";
  readonly found: string;
  /** What to do about it, for a fault. */
  readonly todo?: string;
}

/** A line that says that a part is there. */
export const ok = (part: string, found: string): SetupLine => ({ part, state: "ok", found });
/** A line that says what is worth knowing of a part, and what could be done. */
export const note = (part: string, found: string, todo?: string): SetupLine => ({
  part,
  state: "note",
  found,
  ...(todo === undefined ? {} : { todo }),
});
/** A line that says what is wrong with a part, and what to do. */
export const fault = (part: string, found: string, todo: string): SetupLine => ({
  part,
  state: "fault",
  found,
  todo,
});

const HOW: Partial<Record<NonNullable<Failure["action"]>, string>> = {
  start_ollama: "Start Ollama (`ollama serve`, or its app), then check again.",
  select_model: "Run **Conclave: Select Model**.",
  pull_model: "Run **Conclave: Pull Model**.",
  open_settings: "Change the setting it names.",
};

/** What failed, in its own words, with what its action stands for. */
export function failureLine(part: string, { message, action }: Failure): SetupLine {
  return fault(
    part,
    plainMarkdown(message),
    HOW[action ?? "check_setup"] ?? "See **Conclave: Show Log** for more.",
  );
}
