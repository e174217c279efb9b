import assert from "node:assert/strict";
import type { ChatMessage } from "../../../../src/agent/models/types.ts";
import { MAX_MESSAGE_BYTES } from "../../../../src/trace/panel-limits.ts";
import { look, page, rawOf } from "../support/look.ts";
import { PanelBed } from "../support/panel-bed.ts";
import { requestTurns } from "../support/request-turns.ts";
import { TurnScript } from "../support/turn-script.ts";

describe("requests in the panel's host", () => {
  let bed: PanelBed;
  let ids: string[];

  beforeEach(async () => {
    bed = await PanelBed.create();
    await bed.ready();
    ids = [];
  });

  afterEach(async () => {
    await bed.close();
  });

  const note = (event: Parameters<PanelBed["log"]["append"]>[0]): void => {
    if (event.type === "model.start") ids.push(event.id);
    bed.log.append(event);
  };

  function largest(): number {
    return Math.max(...bed.messages.map((message) => Buffer.byteLength(JSON.stringify(message))));
  }

  it("tell of each source what it takes, made up to what the server counted", async () => {
    const [, turn] = requestTurns(note);
    const { view, heads } = await look(bed, turn, ids[2] ?? "");
    const total = view.shares.reduce((sum, { tokens }) => sum + tokens, 0);
    assert.ok(Math.abs(total - 2_890) <= view.shares.length);
    const words = view.shares.map(({ source }) => source);
    for (const source of [
      "offered_tools",
      "rules",
      "project_rules",
      "trust",
      "history",
      "memory",
      "references",
    ])
      assert.ok(words.includes(source as never), source);
    for (const source of ["question", "others", "task", "persona", "reply", "result"])
      assert.ok(words.includes(source as never), source);
    assert.deepEqual(
      heads.map(({ role }) => role),
      ["system", "user", "assistant", "user", "user", "assistant", "tool"],
    );
    const characters = view.shares.reduce(
      (sum, { source, characters: own }) => (source === "offered_tools" ? sum : sum + own),
      0,
    );
    const told = heads.reduce((sum, { length }) => sum + length, 0);
    assert.ok(characters >= told, "no character is without a source");
  });

  it("name the options by the server's own words, and the tools with what is known of them", async () => {
    const [, turn] = requestTurns(note);
    const { view } = await look(bed, turn, ids[1] ?? "");
    const options = new Map(view.options);
    assert.deepEqual(
      ["num_ctx", "temperature", "seed", "think", "keep_alive"].map((name) => options.get(name)),
      ["32768", "0.2", "7", "true", "30m"],
    );
    assert.deepEqual(
      view.tools.map(({ name }) => name),
      ["search_memory", "save_memory", "web_fetch"],
    );
  });

  it("compare with the request before: in the turn, and the first with the last one of the turn before", async () => {
    const [first, second] = requestTurns(note);
    const alone = await look(bed, first, ids[0] ?? "");
    assert.equal(alone.view.prefix, undefined);
    const across = await look(bed, second, ids[1] ?? "");
    assert.equal(across.view.prefix?.earlierTurn, true);
    assert.equal(across.view.prefix.before.turnId, first.turnId);
    // The question of the turn before is a part of the history now, word for word.
    assert.equal(across.view.prefix.sameMessages, 2);
    assert.equal(across.view.prefix.place, undefined);
    const within = await look(bed, second, ids[2] ?? "");
    assert.equal(within.view.prefix?.earlierTurn, false);
    assert.deepEqual([within.view.prefix.sameMessages, within.view.prefix.messages], [5, 7]);
  });

  it("post nothing over the limit, however long and however many the messages are", async () => {
    const script = new TurnScript(note, { question: "Long?" });
    const bad = '\u0001"\\\u2028'.repeat(50_000);
    const messages: readonly ChatMessage[] = Array.from({ length: 120 }, (_, index) => ({
      role: "user",
      content: `${index} ${bad.slice(0, index % 40 === 0 ? 200_000 : 600)}`,
    }));
    script.ask(messages).reply({ content: "x" }).stepEnd().answered("x");
    const { heads } = await look(bed, script, ids[0] ?? "");
    assert.equal(heads.length, 120);
    const raw = await rawOf(bed, script, ids[0] ?? "");
    assert.equal((JSON.parse(raw) as { messages: unknown[] }).messages.length, 120);
    assert.ok(largest() <= MAX_MESSAGE_BYTES, `${largest()} bytes`);
  });

  it("lay open what a hostile log says, and say of one that it does not hold that it does not", async () => {
    const script = new TurnScript(note, { question: "?" });
    const wrong = [
      { role: "assistant", content: "x", toolCalls: "none", thinking: 4 },
      { role: "assistant", content: "x", toolCalls: [null, 4, { name: {}, arguments: null }] },
      { role: "tool", content: "x", toolName: { a: 1 } },
      { role: "user", content: "x", parts: [{ source: "rules", length: 1e9 }] },
      { role: "user", content: "x", parts: { length: 3 } },
    ] as unknown as readonly ChatMessage[];
    script.ask(wrong, "m", { "conclave.envelope": { options: [null], "</script>": "<b>" } });
    script.reply({ content: "x" }).stepEnd().answered("x");
    const { heads } = await look(bed, script, ids[0] ?? "");
    assert.deepEqual(
      heads.map(({ segments }) => segments.reduce((sum, { length }) => sum + length, 0)),
      [1, 1, 1, 1, 1],
    );
    const none = await page(bed, script, "ffffffffffffffff");
    assert.deepEqual([none.view, none.heads, none.next], [undefined, [], null]);
  });

  it("say when a log does not hold all that was sent", async () => {
    const script = new TurnScript(note).ask().reply({ content: "x" }).stepEnd().answered("x");
    const { view } = await look(bed, script, ids[0] ?? "");
    assert.equal(view.raw.exact, false);
    assert.deepEqual(new Map(view.options).get("num_ctx"), "32768");
  });

  it("are laid open anew once their call has ended", async () => {
    const script = new TurnScript(note).ask();
    const running = await look(bed, script, ids[0] ?? "");
    assert.equal(running.view.ended, false);
    script.reply({ content: "x" });
    const ended = await look(bed, script, ids[0] ?? "");
    assert.equal(ended.view.ended, true);
  });

  it("hold only tombstones when their turn was forgotten", async () => {
    const [, turn] = requestTurns(note);
    const before = await look(bed, turn, ids[1] ?? "");
    assert.ok(before.heads.every(({ text }) => !text.startsWith("Forgotten on")));
    await bed.log.bury({ turns: [turn], time: Date.UTC(2026, 10, 28, 12) });
    bed.forgotten();
    const { heads } = await look(bed, turn, ids[1] ?? "");
    assert.ok(heads.every(({ text }) => text.startsWith("Forgotten on")));
  });
});
