import assert from "node:assert/strict";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { MAX_MESSAGE_BYTES } from "../../../src/trace/panel-limits.ts";
import type { ScriptedTurn } from "./support/scripted-engine.ts";
import { PanelBed } from "./support/panel-bed.ts";
import { cacheTurn } from "./support/cache-turn.ts";
import { TurnScript } from "./support/turn-script.ts";

describe("panel host", () => {
  let bed: PanelBed;

  beforeEach(async () => {
    bed = await PanelBed.create();
  });

  afterEach(async () => {
    await bed.close();
  });

  function postedEvents(): TurnEvent[] {
    return bed.posted("events").flatMap(({ events }) => events.map(({ event }) => event));
  }

  async function loggedTurn(): Promise<TurnScript> {
    const script = cacheTurn((event) => bed.log.append(event));
    await bed.log.flush();
    return script;
  }

  it("says nothing before the panel is ready, and nothing while it is hidden", async () => {
    bed.engine.begin().script.ask();
    await bed.host.receive({ type: "turns", cursor: 0, filter: "" });
    assert.deepEqual(bed.messages, []);
    await bed.ready();
    bed.host.sleep();
    const before = bed.messages.length;
    bed.engine.begin().script.ask();
    await bed.host.receive({ type: "memory.search", request: 1, query: "boat", here: false });
    assert.equal(bed.messages.length, before);
  });

  it("drops what is no message of the panel: nothing runs, nothing opens, nothing is asked", async () => {
    await bed.ready();
    const before = bed.messages.length;
    const wrong: unknown[] = [
      null,
      "run",
      { type: "run" },
      { type: "ask", question: "", sessionId: null },
      { type: "ask", question: "x", sessionId: "../x" },
      { type: "ask", question: "x", sessionId: null, extra: 1 },
      { type: "action", action: "rm -rf", sessionId: null },
      { type: "memory.forget", what: { by: "ids", table: "facts", ids: ["x' OR '1'='1"] } },
      { type: "memory.forget", what: { by: "everything" } },
      {
        type: "memory.page",
        request: 1,
        offset: 0,
        query: { table: "episodes", sort: { column: "1; drop" } },
      },
      { type: "memory.edit", request: 1, edit: { table: "facts", id: "x", text: "y" } },
      { type: "toggle", name: "__proto__", on: true },
      { type: "detail", request: 1, offset: -1 },
      { type: "link", href: 4 },
    ];
    for (const message of wrong) await bed.host.receive(message);
    assert.equal(bed.messages.length, before);
    assert.deepEqual([bed.engine.asked, bed.ran, bed.opened, bed.confirmed], [[], [], [], []]);
  });

  it("opens only addresses of the web and of mail", async () => {
    await bed.ready();
    const hrefs = [
      "https://example.test/a",
      "command:workbench.action.quit",
      "javascript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "vscode://x",
      "https://example.test@evil.test/",
      "https://user:pass@example.test/",
      "mailto:a@example.test",
    ];
    for (const href of hrefs) await bed.host.receive({ type: "link", href });
    assert.deepEqual(bed.opened, ["https://example.test/a", "mailto:a@example.test"]);
  });

  it("runs a turn from the panel and posts it while it runs, text joined in batches", async () => {
    await bed.ready();
    let begun: ScriptedTurn | undefined;
    bed.engine.onTurn = (turn) => (begun = turn);
    await bed.host.receive({ type: "ask", question: "Why?", sessionId: null });
    assert.ok(begun);
    const loaded = bed.next("loaded");
    const { script } = begun;
    script.ask();
    for (let index = 0; index < 500; index += 1) script.stream("answer", `word${index} `);
    script.reply({ content: "words" }).answered("words");
    await loaded;
    assert.deepEqual(bed.engine.asked, [{ question: "Why?", door: "panel" }]);
    assert.equal(bed.posted("asked").length, 1);
    const events = postedEvents();
    assert.equal(events.at(-1)?.type, "turn.end");
    const text = events.flatMap((event) => (event.type === "model.delta" ? [event.data.text] : [])).join("");
    assert.match(text, /^word0 .*word499 $/);
    assert.ok(bed.posted("events").length < 20);
  });

  it("shows a turn that another door began, from its first word, when the panel opens in the middle of it", async () => {
    const { script } = bed.engine.begin();
    script.ask().stream("answer", "Hel").stream("answer", "lo");
    const delta = bed.next("events", ({ events }) =>
      events.some(({ event }) => event.type === "model.delta"),
    );
    await bed.host.receive({
      type: "ready",
      selected: { sessionId: script.sessionId, turnId: script.turnId },
    });
    await delta;
    const texts = postedEvents().flatMap((event) => (event.type === "model.delta" ? [event.data.text] : []));
    assert.equal(texts.join(""), "Hello");
    assert.equal(bed.posted("turn")[0]?.running, true);
  });

  it("goes on from where the turn is after the panel was hidden and shown ten times", async () => {
    const { script } = bed.engine.begin();
    script.ask();
    const selected = { sessionId: script.sessionId, turnId: script.turnId };
    for (let round = 0; round < 10; round += 1) {
      await bed.host.receive({ type: "ready", selected });
      script.stream("answer", `${round}`);
      bed.host.sleep();
    }
    bed.messages.length = 0;
    const loaded = bed.next("loaded");
    await bed.host.receive({ type: "ready", selected });
    script.reply({ content: "0123456789" }).answered("0123456789");
    await loaded;
    const texts = postedEvents().flatMap((event) => (event.type === "model.delta" ? [event.data.text] : []));
    assert.equal(texts.join(""), "0123456789");
  });

  it("posts no message over 256 KB, of a trace with forty results of 2 MB and of signs that take six bytes", async () => {
    const script = new TurnScript((event) => bed.log.append(event), { question: "\u0001".repeat(100_000) });
    const data = Object.fromEntries(["a", "b", "c", "d"].map((key) => [key, "\u0007".repeat(60_000)]));
    for (let call = 0; call < 40; call += 1) {
      script.ask([{ role: "user", content: "x".repeat(500_000) }]);
      script.reply({ thinking: "\u0002".repeat(60_000), content: "\u0003".repeat(60_000) });
      script.call("web_fetch", { text: "\u0004".repeat(60_000) })({
        result: "\u0005".repeat(2_000_000),
        details: { summary: "much", data },
      });
      script.stepEnd();
    }
    script.answered("\u0006".repeat(200_000));
    await bed.log.flush();
    await bed.ready();
    const loaded = bed.next("loaded");
    await bed.host.receive({ type: "select", sessionId: script.sessionId, turnId: script.turnId });
    await loaded;
    const sizes = bed.messages.map((message) => Buffer.byteLength(JSON.stringify(message)));
    assert.ok(Math.max(...sizes) < MAX_MESSAGE_BYTES, `${Math.max(...sizes)} bytes`);
    assert.equal(postedEvents().filter(({ type }) => type === "tool.result").length, 40);
  });

  it("gives what was cut part by part, and the parts make up the whole", async () => {
    const whole = "0123456789 👩‍🚀 ".repeat(6000);
    const script = new TurnScript((event) => bed.log.append(event));
    script.ask().reply({}).call("web_fetch", {})({ result: whole });
    await bed.log.flush();
    await bed.ready();
    const loaded = bed.next("loaded");
    await bed.host.receive({ type: "select", sessionId: script.sessionId, turnId: script.turnId });
    await loaded;
    const ref = bed.posted("events").flatMap(({ events }) => events.flatMap(({ cuts }) => cuts))[0];
    assert.ok(ref);
    let text = "";
    let offset: number | null = 0;
    for (let request = 1; offset !== null; request += 1) {
      const { sessionId, turnId } = script;
      await bed.host.receive({ type: "detail", request, sessionId, turnId, ref, offset });
      const part = bed.posted("detail").at(-1);
      assert.equal(part?.request, request);
      assert.equal(part.length, whole.length);
      text += part.text;
      offset = part.next;
    }
    assert.equal(text, whole);
  });

  it("gives the exact messages a model was given when they are asked for", async () => {
    const script = new TurnScript((event) => bed.log.append(event));
    script.ask([{ role: "user", content: "the exact prompt" }]);
    await bed.log.flush();
    await bed.ready();
    let eventId = "";
    for await (const item of bed.log.read(script.sessionId)) {
      if (item.type === "event" && item.event.type === "model.start") eventId = item.event.id;
    }
    const path = ["data", "conclave.messages"];
    const ref = { eventId, eventType: "model.start", path, length: 0, unit: "characters" };
    const { sessionId, turnId } = script;
    await bed.host.receive({ type: "detail", request: 1, sessionId, turnId, ref, offset: 0 });
    assert.match(bed.posted("detail")[0]?.text ?? "", /"content": "the exact prompt"/);
  });

  it("says of a turn in the log without an end that it was interrupted, also in its row", async () => {
    const script = new TurnScript((event) => bed.log.append(event));
    script.ask();
    await bed.log.flush();
    await bed.ready();
    const loaded = bed.next("loaded");
    await bed.host.receive({ type: "select", sessionId: script.sessionId, turnId: script.turnId });
    assert.equal((await loaded).interrupted, true);
    assert.equal(bed.posted("turns")[0]?.rows[0]?.status, "interrupted");
  });

  it("refuses a second question of a session in words, with the button that stops the first", async () => {
    const { script } = bed.engine.begin();
    await bed.ready();
    await bed.host.receive({ type: "ask", question: "And?", sessionId: script.sessionId });
    const notice = bed.posted("notice")[0];
    assert.equal(notice?.asked, true);
    assert.equal(notice.failure.action, "cancel_running");
    const turn = bed.engine.running(script.sessionId);
    let cancelled = false;
    if (turn) turn.cancel = () => (cancelled = true);
    await bed.host.receive({ type: "action", action: "cancel_running", sessionId: script.sessionId });
    assert.equal(cancelled, true);
    assert.deepEqual(bed.ran, []);
  });

  it("publishes thumbs as an event of the turn, and shows it", async () => {
    const script = await loggedTurn();
    await bed.ready();
    const { sessionId, turnId } = script;
    const loaded = bed.next("loaded");
    await bed.host.receive({ type: "select", sessionId, turnId });
    await loaded;
    const shown = bed.next("events", ({ events }) =>
      events.some(({ event }) => event.type === "user.feedback"),
    );
    await bed.host.receive({ type: "feedback", sessionId, turnId, rating: "down" });
    await shown;
    const [event] = bed.engine.published;
    assert.equal(event?.type, "user.feedback");
    assert.deepEqual([event.turnId, event.data.rating], [turnId, "down"]);
  });

  it("listens no more once it is disposed of", async () => {
    await bed.ready();
    bed.host.dispose();
    const before = bed.messages.length;
    bed.engine.begin().script.ask();
    await bed.host.receive({
      type: "select",
      sessionId: "00000000-0000-4000-8000-00000000aaaa",
      turnId: "x",
    });
    assert.equal(bed.messages.length, before);
  });
});
