import assert from "node:assert/strict";
import fc from "fast-check";
import { cleanUp, episode, never, temporaryFolder, valueOf } from "../support.ts";
import * as ollama from "../../../support/ollama/index.ts";
import type { ChatBody } from "../../../support/ollama/index.ts";
import { answers, fact, hasResult, messageIn, openBed } from "./bed.ts";

/** Texts that mean something to a filter, a pattern or a query language. */
const SIGNS = [
  `it's "fine" -- 100 %`,
  `why does "{0}" fail at $prev:* (NEAR?`,
  `x' OR '1'='1`,
  `Robert'); DROP TABLE episodes;--`,
  `\\' OR 1=1 /* */`,
  "AND OR NOT +boat -cat ~2 ^3 [a TO b] {c} boat*",
  "`boat` ${boat} %s %_ \\u0000 ''''",
];

/** Ids as nobody gives them but who means harm. */
const CRAFTED = ["x' OR '1'='1", "' OR true --", "%", "_", "*", "", "a') OR ('a'='a", "\\", "null"];

const chat = (body: ChatBody) => {
  const last = body.messages.at(-1)?.content ?? "";
  if (hasResult(body)) return answers("As you see.");
  return last.startsWith("Find ")
    ? [ollama.toolCall("search_memory", { query: last.slice(5) })]
    : answers("Noted.");
};

describe("Quotes and signs in paths, names, texts, ids and questions", () => {
  afterEach(cleanUp);

  it("are just text, from the question to the answer, in a folder and for a persona with an apostrophe", async () => {
    const bed = await openBed({
      chat,
      folder: await temporaryFolder("Dara O'Neil's "),
      settings: { agent: "O'Malley" },
      read: (shown) => ({
        facts: [fact(messageIn(shown), messageIn(shown))],
        entities: [{ name: "D'Arcy O'Malley", type: "person" }],
      }),
    });
    for (const text of SIGNS) {
      await bed.turn(`I wrote of the boat: ${text}`);
      const [result] = (await bed.turn(`Find the boat: ${text}`)).results;
      assert.match(result!, /I wrote of the boat/, text);
    }
    const before = (await bed.facts()).length;
    assert.ok(before > 0);
  });

  it("in an id remove nothing from any table, and the row with the quotes goes alone", async () => {
    const bed = await openBed({ chat });
    const quoted = episode({ question: SIGNS[0]!, sessionId: "O'Malley's session" });
    const others = [episode(), episode({ question: "The boat's in Oban." })];
    valueOf(await bed.memory.add([quoted, ...others], never));
    const count = async (): Promise<number> =>
      valueOf(await bed.memory.list({ table: "episodes", offset: 0, limit: 9 }, never)).total;
    for (const id of CRAFTED) {
      for (const table of ["episodes", "facts", "people", "relationships", "resources"] as const) {
        const gone = await bed.memory.forget({ by: "ids", table, ids: [id] }, never);
        assert.equal(gone.ok ? gone.value.removed : 0, 0, `${table} ${id}`);
      }
      const turns = await bed.memory.forget({ by: "turns", turnIds: [id] }, never);
      assert.equal(turns.ok ? turns.value.removed : 0, 0, id);
    }
    assert.equal(await count(), 3);
    const gone = valueOf(await bed.memory.forget({ by: "ids", table: "episodes", ids: [quoted.id] }, never));
    assert.equal(gone.removed, 1);
    assert.equal(await count(), 2);
  });

  it("in any question give hits or none, in every kind of search, and never an error", async () => {
    const bed = await openBed({ chat });
    valueOf(await bed.memory.add([episode({ question: `The boat: ${SIGNS.join(" ")}` })], never));
    const sign = fc.constantFrom(...`'"\\%_*?:()[]{}^~+-!&|/;,.$\`#@ ANDORNOT`.split(""));
    const query = fc.oneof(
      fc.array(sign, { maxLength: 30 }).map((signs) => signs.join("")),
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.constantFrom(...SIGNS),
    );
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const asked = { query: text.toWellFormed() };
        for (const search of [bed.memory.search(asked, never), bed.memory.searchAll(asked, never)]) {
          const found = await search;
          assert.ok(found.ok || found.failure.code === "bad_input", JSON.stringify(found));
        }
      }),
      { numRuns: 40 },
    );
  });
});
