import assert from "node:assert/strict";
import { PanelBed } from "../trace/support/panel-bed.ts";
import type { TurnScript } from "../trace/support/turn-script.ts";

describe("the panel's activity", () => {
  let bed: PanelBed;

  beforeEach(async () => {
    bed = await PanelBed.create({ watch: true });
    bed.tools = [
      { name: "web_fetch", aliases: ["open_url"], description: "Reads a page.", state: "on" },
      { name: "web_search", aliases: [], description: "Searches.", state: "off", reason: "It is off." },
    ];
  });

  afterEach(() => bed.close());

  function turn(question: string): TurnScript {
    return bed.engine.begin({ question }).script.ask().reply({});
  }

  function fetched(question: string, name = "web_fetch"): TurnScript {
    const script = turn(question);
    script.call(name, { url: question })({ result: "page", details: { summary: "5 characters" } });
    return script.stepEnd().answered("so");
  }

  async function watch(of: string, request = 1, filter = "", only = false): Promise<void> {
    await bed.host.receive({ type: "activity.watch", request, of, filter, only });
  }

  async function rows(request: number, from = 0) {
    await bed.host.receive({ type: "activity.page", request, from });
    return bed.posted("activity.page").at(-1)?.rows ?? [];
  }

  it("lists all tools with their calls, once all was read", async () => {
    fetched("one");
    fetched("two", "open_url");
    await bed.ready();
    await watch("tools");
    const last = bed.posted("activity.tools").at(-1);
    assert.deepEqual(last?.standing, { reading: false, older: false });
    assert.deepEqual(
      last.tools.map(({ name, state, calls }) => [name, state, calls]),
      [
        ["web_fetch", "on", 2],
        ["web_search", "off", 0],
      ],
    );
  });

  it("lists of the critic's all, or only what has a grade, has none, or was compared; its figures stay those of all", async () => {
    await bed.ready();
    const judge = { "gen_ai.request.model": "judge:8b" };
    for (const score of [4, 2, null]) {
      const { emitter, turnId } = fetched(`question ${score}`);
      emitter.emit("critique.result", { parentId: turnId }, { score, feedback: "So.", ...judge });
      if (score === 4)
        emitter.emit("pairwise.result", { parentId: turnId }, { winner: "B", feedback: "B.", ...judge });
    }
    for (const [at, [of, total]] of (
      [
        ["critic", 4],
        ["critic:graded", 2],
        ["critic:ungraded", 1],
        ["critic:compared", 1],
      ] as const
    ).entries()) {
      await watch(of, at + 1);
      const last = bed.posted("activity.summary").at(-1);
      assert.deepEqual([last?.total, (await rows(at + 1)).length], [total, total], of);
      assert.ok(last?.figures.kind === "grades");
      assert.deepEqual(
        [last.figures.mean, last.figures.ungraded, last.figures.verdicts.b, last.figures.latest.length],
        [3, 1, 1, 3],
        "the mean is of what was graded, with how many were not beside it",
      );
    }
  });

  it("gives a tool's calls page by page, newest first, also those by another of its names", async () => {
    for (let index = 0; index < 130; index += 1)
      fetched(`page ${index}`, index % 2 === 0 ? "web_fetch" : "open_url");
    await bed.ready();
    await watch("tool:web_fetch");
    assert.equal(bed.posted("activity.summary").at(-1)?.total, 130);
    const [first, second] = [await rows(1), await rows(1, 100)];
    assert.deepEqual([first.length, second.length], [100, 30]);
    const times = [...first, ...second].map(({ time }) => time);
    assert.deepEqual(
      times,
      [...times].sort((one, other) => other - one),
    );
    assert.deepEqual(await rows(1, 130), []);
  });

  it("answers nothing of what is not watched any more", async () => {
    fetched("one");
    await bed.ready();
    await watch("tool:web_fetch", 1);
    await watch("critic", 2);
    await bed.host.receive({ type: "activity.page", request: 1, from: 0 });
    assert.equal(bed.posted("activity.page").length, 0);
    await bed.host.receive({ type: "activity.leave" });
    const before = bed.messages.length;
    await bed.host.receive({ type: "activity.page", request: 2, from: 0 });
    assert.equal(bed.messages.length, before);
  });

  it("tells of a call when it begins and when it ends", async () => {
    await bed.ready();
    await watch("tool:web_fetch");
    const script = turn("live");
    const began = bed.next("activity.summary", ({ total }) => total === 1);
    const done = script.call("web_fetch", { url: "a" });
    await began;
    assert.equal((await rows(1)).map((row) => row.kind === "call" && row.outcome)[0], "running");
    const ended = bed.next(
      "activity.summary",
      ({ figures }) => figures.kind === "calls" && figures.failures === 1,
    );
    done({ error: { code: "timeout", message: "Too slow." } });
    await ended;
    const [row] = await rows(1);
    assert.ok(row?.kind === "call");
    assert.deepEqual([row.outcome, row.said, row.question], ["failed", "Too slow.", "live"]);
  });

  it("lets go of what was forgotten, and of sessions that another window deleted", async () => {
    const script = fetched("The secret");
    await bed.ready();
    await watch("tool:web_fetch");
    assert.match(JSON.stringify(await rows(1)), /The secret/);
    const { sessionId, turnId } = script;
    await bed.log.bury({ turns: [{ sessionId, turnId }], time: Date.now() });
    const told = bed.next("activity.summary", ({ standing }) => !standing.reading);
    bed.forgotten();
    await told;
    assert.doesNotMatch(JSON.stringify(await rows(1)), /secret/);
    assert.match(JSON.stringify(await rows(1)), /Forgotten on/);
    const gone = bed.next("activity.summary", ({ total }) => total === 0);
    await bed.log.delete(sessionId);
    await gone;
  });

  it("posts no page over 128 KB, however long the texts are", async () => {
    const long = "👩‍🚀".repeat(200);
    for (let index = 0; index < 100; index += 1) fetched(`${index} ${long}`);
    await bed.ready();
    await watch("tool:web_fetch");
    let from = 0;
    while (from < 100) {
      const part = await rows(1, from);
      assert.ok(part.length > 0);
      assert.ok(Buffer.byteLength(JSON.stringify(part)) <= 128 * 1024);
      from += part.length;
    }
  });

  it("is silent while the panel is hidden, and whole when it is shown again", async () => {
    await bed.ready();
    await watch("tool:web_fetch");
    bed.host.sleep();
    const before = bed.messages.length;
    fetched("meanwhile");
    await bed.log.flush();
    assert.equal(bed.messages.length, before);
    await bed.ready();
    await watch("tool:web_fetch", 2);
    assert.equal(bed.posted("activity.summary").at(-1)?.total, 1);
  });
});
