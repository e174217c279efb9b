import assert from "node:assert/strict";
import { callsAskedFor } from "../../../src/agent/asked-calls.ts";
import { makeTool, toolSet } from "./support.ts";

const TOOLS = toolSet(makeTool({ name: "read_file" }), makeTool({ name: "web_fetch" }));
const pathsIn = (question: string) => callsAskedFor(TOOLS, question).map((call) => call.arguments["path"]);

describe("the files that a question names", () => {
  it("are named by whole paths, from a drive or the root on", () => {
    assert.deepEqual(pathsIn("Look at C:\\work\\app\\main.ts please"), ["C:\\work\\app\\main.ts"]);
    assert.deepEqual(pathsIn("see:/srv/app/main.ts and ../lib/a.ts"), ["/srv/app/main.ts", "../lib/a.ts"]);
  });

  it("end with their extension, also in a script without spaces", () => {
    assert.deepEqual(pathsIn("src/main.tsを説明して"), ["src/main.ts"]);
    assert.deepEqual(pathsIn("Was tut lib/größe.RS?"), ["lib/größe.RS"]);
  });

  it("are looked for in pasted text of any length", () => {
    assert.deepEqual(pathsIn(`${"x".repeat(1_000_000)} src/main.ts`), ["src/main.ts"]);
  });
});
