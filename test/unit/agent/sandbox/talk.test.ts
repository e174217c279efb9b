import assert from "node:assert/strict";
import { persona } from "../committee/bed.ts";
import { all, broken, fakeTimer, hangs, only, say, until } from "../support.ts";
import { begin, embedBy, lastText, PAIR, speakerOf, talk, talkEngine, talkModel } from "./bed.ts";

describe("A talk among personas", () => {
  it("goes round by round in the order in which they were named, each with its own model", async () => {
    const mira = talkModel({ Mira: ["Ships.", "Sails."] }, "small");
    const tom = talkModel({ Tom: ["Stones.", "Walls."] }, "large");
    const { outcome } = await talk(talkEngine({ models: [mira, tom] }), {
      personas: [
        { name: "mira", model: "small" },
        { name: "Tom", model: "large" },
      ],
      settings: { rounds: 2 },
    });
    assert.equal(outcome.stopped, "rounds");
    assert.deepEqual(
      outcome.messages.map(({ round, speaker, model, role, content }) => [
        round,
        speaker,
        model,
        role,
        content,
      ]),
      [
        [0, "opening", "", "user", "What is worth keeping?"],
        [1, "Mira", "small", "assistant", "Ships."],
        [1, "Tom", "large", "assistant", "Stones."],
        [2, "Mira", "small", "assistant", "Sails."],
        [2, "Tom", "large", "assistant", "Walls."],
      ],
    );
    assert.deepEqual(mira.requests.map(speakerOf), ["Mira", "Mira"]);
    assert.deepEqual(tom.requests.map(speakerOf), ["Tom", "Tom"]);
  });

  it("lets a persona without a model of its own in the talk use its file's, then the chat model", async () => {
    const models = [talkModel({ Tom: ["Mine."] }), talkModel({ Mira: ["Hers."] }, "hers")];
    const personas = [persona("Mira", { model: "hers" }), persona("Tom")];
    const { outcome } = await talk(talkEngine({ models, personas }), { settings: { rounds: 1 } });
    assert.deepEqual(
      outcome.messages.map(({ model }) => model),
      ["", "hers", "tiny"],
    );
  });

  it("asks each persona what its partner said, in the template", async () => {
    const model = talkModel({ Mira: ["Ships, $& and {partner_message}."], Tom: ["Stones."] });
    await talk(talkEngine({ models: [model] }), {
      settings: { rounds: 2, template: "They said: {partner_message}\nYour turn." },
    });
    const asked = model.requests.map(lastText);
    assert.ok(asked[0]?.includes("They said: What is worth keeping?\nYour turn."));
    assert.ok(asked[1]?.includes("They said: Ships, $& and {partner_message}.\nYour turn."));
    assert.ok(asked[2]?.includes("They said: Stones.\nYour turn."));
  });

  it("says who spoke where more than two take part", async () => {
    const model = talkModel({ Mira: ["Ships."], Tom: ["Stones."], Ida: ["Rivers."] });
    await talk(talkEngine({ models: [model], personas: [...PAIR, persona("Ida")] }), {
      personas: [{ name: "Mira" }, { name: "Tom" }, { name: "Ida" }],
      settings: { rounds: 2 },
    });
    assert.ok(lastText(model.requests[2]!).includes("Mira: Ships.\n\nTom: Stones."));
    assert.ok(lastText(model.requests[3]!).includes("Tom: Stones.\n\nIda: Rivers."));
  });

  it("gives a persona only the last messages of the window, its own as what it said", async () => {
    const numbered = (name: string) => Array.from({ length: 9 }, (_, at) => `${name} says ${at + 1}.`);
    const model = talkModel({ Mira: numbered("Mira"), Tom: numbered("Tom") });
    await talk(talkEngine({ models: [model] }), { settings: { rounds: 6, historyWindow: 4 } });
    const last = model.requests.filter((request) => speakerOf(request) === "Mira").at(-1)!;
    const [, ...history] = last.messages.slice(0, -1);
    assert.deepEqual(history, [
      { role: "user", content: "The talk began with:\nWhat is worth keeping?\n\nTom says 3." },
      { role: "assistant", content: "Mira says 4." },
      { role: "user", content: "Tom says 4." },
      { role: "assistant", content: "Mira says 5." },
    ]);
    assert.ok(lastText(last).startsWith("Tom says 5."));
  });

  it("gives no history where the window is empty", async () => {
    const model = talkModel({ Mira: ["One.", "Two."], Tom: ["Three.", "Four."] });
    await talk(talkEngine({ models: [model] }), { settings: { rounds: 2, historyWindow: 0 } });
    for (const request of model.requests) assert.equal(request.messages.length, 2);
  });

  it("begins the prompts of all who share a model alike, scene included, and names the speaker last", async () => {
    const model = talkModel({ Mira: ["One."], Tom: ["Two."] });
    await talk(talkEngine({ models: [model] }), {
      scenario: "On a ferry at night.",
      settings: { rounds: 1 },
    });
    const systems = model.requests.map(({ messages }) => messages[0]?.content);
    assert.equal(systems[0], systems[1]);
    assert.ok(systems[0]?.includes("On a ferry at night."));
    assert.ok(
      lastText(model.requests[1]!).indexOf("You are Tom.") > lastText(model.requests[1]!).indexOf("One."),
    );
  });

  it("offers no tools, whatever the persona's file says, and takes no structured answer", async () => {
    const model = talkModel({ Mira: ["One."], Tom: ["Two."] });
    const Mira = persona("Mira", {
      tools: [{ name: "look_up" }],
      structuredOutput: true,
      properties: { a: { type: "string" } },
      required: ["a"],
    });
    const { outcome } = await talk(talkEngine({ models: [model], personas: [Mira, persona("Tom")] }), {
      settings: { rounds: 1 },
    });
    assert.equal(outcome.messages[1]?.content, "One.");
    assert.equal(model.requests[0]?.tools, undefined);
    assert.equal(model.requests[0]?.format, undefined);
  });

  it("leaves the name out that a model puts before its words", async () => {
    const model = talkModel({ Mira: ["Mira: Ships.", "**Mira:** Sails."], Tom: ["[Tom]: Stones."] });
    const { outcome } = await talk(talkEngine({ models: [model] }), { settings: { rounds: 2 } });
    assert.deepEqual(
      outcome.messages.slice(1, 4).map(({ content }) => content),
      ["Ships.", "Stones.", "Sails."],
    );
  });

  it("cuts what is too long at a sentence, and tells its speaker the next time", async () => {
    const long = "Ships are fine. Boats are not bad either. Rafts sink.";
    const model = talkModel({ Mira: [long, "Short.", "Brief."], Tom: ["Stones.", "Walls.", "Roofs."] });
    const { outcome, events } = await talk(talkEngine({ models: [model] }), {
      settings: { rounds: 3, wordLimit: 8 },
    });
    assert.equal(outcome.messages[1]?.content, "Ships are fine. Boats are not bad either.");
    assert.ok(lastText(model.requests[1]!).includes("Boats are not bad either."));
    assert.ok(!lastText(model.requests[1]!).includes("Rafts"));
    assert.match(lastText(model.requests[2]!), /Your last message had 10 words/u);
    assert.doesNotMatch(lastText(model.requests[4]!), /Your last message had/u);
    assert.deepEqual(
      all(events, "sandbox.message").map(({ data }) => data["conclave.words_said"]),
      [undefined, 10, undefined, undefined, undefined, undefined, undefined],
    );
  });

  it("waits between two messages, not before the first", async () => {
    const { clock, timer } = fakeTimer();
    const model = talkModel({ Mira: ["One."], Tom: ["Two."] });
    const running = begin(talkEngine({ models: [model], timer }), { settings: { rounds: 1, delay: 7 } });
    const speaking = (async () => {
      for await (const event of running.events) {
        if (event.type === "sandbox.message" && event.data.speaker === "Mira") return;
      }
    })();
    await speaking;
    await clock.tickAsync(6_900);
    assert.equal(model.requests.length, 1);
    await clock.tickAsync(200);
    assert.equal((await running.done).messages.length, 3);
  });
});

describe("How a talk ends", () => {
  it("ends with what was said when a persona fails, and names it", async () => {
    const model = talkModel({ Mira: ["Ships.", [broken("server_error", "it was full")]], Tom: ["Stones."] });
    const { outcome, events } = await talk(talkEngine({ models: [model] }), { settings: { rounds: 5 } });
    assert.equal(outcome.outcome, "failed");
    assert.equal(outcome.stopped, "failed");
    assert.equal(outcome.failed, "Mira");
    assert.match(outcome.error?.message ?? "", /^Mira could not go on/u);
    assert.deepEqual(
      outcome.messages.map(({ content }) => content),
      ["What is worth keeping?", "Ships.", "Stones."],
    );
    assert.equal(only(events, "sandbox.end").data.speaker, "Mira");
    assert.equal(only(events, "turn.end").data.outcome, "failed");
  });

  it("ends when a persona's model is not there", async () => {
    const model = talkModel({ Mira: ["Ships."] });
    const { outcome } = await talk(talkEngine({ models: [model] }), {
      personas: [{ name: "Mira" }, { name: "Tom", model: "gone" }],
    });
    assert.equal(outcome.failed, "Tom");
    assert.equal(outcome.error?.code, "model_missing");
    assert.equal(outcome.messages.length, 2);
  });

  it("ends within a moment of being cancelled, in the middle of a message", async () => {
    const model = talkModel({ Mira: ["Ships."], Tom: [hangs(say("Sto"))] });
    const engine = talkEngine({ models: [model] });
    const running = begin(engine);
    await until(running.events, "sandbox.message");
    const waiting = (async () => {
      for await (const event of running.events)
        if (event.type === "model.delta" && event.agent === "Tom") return;
    })();
    await waiting;
    running.cancel();
    const outcome = await running.done;
    assert.equal(outcome.stopped, "cancelled");
    assert.equal(outcome.outcome, "cancelled");
    assert.deepEqual(
      outcome.messages.map(({ speaker }) => speaker),
      ["opening", "Mira"],
    );
    assert.equal(engine.running(running.sessionId), undefined);
  });

  it("ends when it is cancelled between two messages", async () => {
    const { timer } = fakeTimer();
    const model = talkModel({ Mira: ["Ships."], Tom: ["Stones."] });
    const stop = new AbortController();
    const running = begin(talkEngine({ models: [model], timer }), { settings: { delay: 60 } }, stop.signal);
    for await (const event of running.events) {
      if (event.type === "sandbox.message" && event.data.round === 1) stop.abort();
    }
    assert.equal((await running.done).stopped, "cancelled");
    assert.equal(model.requests.length, 1);
  });

  it("ends when a persona says the same twice running, even where nothing can be embedded", async () => {
    const model = talkModel({ Mira: ["I like ships."], Tom: ["One.", "Two.", "Three.", "Four."] });
    const { outcome } = await talk(talkEngine({ models: [model] }), { settings: { rounds: 9 } });
    assert.equal(outcome.stopped, "repetition");
    assert.equal(outcome.outcome, "answered");
    assert.equal(outcome.messages.length, 6);
  });

  it("ends when two messages running are nearly what their speakers said before", async () => {
    const near = Math.sqrt(1 - 0.98 ** 2);
    const embed = embedBy({ A: [1, 0], B: [0, 1], "A again": [0.98, near], "B again": [near, 0.98] });
    const model = talkModel({ Mira: ["A", "A again"], Tom: ["B", "B again"] });
    const { outcome } = await talk(talkEngine({ models: [model], embed }), { settings: { rounds: 9 } });
    assert.equal(outcome.stopped, "repetition");
    assert.equal(outcome.messages.length, 5);
    assert.ok(Math.abs((outcome.rounds[1]?.repetition ?? 0) - 0.98) < 1e-9);
  });

  it("goes on when what was said is only near, or near only once", async () => {
    const embed = embedBy({ A: [1, 0], "A near": [0.96, 0.28], "A once": [0.999, 0.0447] });
    const model = talkModel({ Mira: ["A", "A near", "A once", "new"], Tom: ["1", "2", "3", "4"] });
    const { outcome } = await talk(talkEngine({ models: [model], embed }), { settings: { rounds: 4 } });
    assert.equal(outcome.stopped, "rounds");
  });

  it("refuses what can't begin, in words, and tells nobody of it", () => {
    const engine = talkEngine({ models: [talkModel({})] });
    const events: string[] = [];
    engine.onEvent(({ type }) => events.push(type));
    const refused = (personas: readonly { readonly name: string }[], opening = "Go."): string => {
      const begun = engine.sandbox?.({ personas, opening, door: "test" });
      assert.equal(begun?.ok === false && begun.failure.code, "bad_input");
      return begun?.ok === false ? begun.failure.message : "";
    };
    assert.match(refused([{ name: "Mira" }]), /at least two personas/u);
    assert.match(refused([{ name: "Mira" }, { name: "mira" }]), /can't talk to itself/u);
    assert.match(refused([{ name: "Mira" }, { name: "Tomm" }]), /no agent "Tomm"\. Did you mean Tom\?/u);
    assert.match(refused([{ name: "Mira" }, { name: "Tom" }], "  "), /no opening line/u);
    assert.deepEqual(events, []);
  });

  it("is over before the engine is", async () => {
    const engine = talkEngine({ models: [talkModel({ Mira: [hangs()] })] });
    const running = begin(engine);
    await engine.dispose();
    assert.equal((await running.done).stopped, "cancelled");
    const late = engine.sandbox?.({
      personas: [{ name: "Mira" }, { name: "Tom" }],
      opening: "Go.",
      door: "test",
    });
    assert.equal(late?.ok, false);
  });
});

describe("The figures of a talk", () => {
  it("tell how far each round went from the opening line", async () => {
    const embed = embedBy({ Start: [1, 0], Same: [1, 0], Far: [0, 1] });
    const model = talkModel({ Mira: ["Same"], Tom: ["Far"] });
    const { outcome, events } = await talk(talkEngine({ models: [model], embed }), {
      opening: "Start",
      settings: { rounds: 1 },
    });
    assert.deepEqual(
      all(events, "sandbox.message").map(({ data }) => data["conclave.counters"].drift),
      [undefined, 0, 1],
    );
    assert.equal(outcome.rounds[0]?.drift, 0.5);
    assert.equal(outcome.rounds[0].repetition, undefined);
  });

  it("say nothing of likeness where nothing can be embedded", async () => {
    const model = talkModel({ Mira: ["One."], Tom: ["Two."] });
    const { outcome } = await talk(talkEngine({ models: [model] }), { settings: { rounds: 1 } });
    assert.deepEqual(outcome.rounds, [{ retrieved: 0, extracted: 0, updated: 0 }]);
  });
});
