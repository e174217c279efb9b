import assert from "node:assert/strict";
import { failure } from "../../../src/agent/failure.ts";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { MAX_MESSAGE_BYTES } from "../../../src/trace/panel-limits.ts";
import type { HostMessage } from "../../../src/trace/panel-protocol.ts";
import type { ScriptedTurn } from "./support/scripted-engine.ts";
import { PanelBed } from "./support/panel-bed.ts";
import { cacheTurn, SteadyIdentity, TurnScript } from "./support/turn-script.ts";

type MessageOf<Type extends HostMessage["type"]> = Extract<HostMessage, { readonly type: Type }>;

describe("panel host", () => {
  let bed: PanelBed;

  beforeEach(async () => {
    bed = await PanelBed.create();
  });

  afterEach(async () => {
    await bed.close();
  });

  function posted<Type extends HostMessage["type"]>(type: Type): MessageOf<Type>[] {
    return bed.posted.filter((message): message is MessageOf<Type> => message.type === type);
  }

  function postedEvents(): TurnEvent[] {
    return posted("events").flatMap(({ events }) => events.map(({ event }) => event));
  }

  /** Resolves when a message of the type (that fits) is posted. */
  function next<Type extends HostMessage["type"]>(
    type: Type,
    fits: (message: MessageOf<Type>) => boolean = () => true,
  ): Promise<MessageOf<Type>> {
    return new Promise((resolve) => {
      bed.onPost = (message) => {
        if (message.type === type && fits(message as MessageOf<Type>)) resolve(message as MessageOf<Type>);
      };
    });
  }

  async function ready(): Promise<void> {
    const state = next("state");
    await bed.host.receive({ type: "ready", selected: null });
    await state;
  }

  async function loggedTurn(): Promise<TurnScript> {
    const script = cacheTurn((event) => bed.log.append(event));
    await bed.log.flush();
    return script;
  }

  it("says nothing before the panel is ready, and nothing while it is hidden", async () => {
    bed.engine.begin().script.ask();
    await bed.host.receive({ type: "turns", cursor: 0, filter: "" });
    assert.deepEqual(bed.posted, []);
    await ready();
    bed.host.sleep();
    const before = bed.posted.length;
    bed.engine.begin().script.ask();
    await bed.host.receive({ type: "memory", offset: 0, filter: "", ranked: false });
    assert.equal(bed.posted.length, before);
  });

  it("drops what is no message of the panel: nothing runs, nothing opens, nothing is asked", async () => {
    await ready();
    const before = bed.posted.length;
    const wrong: unknown[] = [
      null,
      "run",
      { type: "run" },
      { type: "ask", question: "", sessionId: null },
      { type: "ask", question: "x", sessionId: "../x" },
      { type: "ask", question: "x", sessionId: null, extra: 1 },
      { type: "action", action: "rm -rf", sessionId: null },
      { type: "forget", ids: ["x' OR '1'='1"] },
      { type: "toggle", name: "__proto__", on: true },
      { type: "detail", request: 1, offset: -1 },
      { type: "link", href: 4 },
    ];
    for (const message of wrong) await bed.host.receive(message);
    assert.equal(bed.posted.length, before);
    assert.deepEqual([bed.engine.asked, bed.ran, bed.opened, bed.confirmed], [[], [], [], []]);
  });

  it("opens only addresses of the web and of mail", async () => {
    await ready();
    const hrefs = [
      "https://example.test/a",
      "command:workbench.action.quit",
      "javascript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "vscode://x",
      "mailto:a@example.test",
    ];
    for (const href of hrefs) await bed.host.receive({ type: "link", href });
    assert.deepEqual(bed.opened, ["https://example.test/a", "mailto:a@example.test"]);
  });

  it("runs a turn from the panel and posts it while it runs, text joined in batches", async () => {
    await ready();
    let begun: ScriptedTurn | undefined;
    bed.engine.onTurn = (turn) => (begun = turn);
    await bed.host.receive({ type: "ask", question: "Why?", sessionId: null });
    assert.ok(begun);
    const loaded = next("loaded");
    const { script } = begun;
    script.ask();
    for (let index = 0; index < 500; index += 1) script.stream("answer", `word${index} `);
    script.reply({ content: "words" }).answered("words");
    await loaded;
    assert.deepEqual(bed.engine.asked, [{ question: "Why?", door: "panel" }]);
    assert.equal(posted("asked").length, 1);
    const events = postedEvents();
    assert.equal(events.at(-1)?.type, "turn.end");
    const text = events.flatMap((event) => (event.type === "model.delta" ? [event.data.text] : [])).join("");
    assert.match(text, /^word0 .*word499 $/);
    assert.ok(posted("events").length < 20);
  });

  it("shows a turn that another door began, from its first word, when the panel opens in the middle of it", async () => {
    const { script } = bed.engine.begin();
    script.ask().stream("answer", "Hel").stream("answer", "lo");
    const delta = next("events", ({ events }) => events.some(({ event }) => event.type === "model.delta"));
    await bed.host.receive({
      type: "ready",
      selected: { sessionId: script.sessionId, turnId: script.turnId },
    });
    await delta;
    const texts = postedEvents().flatMap((event) => (event.type === "model.delta" ? [event.data.text] : []));
    assert.equal(texts.join(""), "Hello");
    assert.equal(posted("turn")[0]?.running, true);
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
    bed.posted.length = 0;
    const loaded = next("loaded");
    await bed.host.receive({ type: "ready", selected });
    script.reply({ content: "0123456789" }).answered("0123456789");
    await loaded;
    const texts = postedEvents().flatMap((event) => (event.type === "model.delta" ? [event.data.text] : []));
    assert.equal(texts.join(""), "0123456789");
  });

  it("posts no message over 256 KB, of a trace with forty results of 2 MB and of signs that take six bytes", async () => {
    const script = new TurnScript((event) => bed.log.append(event), { question: "\u0001".repeat(100_000) });
    for (let call = 0; call < 40; call += 1) {
      script.ask([{ role: "user", content: "x".repeat(500_000) }]);
      script.reply({ thinking: "\u0002".repeat(60_000), content: "\u0003".repeat(60_000) });
      script.call("web_fetch", { text: "\u0004".repeat(60_000) })({ result: "\u0005".repeat(2_000_000) });
      script.stepEnd();
    }
    script.answered("\u0006".repeat(200_000));
    await bed.log.flush();
    await ready();
    const loaded = next("loaded");
    await bed.host.receive({ type: "select", sessionId: script.sessionId, turnId: script.turnId });
    await loaded;
    const sizes = bed.posted.map((message) => Buffer.byteLength(JSON.stringify(message)));
    assert.ok(Math.max(...sizes) < MAX_MESSAGE_BYTES, `${Math.max(...sizes)} bytes`);
    assert.equal(postedEvents().filter(({ type }) => type === "tool.result").length, 40);
  });

  it("gives what was cut part by part, and the parts make up the whole", async () => {
    const whole = "0123456789 👩‍🚀 ".repeat(6000);
    const script = new TurnScript((event) => bed.log.append(event));
    script.ask().reply({}).call("web_fetch", {})({ result: whole });
    await bed.log.flush();
    await ready();
    const loaded = next("loaded");
    await bed.host.receive({ type: "select", sessionId: script.sessionId, turnId: script.turnId });
    await loaded;
    const ref = posted("events").flatMap(({ events }) => events.flatMap(({ cuts }) => cuts))[0];
    assert.ok(ref);
    let text = "";
    let offset: number | null = 0;
    for (let request = 1; offset !== null; request += 1) {
      const { sessionId, turnId } = script;
      await bed.host.receive({ type: "detail", request, sessionId, turnId, ref, offset });
      const part = posted("detail").at(-1);
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
    await ready();
    let eventId = "";
    for await (const item of bed.log.read(script.sessionId)) {
      if (item.type === "event" && item.event.type === "model.start") eventId = item.event.id;
    }
    const path = ["data", "conclave.messages"];
    const ref = { eventId, eventType: "model.start", path, length: 0, unit: "characters" };
    const { sessionId, turnId } = script;
    await bed.host.receive({ type: "detail", request: 1, sessionId, turnId, ref, offset: 0 });
    assert.match(posted("detail")[0]?.text ?? "", /"content": "the exact prompt"/);
  });

  it("says of a turn in the log without an end that it was interrupted, also in its row", async () => {
    const script = new TurnScript((event) => bed.log.append(event));
    script.ask();
    await bed.log.flush();
    await ready();
    const loaded = next("loaded");
    await bed.host.receive({ type: "select", sessionId: script.sessionId, turnId: script.turnId });
    assert.equal((await loaded).interrupted, true);
    assert.equal(posted("turns")[0]?.rows[0]?.status, "interrupted");
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
    await ready();
    const first = posted("turns")[0];
    assert.equal(first?.rows.length, 100);
    assert.equal(first.next, 100);
    await bed.host.receive({ type: "turns", cursor: 100, filter: "" });
    const second = posted("turns").at(-1);
    assert.equal(second?.rows.length, 30);
    assert.equal(second.next, null);
    assert.equal(new Set([...first.rows, ...second.rows].map(({ turnId }) => turnId)).size, 130);
    await bed.host.receive({ type: "turns", cursor: 0, filter: "QUESTION 12" });
    assert.equal(posted("turns").at(-1)?.rows.length, 11);
  });

  it("posts rows again when they change", async () => {
    await ready();
    const begun = next("rows", ({ rows }) => rows[0]?.status === "running");
    const { script } = bed.engine.begin({ question: "Why?" });
    assert.equal((await begun).rows[0]?.question, "Why?");
    const ended = next("rows", ({ rows }) => rows[0]?.status === "answered");
    script.ask().reply({ content: "Because." }).answered("Because.");
    assert.equal((await ended).rows[0]?.answer, "Because.");
  });

  it("refuses a second question of a session in words, with the button that stops the first", async () => {
    const { script } = bed.engine.begin();
    await ready();
    await bed.host.receive({ type: "ask", question: "And?", sessionId: script.sessionId });
    const notice = posted("notice")[0];
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
    await ready();
    const { sessionId, turnId } = script;
    const loaded = next("loaded");
    await bed.host.receive({ type: "select", sessionId, turnId });
    await loaded;
    const shown = next("events", ({ events }) => events.some(({ event }) => event.type === "user.feedback"));
    await bed.host.receive({ type: "feedback", sessionId, turnId, rating: "down" });
    await shown;
    const [event] = bed.engine.published;
    assert.equal(event?.type, "user.feedback");
    assert.deepEqual([event.turnId, event.type === "user.feedback" && event.data.rating], [turnId, "down"]);
  });

  it("says what is missing with the action that mends it, and looks again after the action", async () => {
    bed.problems = [
      failure("no_model", "No chat model is chosen.", { action: "select_model", cause: "secret path" }),
    ];
    await ready();
    assert.deepEqual(posted("state")[0]?.state.problems, [
      { code: "no_model", message: "No chat model is chosen.", action: "select_model" },
    ]);
    bed.problems = [];
    const state = next("state");
    await bed.host.receive({ type: "action", action: "select_model", sessionId: null });
    assert.deepEqual((await state).state.problems, []);
    assert.deepEqual(bed.ran, ["select_model"]);
  });

  it("switches memory and web, and shows where they stand", async () => {
    await ready();
    await bed.host.receive({ type: "toggle", name: "web", on: true });
    assert.deepEqual(posted("state").at(-1)?.state.toggles, { memory: true, web: true });
  });

  it("shows memory in pages, ranks it by a search, and forgets only after a yes", async () => {
    bed.memory.episodes = Array.from({ length: 120 }, (_, index) => ({
      id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      sessionId: "00000000-0000-4000-8000-00000000aaaa",
      turnId: `${index}`,
      question: `About boat ${index}`,
      answer: index === 7 ? "the red boat leaks" : "x".repeat(5000),
      agent: "conclave",
      respondent: "A",
      model: "m",
      time: index,
      kind: "turn",
    }));
    await ready();
    await bed.host.receive({ type: "memory", offset: 100, filter: "", ranked: false });
    const page = posted("memory").at(-1);
    assert.deepEqual([page?.rows.length, page?.total], [20, 120]);
    await bed.host.receive({ type: "memory", offset: 0, filter: "red boat leaks", ranked: true });
    const ranked = posted("memory").at(-1);
    assert.equal(ranked?.rows[0]?.answer, "the red boat leaks");
    assert.equal(ranked.rows[0].score, 1);
    const ids = [bed.memory.episodes[7]?.id ?? ""];
    bed.answerConfirm = false;
    await bed.host.receive({ type: "forget", ids });
    assert.equal(bed.memory.episodes.length, 120);
    bed.answerConfirm = true;
    await bed.host.receive({ type: "forget", ids });
    assert.equal(bed.memory.episodes.length, 119);
    assert.equal(posted("forgot")[0]?.removed, 1);
  });

  it("says in the memory table when the store is not there", async () => {
    bed.memory.failure = failure("memory_unavailable", "Memory is off. Answers still work.");
    await ready();
    await bed.host.receive({ type: "memory", offset: 0, filter: "", ranked: false });
    assert.equal(posted("memory")[0]?.failure?.message, "Memory is off. Answers still work.");
  });

  it("listens no more once it is disposed of", async () => {
    await ready();
    bed.host.dispose();
    const before = bed.posted.length;
    bed.engine.begin().script.ask();
    await bed.host.receive({
      type: "select",
      sessionId: "00000000-0000-4000-8000-00000000aaaa",
      turnId: "x",
    });
    assert.equal(bed.posted.length, before);
  });
});
