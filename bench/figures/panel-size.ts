import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Figure, Measured } from "../frame.ts";
import { build, ROOT } from "../support/build.ts";

const KB = 1_000;

async function sizes(file: string): Promise<{ readonly plain: number; readonly gzip: number }> {
  const bytes = await readFile(join(ROOT, "dist", file));
  return { plain: bytes.length / KB, gzip: gzipSync(bytes, { level: 9 }).length / KB };
}

async function measure(): Promise<Measured> {
  await build();
  const [script, styles] = [await sizes("webview.js"), await sizes("webview.css")];
  return {
    value: script.gzip,
    reference: { name: "uncompressed", value: script.plain, unit: "kB" },
    rounds: 1,
    spread: [script.gzip, script.gzip],
    note: `its styles apart: ${styles.gzip.toFixed(1)} kB gzip, ${styles.plain.toFixed(1)} kB plain`,
  };
}

/** What the trace panel's script weighs. */
export const panelSize: Figure = {
  name: "panel.gzip.kb",
  unit: "kB",
  goal: 120,
  about: "the trace panel's script, gzip",
  measure,
};
