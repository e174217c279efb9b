import assert from "node:assert/strict";
import { CANCELLED, success } from "../../../src/agent/failure.ts";
import { systemIdentity } from "../../../src/agent/ids.ts";
import type { Episode } from "../../../src/agent/memory/port.ts";
import type { ForgetWhat, Forgotten, Learnt, Moment } from "../../../src/agent/memory/types.ts";
import { noteEpisode } from "../../../src/vscode/chat/recall.ts";
import { MemorySource, type OwnedMemory } from "../../../src/vscode/memory-source.ts";
import { storeUri } from "../../../src/vscode/memory/client-options.ts";
import { learntFromNote } from "../../../src/vscode/memory/note.ts";

const { signal } = new AbortController();
const defaults = {
  memoryEnabled: true,
  memoryUri: "",
  embedderProvider: "transformers" as "transformers" | "ollama" | "none",
  embedderModel: "nomic-embed-text",
  embedderFolder: "",
  embedderHost: "",
  embedderDownload: true,
  ollamaHost: "http://127.0.0.1:11434",
};
const counts = { episodes: 1, facts: 0, people: 0, relationships: 0, resources: 0 };

function made(privateSession = "") {
  const alive: string[] = [];
  const stored: Episode[] = [];
  const learnt: Learnt[] = [];
  const moments: Moment[] = [];
  const turns = [{ sessionId: "s1", turnId: "t1" }];
  let current = { ...defaults };
  const source = new MemorySource({
    settings: () => current,
    make: ({ embedderFolder, memoryUri }) => {
      const name = `client ${embedderFolder}${memoryUri}`;
      alive.push(name);
      const client: Partial<OwnedMemory> = {
        status: () => Promise.resolve({ state: "ready", embedder: name }),
        add: (episodes) => {
          stored.push(...episodes);
          return Promise.resolve(success({ added: episodes.length }));
        },
        learn: (what) => {
          learnt.push(what);
          return Promise.resolve(
            success({ added: [], repeated: [], closed: [], rejected: [], entities: 0, edges: 0 }),
          );
        },
        saveMoments: (given) => {
          moments.push(...given);
          return Promise.resolve(success({ saved: given.length }));
        },
        forget: () => Promise.resolve(success<Forgotten>({ removed: 1, counts, turns })),
        dispose: () => {
          alive.splice(alive.indexOf(name), 1);
          return Promise.resolve();
        },
      };
      return client as OwnedMemory;
    },
    traces: {
      log: {
        bury: (what) => Promise.resolve(success({ turns: what.turns.length })),
        mentions: () => Promise.resolve(success([])),
      },
      now: () => 0,
    },
    isPrivate: (sessionId) => sessionId === privateSession,
  });
  const set = (change: Partial<typeof defaults>) => void (current = { ...current, ...change });
  return { source, alive, stored, learnt, moments, set };
}

const note = (sessionId: string, turnId: string): Episode => ({
  ...noteEpisode("tea", sessionId, "", systemIdentity),
  turnId,
});

describe("memory as the settings want it", () => {
  it("is not made before it is used, and made once", async () => {
    const { source, alive } = made();
    assert.deepEqual(alive, []);
    await source.status(signal);
    await source.status(signal);
    assert.equal(alive.length, 1);
  });

  it("loses nothing of what it is asked while the settings change: the next one is asked the same", async () => {
    let settings = { ...defaults };
    const asked: string[] = [];
    const source = new MemorySource({
      settings: () => settings,
      make: ({ embedderFolder }) => {
        let cut: (() => void) | undefined;
        const cancelled = { ok: false as const, failure: CANCELLED };
        const client: Partial<OwnedMemory> = {
          add: (episodes) => {
            asked.push(embedderFolder);
            if (embedderFolder !== "") return Promise.resolve(success({ added: episodes.length }));
            return new Promise((resolve) => (cut = () => resolve(cancelled)));
          },
          dispose: () => Promise.resolve(cut?.()),
        };
        return client as OwnedMemory;
      },
      traces: {
        log: {
          bury: () => Promise.resolve(success({ turns: 0 })),
          mentions: () => Promise.resolve(success([])),
        },
        now: () => 0,
      },
    });
    const adding = source.add([note("s1", "t1")], signal);
    await Promise.resolve();
    settings = { ...defaults, embedderFolder: "/models" };
    // Whoever uses it next finds that the settings are others, and ends the first client.
    const looked = source.add([note("s1", "t2")], signal);
    assert.deepEqual(await adding, success({ added: 1 }));
    assert.deepEqual(await looked, success({ added: 1 }));
    assert.deepEqual(asked, ["", "/models", "/models"]);
    await source.dispose();
  });

  it("is off in words, and its process ended, when it is turned off", async () => {
    const { source, alive, set } = made();
    await source.status(signal);
    set({ memoryEnabled: false });
    const found = await source.search({ query: "x", limit: 1 }, signal);
    assert.equal(found.ok, false);
    assert.equal(found.failure.code, "memory_unavailable");
    assert.equal(found.failure.target, "conclave.memory.enabled");
    assert.equal((await source.status(signal)).state, "off");
    assert.deepEqual(alive, []);
  });

  it("is another when the store or the embedder's folder changes, and the first one ends", async () => {
    const { source, alive, set } = made();
    await source.status(signal);
    set({ embedderFolder: "/models" });
    assert.equal((await source.status(signal)).embedder, "client /models");
    set({ memoryUri: "s3://b/m" });
    await source.status(signal);
    assert.deepEqual(alive, ["client /modelss3://b/m"]);
    await source.dispose();
    assert.deepEqual(alive, []);
  });

  it("goes on when the server of the chat models changes, unless that server makes the embeddings", async () => {
    const { source, alive, set } = made();
    const renewed = async (change: Partial<typeof defaults>) => {
      await source.status(signal);
      const [before] = alive;
      alive[0] = `${before} seen`;
      set(change);
      await source.status(signal);
      return !alive.includes(`${before} seen`);
    };
    assert.equal(await renewed({ ollamaHost: "http://other:1" }), false);
    set({ embedderProvider: "ollama" });
    assert.equal(await renewed({ ollamaHost: "http://third:1" }), true);
  });

  it("lies in the extension's folder, in a folder of the user's, or where a URI says", () => {
    assert.equal(storeUri("", "/data"), "/data/memory");
    assert.equal(storeUri("relative", "/data"), "/data/memory");
    assert.equal(storeUri("/mine", "/data"), "/mine");
    assert.equal(storeUri("s3://bucket/x", "/data"), "s3://bucket/x");
  });
});

const momentOf = (sessionId: string, turnId: string, ...turns: Moment["turns"]): Moment => ({
  ...{ id: systemIdentity.uuid(), title: turnId, text: "tea", from: 0, to: 0, scope: "", agent: "a", turns },
  source: { sessionId, turnId, time: 0 },
});

describe("what memory never gets", () => {
  it("is a moment of a private session, or of a turn that was forgotten", async () => {
    const { source, moments } = made("secret");
    await source.forget({ by: "everything" }, signal);
    const given = [
      momentOf("secret", "t7"),
      momentOf("s1", "t1"),
      momentOf("open", "t2"),
      momentOf("open", "t3", { sessionId: "s1", turnId: "t1" }),
      momentOf("open", "t4", { sessionId: "secret", turnId: "t9" }),
    ];
    assert.deepEqual(await source.saveMoments(given, signal), { ok: true, value: { saved: 1 } });
    assert.deepEqual(
      moments.map(({ title }) => title),
      ["t2"],
    );
    assert.deepEqual(await source.saveMoments(given.slice(0, 2), signal), { ok: true, value: { saved: 0 } });
  });

  it("is what a private session says, whoever hands it over", async () => {
    const { source, stored, learnt } = made("secret");
    await source.add([note("secret", "t1"), note("open", "t2")], signal);
    await source.learn(learntFromNote(note("secret", "t1")), signal);
    assert.deepEqual(
      stored.map(({ turnId }) => turnId),
      ["t2"],
    );
    assert.deepEqual(learnt, []);
    assert.deepEqual(await source.add([note("secret", "t3")], signal), { ok: true, value: { added: 0 } });
  });

  it("is a turn that was forgotten while it ran, when it ends", async () => {
    const { source, stored, learnt } = made();
    const heard: Forgotten[] = [];
    const stop = source.onForgotten((what) => heard.push(what));
    const what: ForgetWhat = { by: "about", about: "tea" };
    await source.forget(what, signal);
    stop();
    await source.forget(what, signal);
    assert.equal(heard.length, 1);
    await source.add([note("s1", "t1"), note("s1", "t2")], signal);
    await source.learn(learntFromNote(note("s1", "t1")), signal);
    assert.deepEqual(
      stored.map(({ turnId }) => turnId),
      ["t2"],
    );
    assert.deepEqual(learnt, []);
  });
});
