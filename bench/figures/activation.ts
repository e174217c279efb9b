import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { interleave, median, quartiles, type Figure, type Measured } from "../frame.ts";
import { build, ROOT } from "../support/build.ts";

const ROUNDS = 15;
const WARM_UP = 2;
const CHILD = fileURLToPath(new URL("../support/activation-child.cjs", import.meta.url));

/** Milliseconds that a bundle takes to be loaded and activated in a process of its own. */
async function activate(bundle: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, bundle, ROOT]);
  const { ms, native } = JSON.parse(stdout) as { ms: number; native: string[] };
  if (native.length > 0) throw new Error(`activation loads native modules: ${native.join(", ")}`);
  return ms;
}

async function measure(): Promise<Measured> {
  await build();
  const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
  const empty = join(folder, "empty.cjs");
  await writeFile(empty, 'const vscode = require("vscode");\nexports.activate = () => void vscode;\n');
  try {
    const pair = await interleave(
      ROUNDS,
      WARM_UP,
      () => activate(join(ROOT, "dist", "extension.cjs")),
      () => activate(empty),
    );
    return {
      value: median(pair.ours),
      reference: { name: "an extension that does nothing", value: median(pair.reference), unit: "ms" },
      rounds: ROUNDS,
      spread: quartiles(pair.ours),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What activation costs the editor. */
export const activation: Figure = {
  name: "activation.own.ms",
  unit: "ms",
  goal: 50,
  about:
    "loading and activating the bundle in a fresh process, with a stand-in for VS Code and no native module",
  measure,
};
