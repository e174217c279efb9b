import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../golden/", import.meta.url));

/** With UPDATE_GOLDEN=1 the golden texts are written anew, to be read before they are kept. */
const UPDATE = process.env["UPDATE_GOLDEN"] === "1";

/** A text is what its golden file says. */
export function isGolden(name: string, text: string): void {
  const path = `${FOLDER}${name}.golden.txt`;
  if (UPDATE) writeFileSync(path, text);
  assert.equal(text, readFileSync(path, "utf8"));
}
