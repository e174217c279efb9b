import assert from "node:assert/strict";
import { contentKind } from "../../../src/tools/web/content.ts";
import { readDocument } from "../../../src/tools/web/read-document.ts";

const OCTETS = "application/octet-stream";

function read(bytes: Buffer | string, contentType: string) {
  const body = { url: "https://example.com/a", contentType, bytes: Buffer.from(bytes), cut: false };
  return readDocument(body, new AbortController().signal);
}

describe("what a body is", () => {
  it("shows in its first bytes, whatever it is called: files that are no text are never shown", async () => {
    const starts = {
      docx: "PK\u0003\u0004\u0014\u0000\u0006\u0000[Content_Types].xml",
      "empty zip": "PK\u0005\u0006",
      rar: "Rar!\u001a\u0007",
      gzip: "\u001f\u008b\u0008",
      png: "\u0089PNG\r\n",
      jpeg: "\u00ff\u00d8\u00ff\u00e0",
      mp3: "ID3\u0004",
      ogg: "OggS\u0000",
      font: "wOF2",
      rtf: "{\\rtf1\\ansi The pier}",
      class: "\u00ca\u00fe\u00ba\u00be",
      sqlite: "SQLite format 3",
    };
    for (const [name, start] of Object.entries(starts)) {
      const bytes = Buffer.concat([Buffer.from(start, "latin1"), Buffer.from("plain letters ".repeat(40))]);
      for (const type of [OCTETS, "text/plain", "text/html", ""]) {
        const result = await read(bytes, type);
        assert.match(result.ok ? "shown" : result.failure.message, /^Not a text/, `${name} as ${type}`);
      }
    }
  });

  it("shows in its signs when the label says nothing", () => {
    const kinds: readonly (readonly [string, string])[] = [
      ["\uFEFF<!DOCTYPE html><p>x", "html"],
      ["\n <html><p>x", "html"],
      ['{"a": 1}', "json"],
      ["\uFEFF[1, 2]", "json"],
      ["High tide at 14:10", "text"],
      ["\u0000\u0001\u0002", "binary"],
    ];
    for (const [text, kind] of kinds) {
      for (const type of [OCTETS, "", "binary/octet-stream"])
        assert.equal(contentKind(Buffer.from(text), type), kind, JSON.stringify(text));
    }
  });

  it("is data when a server calls its data a page, and a page when a page begins like data", async () => {
    const json = '{"text": "<b>High</b> tide\\n\\n at 14:10"}';
    const data = await read(json, "text/html; charset=utf-8");
    assert.deepEqual(data.ok && [data.value.kind, data.value.text], ["JSON", json]);
    assert.equal(contentKind(Buffer.from("[1] A note. <p>The text.</p>"), "text/html"), "html");
  });

  it("is nothing when it is empty, and that is said", async () => {
    for (const type of ["text/html", "text/plain", "application/json", "application/pdf", OCTETS, ""]) {
      const nothing = await read("", type);
      assert.match(nothing.ok ? "shown" : nothing.failure.message, /empty body/, type);
    }
    for (const type of ["text/html", "text/plain", "application/json"]) {
      const blank = await read(" \n\t ", type);
      assert.match(blank.ok ? "shown" : blank.failure.message, /no text/, type);
    }
  });

  it("is text for feeds and other XML, declared encoding and all", async () => {
    const feed = Buffer.concat([
      Buffer.from(`<?xml version="1.0" encoding="windows-1251"?><rss><channel><title>`),
      Buffer.from("cff0e8e2e5f2", "hex"),
      Buffer.from("</title></channel></rss>"),
    ]);
    for (const type of ["application/rss+xml", "application/atom+xml", "text/xml", "application/xml"]) {
      const result = await read(feed, type);
      assert.match(result.ok ? result.value.text : "", /<title>Привет<\/title>/, type);
    }
  });
});
