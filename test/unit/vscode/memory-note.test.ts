import assert from "node:assert/strict";
import { systemIdentity } from "../../../src/agent/ids.ts";
import { noteEpisode } from "../../../src/vscode/chat/recall.ts";
import {
  credentialFields,
  readStorageOptions,
  storageOptions,
} from "../../../src/vscode/memory/credentials.ts";
import { learnedInWords, learntFromNote } from "../../../src/vscode/memory/note.ts";

const learnt = (text: string) => learntFromNote({ ...noteEpisode(text, "s1", "boat", systemIdentity) });

describe("a note of the user's own", () => {
  it("is a fact in their words, with the note as its source, in the note's folder", () => {
    const { facts, source, scope, by, said } = learnt("We keep the cache in SQLite");
    assert.deepEqual(
      [scope, by, said, source.sessionId],
      ["boat", "user", "We keep the cache in SQLite", "s1"],
    );
    const [fact] = facts;
    assert.deepEqual(
      [fact?.text, fact?.quote, fact?.owner, fact?.kind],
      ["We keep the cache in SQLite", "We keep the cache in SQLite", "user", "fact"],
    );
  });

  for (const [text, kind] of [
    ["I prefer tabs", "preference"],
    ["my sister Anna lives in Oslo", "relationship"],
    ["the port is 8080", "fact"],
  ] as const) {
    it(`of which kind "${text}" is: a ${kind}`, () => {
      assert.equal(learnt(text).facts[0]?.kind, kind);
    });
  }

  it("is an event when it tells of a time: its words stay, and the time stands beside them", () => {
    const time = new Date(2026, 10, 19, 12).getTime();
    const note = { ...noteEpisode("the dentist is tomorrow at 3pm", "s1", "", systemIdentity), time };
    const [fact] = learntFromNote(note).facts;
    assert.equal(fact?.kind, "event");
    assert.equal(fact.text, "the dentist is tomorrow at 3pm");
    assert.equal(fact.eventFrom, new Date(2026, 10, 20, 15).getTime());
  });

  it("is told in a sentence: kept, known before, or why not", () => {
    const none = { added: [], repeated: [], closed: [], rejected: [], entities: 0, edges: 0 };
    const row = { id: "f", text: "x" };
    assert.equal(learnedInWords({ ...none, added: [row] }), "kept as a fact");
    assert.equal(
      learnedInWords({ ...none, repeated: [row], rejected: [{ text: "y", reason: "too long" }] }),
      "known before, and surer now; not kept as a fact: too long",
    );
  });
});

describe("keys of an object store", () => {
  it("are asked for by the kind of store, and not for a folder", () => {
    assert.equal(credentialFields("/data/memory"), undefined);
    assert.equal(credentialFields(""), undefined);
    assert.equal(credentialFields("S3://bucket/x")?.[0]?.name, "aws_access_key_id");
    assert.ok(credentialFields("s3://b")?.some(({ secret }) => secret));
    assert.equal(credentialFields("toString://x"), undefined);
  });

  it("leave out what was left empty, and allow plain http only where an address asks for it", () => {
    assert.deepEqual(storageOptions({ aws_access_key_id: " id ", aws_region: "" }), {
      aws_access_key_id: "id",
    });
    assert.deepEqual(storageOptions({ aws_endpoint: "http://127.0.0.1:9" }), {
      aws_endpoint: "http://127.0.0.1:9",
      allow_http: "true",
    });
    assert.deepEqual(storageOptions({ aws_endpoint: "https://s3.test" }), {
      aws_endpoint: "https://s3.test",
    });
  });

  it("that were damaged count as none", () => {
    for (const kept of [undefined, "", "{", "[1]", '{"a":1}'])
      assert.equal(readStorageOptions(kept), undefined);
    assert.deepEqual(readStorageOptions('{"aws_region":"x"}'), { aws_region: "x" });
  });
});
