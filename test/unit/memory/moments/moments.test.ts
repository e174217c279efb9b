import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { ForgetWhat, Moment, MomentQuery } from "../../../../src/agent/memory/types.ts";
import { Forgetting } from "../../../../src/memory/facts/forgetting.ts";
import { Moments } from "../../../../src/memory/moments/moments.ts";
import { EpisodeTable } from "../../../../src/memory/store/episodes.ts";
import { DAY, NOON, openWindow } from "../graph/support.ts";
import { cleanUp, episode, fakeEmbedder, never, valueOf } from "../support.ts";
import { onDisk } from "../facts/forget-support.ts";

type Window = Awaited<ReturnType<typeof openWindow>>;

function moment(title: string, text: string, fields: Partial<Moment> = {}): Moment {
  return {
    ...{ id: randomUUID(), title, text, from: NOON, to: NOON, scope: "", agent: "conclave", turns: [] },
    source: { sessionId: "s", turnId: "t", time: NOON },
    ...fields,
  };
}

describe("moments", () => {
  let window: Window;
  let moments: Moments;

  beforeEach(async () => {
    window = await openWindow({ embedder: fakeEmbedder({ quay: "pier" }) });
    moments = new Moments(window);
  });
  afterEach(cleanUp);

  const save = async (...given: Moment[]) => valueOf(await moments.save(given, never)).saved;
  const find = async (query: Partial<MomentQuery> = {}) =>
    valueOf(await moments.find({ limit: 10, ...query }, never));
  const titles = async (query: Partial<MomentQuery> = {}) =>
    (await find(query)).moments.map(({ moment: { title } }) => title);
  const forget = async (what: ForgetWhat) => {
    const forgetting = new Forgetting({ deps: window });
    const preview = valueOf(await forgetting.preview(what, never));
    const gone = valueOf(await forgetting.forget(what, never));
    assert.deepEqual(gone.counts, preview.counts, "what was promised went, and nothing else");
    return { gone, preview };
  };

  it("come back as they were kept, the latest first, a page at a time", async () => {
    const kept = moment("Harbour", "We chose\nthe harbour.", {
      ...{ from: NOON - DAY, to: NOON, scope: "w1", agent: "Dreaming" },
      turns: [{ sessionId: "s1", turnId: "t1" }],
    });
    assert.equal(await save(kept, moment("Old", "Long ago.", { from: 0, to: 1 })), 2);
    const page = await find({ limit: 1 });
    assert.deepEqual(page, { moments: [{ moment: kept, score: 1 }], total: 2 });
    assert.deepEqual(await titles({ limit: 1, offset: 1 }), ["Old"]);
    assert.deepEqual(await titles({ offset: 2 }), []);
  });

  it("are found by their words and by their meaning, best first, those of other scopes never", async () => {
    await save(
      moment("Pier", "The pier reopens."),
      moment("Bread", "Butter goes with it."),
      moment("Pier too", "The pier of a project.", { scope: "w2" }),
    );
    assert.deepEqual(await titles({ query: "when does the pier open", scopes: ["", "w1"] }), ["Pier"]);
    assert.deepEqual(await titles({ query: "quay", scopes: [""] }), ["Pier"]);
    assert.deepEqual(await titles({ query: "' OR true --" }), []);
  });

  it("are those whose time touches the one that is asked for", async () => {
    const days = (from: number, to: number) => ({ from: NOON + from * DAY, to: NOON + to * DAY });
    await save(moment("before", "a", days(-9, -8)), moment("across", "b", days(-3, 1)));
    await save(moment("after", "c", days(5, 5)));
    assert.deepEqual(await titles(days(0, 2)), ["across"]);
    assert.deepEqual(await titles({ from: NOON + DAY }), ["after", "across"]);
    assert.deepEqual(await titles({ to: NOON - 5 * DAY }), ["before"]);
    assert.deepEqual(await titles({ query: "across before", ...days(0, 2) }), ["across"]);
  });

  it("that say the same in one scope are kept once, also from two windows at the same time", async () => {
    const other = new Moments(await openWindow({ folder: window.folder }));
    await Promise.all(
      [moments, other, moments].map(async (each) =>
        valueOf(await each.save([moment("Pier", "It reopens.")], never)),
      ),
    );
    assert.equal(await save(moment("Pier", "It reopens."), moment("Pier", "It reopens.", { scope: "w" })), 1);
    assert.equal((await find()).total, 2);
  });

  it("are bounded, and turned times are put in order", async () => {
    await save(moment("t".repeat(900), `${"x".repeat(9_999)}👩‍🚀`, { from: NOON, to: NOON - DAY }));
    const [found] = (await find()).moments;
    assert.equal(found?.moment.title.length, 200);
    assert.equal(found.moment.text, "x".repeat(9_999));
    assert.deepEqual([found.moment.from, found.moment.to], [NOON - DAY, NOON]);
  });

  it("go with a turn that they were kept in or tell of, and are gone from the disk", async () => {
    const told = episode({ question: "Where is the zeppelin?", sessionId: "s1", turnId: "t1", time: NOON });
    valueOf(await new EpisodeTable(window.database).append([told], never));
    await save(
      moment("Zeppelin", "It is in the hangar.", { turns: [{ sessionId: "s1", turnId: "t1" }] }),
      moment("Zeppelin kept", "Kept in it.", { source: { sessionId: "s1", turnId: "t1", time: NOON } }),
      moment("Other", "Stays.", { turns: [{ sessionId: "s2", turnId: "t2" }] }),
    );
    const { gone, preview } = await forget({ by: "ids", table: "episodes", ids: [told.id] });
    assert.equal(gone.counts.moments, 2);
    assert.ok(preview.samples.some(({ table, text }) => table === "moments" && text === "Zeppelin"));
    assert.deepEqual(await titles(), ["Other"]);
    assert.deepEqual(await onDisk(window.folder, "zeppelin"), []);
    assert.equal(await save(moment("Late", "zeppelin", { turns: [{ sessionId: "s1", turnId: "t1" }] })), 0);
  });

  it("go when all about something, a whole session, they themselves, or everything is forgotten", async () => {
    await save(
      moment("Anna", "She came by."),
      moment("Boat", "Anna's boat.", { scope: "w" }),
      moment("Sea", "It was calm.", { source: { sessionId: "s2", turnId: "t2", time: NOON } }),
      moment("Wind", "It blew."),
      moment("Rain", "It fell."),
    );
    assert.equal((await forget({ by: "about", about: "anna", scopes: [""] })).gone.counts.moments, 1);
    assert.equal((await forget({ by: "about", about: "Anna" })).gone.counts.moments, 1);
    assert.equal((await forget({ by: "session", sessionId: "s2" })).gone.counts.moments, 1);
    const [wind] = (await find({ query: "wind blew" })).moments;
    await forget({ by: "ids", table: "moments", ids: [wind?.moment.id ?? ""] });
    assert.deepEqual(await titles(), ["Rain"]);
    assert.equal((await forget({ by: "everything" })).gone.counts.moments, 1);
    assert.deepEqual(await titles(), []);
  });
});
