import assert from "node:assert/strict";
import { readDocument } from "../../../src/tools/web/read-document.ts";
import { makePdf } from "../../support/web/pdf.ts";

const signal = new AbortController().signal;

function read(bytes: Buffer, contentType = "application/pdf", cut = false) {
  return readDocument({ url: "https://example.com/a.pdf", contentType, bytes, cut }, signal);
}

describe("reading a PDF", function () {
  this.timeout(30_000);

  it("gives its text with a mark for each page, whatever the server calls it", async () => {
    const bytes = makePdf({ pages: ["The pier reopens", "on 3 May"] });
    for (const type of ["application/pdf", "application/octet-stream", "text/html", ""]) {
      const result = await read(bytes, type);
      assert.ok(result.ok, type);
      assert.equal(result.value.text, "[page 1]\nThe pier reopens\n\n[page 2]\non 3 May");
      assert.equal(result.value.kind, "PDF, 2 pages");
      assert.doesNotMatch(result.value.text, /%PDF|endstream/);
    }
  });

  it("says that a scan has no text layer", async () => {
    const result = await read(makePdf({ pages: ["", ""] }));
    assert.ok(!result.ok);
    assert.match(result.failure.message, /PDF of 2 pages with no text layer/);
  });

  it("says that text is missing whose characters only a table outside of the file would tell", async () => {
    const wholly = await read(makePdf({ pages: ["<4f60597d>"] }));
    assert.match(wholly.ok ? "" : wholly.failure.message, /needs tables of characters that are not here/);
    const partly = await read(makePdf({ pages: ["The pier reopens", "<4f60597d>"] }));
    assert.ok(partly.ok);
    assert.match(partly.value.text, /The pier reopens/);
    assert.match(partly.value.notes.join(), /this may be incomplete or wrong/);
    const plain = await read(makePdf({ pages: ["The pier reopens"] }));
    assert.deepEqual(plain.ok && plain.value.notes, []);
  });

  it("says that a damaged or cut file is not readable, and shows nothing of it", async () => {
    const whole = makePdf({ pages: ["x"] });
    const damaged = await read(Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(500, 0x80)]));
    const cut = await read(whole, "application/pdf", true);
    for (const result of [damaged, cut]) {
      assert.ok(!result.ok);
      assert.match(result.failure.message, /^PDF, not readable here/);
    }
  });

  it("refuses a file that unfolds to far more than it is, before it unfolds", async () => {
    const bomb = makePdf({ pages: ["x"], bombBytes: 200 * 1024 * 1024 });
    assert.ok(bomb.length < 1_000_000);
    const before = process.memoryUsage().rss;
    const result = await read(bomb);
    assert.ok(!result.ok);
    assert.match(result.failure.message, /unfolds to more than the limit/);
    assert.ok(process.memoryUsage().rss - before < 100_000_000);
  });
});

describe("reading other bodies", () => {
  it("never hands on what is no text, by its first bytes or its label", async () => {
    const zip = Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(1000, 0x41)]);
    const bodies: [Buffer, string][] = [
      [zip, "text/plain"],
      [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]), "text/html"],
      [Buffer.from("whatever"), "image/webp"],
      [Buffer.from([0, 1, 2, 0, 0, 255, 254]), "application/octet-stream"],
      [Buffer.alloc(400, 0), "text/plain"],
    ];
    for (const [bytes, type] of bodies) assert.equal((await read(bytes, type)).ok, false, type);
  });

  it("gives JSON and plain text as they are", async () => {
    const json = await read(Buffer.from('{"tide":"14:10"}'), "application/ld+json");
    assert.ok(json.ok);
    assert.deepEqual([json.value.kind, json.value.text], ["JSON", '{"tide":"14:10"}']);
    const text = await read(Buffer.from("High tide 14:10 <b>"), "text/plain");
    assert.ok(text.ok);
    assert.deepEqual([text.value.kind, text.value.text], ["text", "High tide 14:10 <b>"]);
  });

  it("says what is missing of a body that was cut", async () => {
    const result = await read(Buffer.from("x".repeat(200_000)), "text/plain", true);
    assert.ok(result.ok);
    assert.deepEqual(result.value.notes, ["Only the first 0.2 MB were read."]);
  });

  it("says that it can't make out the encoding instead of handing noise on", async () => {
    const result = await read(Buffer.from("\uFFFD\uFFFD a ".repeat(100)), "text/html; charset=utf-8");
    assert.ok(!result.ok);
    assert.match(result.failure.message, /Encoding not understood/);
  });
});
