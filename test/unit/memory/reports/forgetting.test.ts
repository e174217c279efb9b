import assert from "node:assert/strict";
import { cleanUp } from "../support.ts";
import * as ollama from "../../../support/ollama/index.ts";
import type { ChatBody } from "../../../support/ollama/index.ts";
import { answers, fact, hasResult, messageIn, openBed, type BedOptions } from "./bed.ts";

/** Forgets when it is asked to, with the name that stands in the question. */
const chat = (body: ChatBody) => {
  const last = body.messages.at(-1)?.content ?? "";
  if (hasResult(body)) return answers("That is gone.");
  const about = /forget all about (\w+)/i.exec(last)?.[1];
  return about === undefined ? answers("Noted.") : [ollama.toolCall("forget_memory", { query: about })];
};

const read: BedOptions["read"] = (shown) => ({
  facts: [fact(messageIn(shown), messageIn(shown))],
  entities: [{ name: "Petra", type: "person" }],
});

describe("A turn in which something is forgotten", () => {
  afterEach(cleanUp);

  it("is not remembered itself: its own words would bring back what went", async () => {
    const bed = await openBed({ chat, read, confirm: () => Promise.resolve(true) });
    await bed.turn("My neighbour Petra plays the cello.");
    assert.equal((await bed.facts()).length, 1);
    const gone = await bed.turn("Petra has moved away; forget all about Petra.");
    assert.match(gone.results[0]!, /^Forgotten: /);
    await bed.turn("The weather is fine here, I am told.");
    const kept = JSON.stringify([await bed.facts(), await bed.people(), await bed.relationships()]);
    assert.doesNotMatch(kept, /Petra/);
    const found = await bed.turn("hi");
    assert.doesNotMatch(JSON.stringify(found.results), /Petra/);
  });

  it("is remembered as any other when the user says no", async () => {
    const bed = await openBed({ chat, read, confirm: () => Promise.resolve(false) });
    await bed.turn("My neighbour Petra plays the cello.");
    const declined = await bed.turn("I am moving to Bergen; forget all about Petra.");
    assert.match(declined.results[0]!, /declined/);
    assert.notEqual(declined.learned, undefined);
    assert.match(JSON.stringify(await bed.facts()), /cello/);
  });
});
