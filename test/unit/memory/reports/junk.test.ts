import assert from "node:assert/strict";
import type { Persona } from "../../../../src/agent/persona.ts";
import { cleanUp } from "../support.ts";
import { answers, fact, messageIn, openBed, type BedOptions } from "./bed.ts";

const VERA: Persona = {
  kind: "persona",
  name: "Vera",
  job: "marine biologist in Tromsoe",
  bio: "Studies whales; speaks in a formal tone.",
  traits: ["formal"],
  family: [],
  interests: [{ name: "whales", score: 0.8 }],
  relationships: [],
};

/** What a careless model makes of any message: the persona and the talk itself, as if the user had said them. */
const read: BedOptions["read"] = (shown) => ({
  entities: [
    { name: "Vera", type: "person" },
    { name: "Tromsoe", type: "place" },
  ],
  facts: ["", messageIn(shown), "marine biologist in Tromsoe"].flatMap((quote) =>
    ["User is a marine biologist", "User prefers formal tone", "User said ok"].map((text) =>
      fact(quote === "" ? "..." : quote, text),
    ),
  ),
  relations: [
    { quote: messageIn(shown), from: "user", type: "works_as", to: "marine biologist", current: true },
    { quote: messageIn(shown), from: "user", type: "lives_in", to: "Tromsoe", current: true },
  ],
  interests: ["whales", "marine biology"],
});

const settings = { persona: VERA, agent: "Vera" };
const chat: BedOptions["chat"] = () => answers("As a marine biologist in Tromsoe I gladly help you.");

describe("Small talk with a persona", () => {
  afterEach(cleanUp);

  it("leaves no fact, person, relation or interest of the user, and the trace says that it was small talk", async () => {
    const bed = await openBed({ chat, read, settings, memory: { card: "always" } });
    let sessionId: string | undefined;
    for (const words of ["hi", "ok thanks", "can you make that shorter?", "run it again"]) {
      const turn = await bed.turn(words, sessionId);
      sessionId = turn.sessionId;
      assert.equal(turn.learned?.data["conclave.extracted"], 0);
      assert.equal(turn.learned.data["conclave.skipped"], "small talk");
    }
    assert.deepEqual([await bed.facts(), await bed.people(), await bed.relationships()], [[], [], []]);
  });

  it("that a model does read leaves nothing either, and the trace names each reject with its reason", async () => {
    const bed = await openBed({ chat, read, settings, memory: { card: "always" } });
    const said = [
      "hmm, now shorten the second paragraph for me",
      "that looks fine, run all of the tests again",
      "and the same in a table with three columns, please",
      "could you say that a bit less stiffly?",
    ];
    for (const words of said) {
      const { learned } = await bed.turn(words);
      assert.equal(learned?.data["conclave.extracted"], 0);
      assert.equal(learned.data["conclave.by"], "model");
      const rejected = learned.data["conclave.learned"]?.rejected ?? [];
      assert.deepEqual([...new Set(rejected.map(({ text }) => text))].sort(), [
        "User is a marine biologist",
        "User prefers formal tone",
        "User said ok",
      ]);
      assert.ok(rejected.every(({ reason }) => reason.length > 3));
    }
    assert.deepEqual([await bed.facts(), await bed.people(), await bed.relationships()], [[], [], []]);
  });

  it("leaves nothing when rules read it", async () => {
    const bed = await openBed({ chat, settings, memory: { card: "always", learning: "rules" } });
    for (const words of ["shorten it", "I see, run it again", "make it sound like you, please"]) {
      const { learned } = await bed.turn(words);
      assert.equal(learned?.data["conclave.extracted"], 0);
    }
    assert.deepEqual(await bed.facts(), []);
  });

  it("is told from what the user does say: that is kept with the user's own turn as its source", async () => {
    const bed = await openBed({
      chat,
      settings,
      read: (shown) => ({
        facts: [
          fact("I am a plumber in Bergen", "The user is a plumber in Bergen"),
          fact(messageIn(shown), "The user is a marine biologist"),
        ],
      }),
    });
    const { events, learned } = await bed.turn("I am a plumber in Bergen, by the way.");
    const [kept, ...others] = await bed.facts();
    assert.deepEqual(others, []);
    assert.equal(kept?.text, "The user is a plumber in Bergen");
    assert.equal(kept.quote, "I am a plumber in Bergen");
    assert.equal(kept.source.turnId, events[0]!.turnId);
    assert.equal(learned?.data["conclave.extracted"], 1);
  });

  it("in any language, and requests that name a role or a form, leave nothing of the user", async function () {
    this.timeout(120_000);
    const bed = await openBed({ chat, read, settings, memory: { card: "always" } });
    for (const words of [
      ...["danke, super", "mach das bitte kürzer", "noch einmal, aber förmlicher", "merci beaucoup"],
      ...["encore une fois, plus court", "hazlo otra vez", "谢谢", "もう一度お願いします", "lol", "👍"],
      ...["no, the other one", "why?", "use a table instead", "that's not what I asked"],
      ...["pretend you are a marine biologist", "act as a marine biologist with a formal tone"],
      ...["You are a marine biologist in Tromsoe now.", "Du bist eine Meeresbiologin in Tromsoe"],
      ...["make the tone more formal, as a marine biologist would", "translate it to German"],
    ]) {
      await bed.turn(words);
      assert.deepEqual(await bed.facts(), [], words);
    }
    assert.deepEqual(await bed.relationships(), []);
  });

  it("that tells of the answers and not of the user leaves nothing when rules read it", async () => {
    const bed = await openBed({ chat, settings, memory: { learning: "rules" } });
    for (const words of [
      ...["I like the second version better", "I prefer your last answer", "I want it shorter"],
      ...["I am not sure what you mean", "I have a question", "I love it!", "I am done"],
    ]) {
      await bed.turn(words);
    }
    assert.deepEqual(await bed.facts(), []);
  });
});
