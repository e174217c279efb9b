import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { failure } from "../../../src/agent/failure.ts";
import { PanelBed } from "./support/panel-bed.ts";
import { SteadyIdentity } from "./support/steady-identity.ts";
import { TurnScript } from "./support/turn-script.ts";

describe("panel host: lists and switches", () => {
  let bed: PanelBed;

  beforeEach(async () => {
    bed = await PanelBed.create();
  });

  afterEach(async () => {
    await bed.close();
  });

  it("pages the list of turns, and searches it", async () => {
    for (let index = 0; index < 130; index += 1) {
      const identity = new SteadyIdentity(Date.UTC(2026, 2, 1), index * 1000);
      const script = new TurnScript((event) => bed.log.append(event), {
        identity,
        question: `Question ${index}`,
      });
      script.ask().reply({ content: "Yes." }).answered("Yes.");
    }
    await bed.log.flush();
    await bed.ready();
    const first = bed.posted("turns")[0];
    assert.equal(first?.rows.length, 100);
    assert.equal(first.next, 100);
    await bed.host.receive({ type: "turns", cursor: 100, filter: "" });
    const second = bed.posted("turns").at(-1);
    assert.equal(second?.rows.length, 30);
    assert.equal(second.next, null);
    assert.equal(new Set([...first.rows, ...second.rows].map(({ turnId }) => turnId)).size, 130);
    await bed.host.receive({ type: "turns", cursor: 0, filter: '"QUESTION 12"' });
    assert.equal(bed.posted("turns").at(-1)?.rows.length, 11);
    await bed.host.receive({ type: "turns", cursor: 0, filter: "12 question" });
    assert.equal(bed.posted("turns").at(-1)?.rows.length, 12, "each word by itself, in any order");
  });

  it("says that the list can't be read, once, and leads nobody to ask for it on and on", async () => {
    await rm(bed.folder, { recursive: true });
    await writeFile(bed.folder, "no folder");
    await bed.ready();
    assert.equal(bed.posted("notice").length, 1);
    assert.equal(bed.posted("turns").at(-1)?.next, null);
  });

  it("posts rows again when they change", async () => {
    await bed.ready();
    const begun = bed.next("rows", ({ rows }) => rows[0]?.status === "running");
    const { script } = bed.engine.begin({ question: "Why?" });
    assert.equal((await begun).rows[0]?.question, "Why?");
    const ended = bed.next("rows", ({ rows }) => rows[0]?.status === "answered");
    script.ask().reply({ content: "Because." }).answered("Because.");
    assert.equal((await ended).rows[0]?.answer, "Because.");
  });

  it("says what is missing with the action that mends it, and looks again after the action", async () => {
    bed.problems = [
      failure("no_model", "No chat model is chosen.", { action: "select_model", cause: "secret path" }),
    ];
    await bed.ready();
    assert.deepEqual(bed.posted("state")[0]?.state.problems, [
      { code: "no_model", message: "No chat model is chosen.", action: "select_model" },
    ]);
    bed.problems = [];
    const state = bed.next("state");
    await bed.host.receive({ type: "action", action: "select_model", sessionId: null });
    assert.deepEqual((await state).state.problems, []);
    assert.deepEqual(bed.ran, ["select_model"]);
  });

  it("sends what is asked to the committee while its switch is on", async () => {
    await bed.ready();
    const ask = { type: "ask", question: "Is it sound?", sessionId: null };
    await bed.host.receive({ type: "toggle", name: "committee", on: true });
    await bed.host.receive(ask);
    await bed.host.receive({ type: "toggle", name: "committee", on: false });
    await bed.host.receive(ask);
    assert.deepEqual(
      bed.engine.asked.map(({ options }) => options?.committee),
      [{}, undefined],
    );
  });

  it("asks with a switch that was pressed before the question, however long it takes to be in force", async () => {
    await bed.ready();
    let settle = (): void => undefined;
    bed.switching = new Promise((resolve) => {
      settle = resolve;
    });
    const pressed = bed.host.receive({ type: "toggle", name: "committee", on: true });
    const asked = bed.host.receive({ type: "ask", question: "Is it sound?", sessionId: null });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(bed.engine.asked.length, 0);
    settle();
    await Promise.all([pressed, asked]);
    assert.deepEqual(
      bed.engine.asked.map(({ options }) => options?.committee),
      [{}],
    );
  });

  it("switches committee, memory and web, and shows where they stand", async () => {
    await bed.ready();
    await bed.host.receive({ type: "toggle", name: "web", on: true });
    assert.deepEqual(bed.posted("state").at(-1)?.state.toggles, {
      committee: false,
      memory: true,
      web: true,
    });
  });

  it("has the list in sight before all of a long turn is, and the beginning of that turn before the list", async () => {
    const script = new TurnScript((event) => bed.log.append(event));
    for (let step = 0; step < 1_000; step += 1) script.ask().reply({}).stepEnd();
    script.answered("Yes.");
    await bed.log.flush();
    bed.host.show(script);
    await bed.host.receive({ type: "ready", selected: null });
    const types = bed.messages.map(({ type }) => type);
    assert.ok(types.indexOf("events") < types.indexOf("turns"));
    assert.ok(types.indexOf("turns") < types.lastIndexOf("events"));
    assert.equal(types.lastIndexOf("loaded") > types.lastIndexOf("events"), true);
  });
});
