import assert from "node:assert/strict";
import { coveredBy, globTest } from "../../../src/tools/workspace/glob.ts";

describe("globs", () => {
  const cases: readonly (readonly [glob: string, matches: readonly string[], others: readonly string[]])[] = [
    ["*.ts", ["a.ts", ".ts"], ["a.tsx", "src/a.ts"]],
    ["**/*.ts", ["a.ts", "src/a.ts", "src/deep/a.ts"], ["a.js", "src/a.ts/b"]],
    ["src/**", ["src/a", "src/a/b", "src"], ["a/src"]],
    ["src/**/test/*.js", ["src/test/a.js", "src/a/b/test/c.js"], ["src/test/a/b.js"]],
    ["**/.git", [".git", "a/.git"], [".gitignore"]],
    ["{a,b}/*.{js,ts}", ["a/x.js", "b/y.ts"], ["c/x.js", "a/x.md"]],
    ["{a,{b,c}}", ["a", "b", "c"], ["d"]],
    ["file?.[a-c0]", ["file1.a", "fileX.0"], ["file.a", "file1.d"]],
    ["[!a]b", ["bb"], ["ab"]],
    ["a{b", ["a{b"], ["ab"]],
    ["a.b", ["a.b"], ["axb"]],
  ];
  for (const [glob, matches, others] of cases) {
    it(`${glob} means what editors mean by it`, () => {
      for (const path of matches) assert.equal(globTest(glob)(path), true, path);
      for (const path of others) assert.equal(globTest(glob)(path), false, path);
    });
  }

  it("that cover a folder cover all that is in it", () => {
    const covered = coveredBy(["**/node_modules", "out"]);
    assert.ok(covered("node_modules") && covered("a/node_modules/b/c.js") && covered("out/x"));
    assert.ok(!covered("a/out") && !covered("src/modules"));
  });

  it("take no longer for a glob that was made to be slow", () => {
    const slow = globTest(`**/${"*a".repeat(200)}b`);
    assert.equal(slow(`${"a".repeat(250)}/${"a".repeat(250)}`), false);
    assert.equal(globTest(`${"**/".repeat(150)}x`)("a/".repeat(500)), false);
    assert.equal(globTest("{a,b}".repeat(80))("ab"), false);
  });
});
