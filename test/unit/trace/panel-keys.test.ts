import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { KEYS } from "../../../src/webview/keys.ts";

describe("the panel's keys", () => {
  it("are the same in its help and in the documentation", () => {
    const docs = readFileSync(new URL("../../../docs/trace.md", import.meta.url), "utf8");
    const section = docs.slice(docs.indexOf("## Keyboard"));
    const table = section.slice(0, section.indexOf("\n## ", 1));
    const rows = table
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .map((line) => line.split("|").map((part) => part.trim().replaceAll("`", "")))
      .slice(2)
      .map(([, where, keys, does]) => `${where}: ${keys}: ${does}`);
    const told = KEYS.flatMap(([where, keys]) =>
      keys.map(
        ({ keys: names, does }) => `${where.charAt(0).toLowerCase()}${where.slice(1)}: ${names}: ${does}`,
      ),
    );
    assert.deepEqual(rows, told);
  });
});
