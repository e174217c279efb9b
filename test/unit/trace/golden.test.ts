import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { emptySession, foldSession, markInterrupted } from "../../../src/trace/fold.ts";
import { readLogFile } from "../../../src/trace/log-reader.ts";
import { snapshot } from "./support/snapshot.ts";

const FIXTURES = fileURLToPath(new URL("./fixtures/", import.meta.url));

/** With UPDATE_GOLDEN=1 the golden texts are written anew, to be read before they are kept. */
const UPDATE = process.env["UPDATE_GOLDEN"] === "1";

describe("read model of recorded turns", () => {
  for (const name of readdirSync(FIXTURES).filter((file) => file.endsWith(".jsonl"))) {
    it(`${name} reads as its golden text says`, async () => {
      let session: ReturnType<typeof emptySession> | undefined;
      for await (const { item } of readLogFile(`${FIXTURES}${name}`)) {
        if (item.type === "session") session = emptySession(item.session.sessionId);
        if (item.type === "event" && session) foldSession(session, item.event);
      }
      const turns = [...(session?.turns.values() ?? [])];
      turns.forEach(markInterrupted);
      const text = turns.map(snapshot).join("");
      const golden = `${FIXTURES}${name.replace(/\.jsonl$/, ".golden.txt")}`;
      if (UPDATE) writeFileSync(golden, text);
      assert.equal(text, readFileSync(golden, "utf8"));
    });
  }
});
