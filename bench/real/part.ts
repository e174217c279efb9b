import type { Terminal } from "../../src/cli/terminal.ts";
import type { RealScripts } from "./model-source.ts";

/** What every part works with. */
export interface RealBench {
  readonly terminal: Terminal;
  /** Absolute path of the checkout. */
  readonly root: string;
  readonly scripts: RealScripts;
  /** Fires when the run is to stop at once. */
  readonly signal: AbortSignal;
}

/** One thing that is tried with real models: `npm run eval:real -- NAME [options]`. */
export interface Part {
  readonly name: string;
  /** One line for the list of parts. */
  readonly about: string;
  /** Runs it with the arguments that follow its name, and gives the exit code. Never rejects. */
  run(args: readonly string[], bench: RealBench): Promise<number>;
}
