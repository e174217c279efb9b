import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeText } from "../../../src/tools/web/charset.ts";
import { readDocument } from "../../../src/tools/web/read-document.ts";

const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(" ", ""), "hex");

/** A word of each script, in the encodings that its pages used before UTF-8. */
const WORDS: readonly (readonly [label: string, bytes: Buffer, text: string])[] = [
  ["gb2312", hex("c4 e3 ba c3"), "你好"],
  ["gb18030", hex("95 32 82 36 c4 e3"), "𠀀你"],
  ["big5", hex("bd 58 c0 59"), "碼頭"],
  ["euc-kr", hex("be c8 b3 e7"), "안녕"],
  ["euc-jp", hex("c6 fc cb dc"), "日本"],
  ["iso-2022-jp", hex("1b 24 42 46 7c 4b 5c 1b 28 42"), "日本"],
  ["koi8-r", hex("f0 d2 c9 d7 c5 d4"), "Привет"],
  ["koi8-u", hex("a7 d6 c1 cb"), "їжак"],
  ["windows-1250", hex("af f3 b3 e6"), "Żółć"],
  ["windows-1253", hex("ca e1 eb e7 ec dd f1 e1"), "Καλημέρα"],
  ["windows-1254", hex("dd fe de f0"), "İşŞğ"],
  ["windows-1255", hex("f9 ec e5 ed"), "שלום"],
  ["windows-1256", hex("d3 e1 c7 e3"), "سلام"],
  ["windows-874", hex("e4 b7 c2"), "ไทย"],
  ["macintosh", hex("8a 8e"), "äé"],
];

function wrapped(before: string, word: Buffer, after = ""): Buffer {
  return Buffer.concat([Buffer.from(before), word, Buffer.from(after)]);
}

function bigEndian(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

const PAGE =
  "<!doctype html><html><head><title>Pier</title></head><body><p>Grüße: 码头将开放。</p></body></html>";

describe("an encoding of before UTF-8", () => {
  it("is read by the header's label", () => {
    for (const [label, bytes, text] of WORDS)
      assert.equal(decodeText(bytes, `text/plain; charset=${label}`).text, text, label);
  });

  it("is read by the page's own word, in each of its forms", () => {
    for (const [label, bytes, text] of WORDS) {
      for (const declaration of [
        `<meta charset=${label}>`,
        `<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=${label}'>`,
        `<?xml version="1.0" encoding="${label}"?>`,
      ]) {
        assert.ok(decodeText(wrapped(declaration, bytes), "text/html").text.endsWith(text), declaration);
      }
    }
  });

  it("is read by a declaration that comes late, and not by one that is commented out", () => {
    const late = `<head>${`<link href="style.css">`.repeat(600)}<meta charset="koi8-r">`;
    const word = hex("f0 d2 c9 d7 c5 d4");
    assert.match(decodeText(wrapped(late, word), "text/html").text, /Привет$/);
    const commented = `<!-- <meta charset="windows-1251"> --><meta charset="koi8-r">`;
    assert.match(decodeText(wrapped(commented, word), "text/html").text, /Привет$/);
  });

  it("is read by the page's word rather than by the label that servers put on everything", () => {
    const page = wrapped(`<meta charset="gbk">`, hex("c4 e3 ba c3"));
    assert.match(decodeText(page, "text/html; charset=ISO-8859-1").text, /你好$/);
  });

  it("is known by its escape codes when nothing declares it", () => {
    const bytes = wrapped("Subject: ", hex("1b 24 42 46 7c 4b 5c 1b 28 42"));
    for (const type of ["text/plain", "text/plain; charset=utf-8"])
      assert.equal(decodeText(bytes, type).text, "Subject: 日本", type);
  });
});

describe("UTF-8 under another name", () => {
  it("is read as what it is, and it is said", () => {
    const page = Buffer.from("<p>Grüße aus Łódź, 你好</p>");
    for (const label of ["iso-8859-1", "windows-1251", "gbk", "big5", "euc-kr", "shift_jis", "koi8-r"]) {
      const { text, note } = decodeText(page, `text/html; charset=${label}`);
      assert.equal(text, "<p>Grüße aus Łódź, 你好</p>", label);
      assert.match(note ?? "", /is not; read as utf-8/, label);
    }
  });

  it("is not suspected in a short text that its label reads", () => {
    assert.equal(decodeText(hex("c4 e3 ba c3"), "text/plain; charset=gbk").note, undefined);
    assert.equal(decodeText(hex("63 61 66 e9"), "text/plain; charset=iso-8859-1").text, "café");
  });
});

describe("UTF-16 without a byte order mark", () => {
  it("is read in both byte orders, whatever the label says", () => {
    for (const bytes of [Buffer.from(PAGE, "utf16le"), bigEndian(PAGE)]) {
      for (const type of ["text/html", "text/html; charset=utf-8", "text/html; charset=iso-8859-1", ""])
        assert.equal(decodeText(bytes, type).text, PAGE, type);
    }
  });

  it("makes a page of a body without a label", async () => {
    for (const bytes of [Buffer.from(PAGE, "utf16le"), bigEndian(PAGE)]) {
      const body = {
        url: "https://example.com/",
        contentType: "application/octet-stream",
        bytes,
        cut: false,
      };
      const result = await readDocument(body, new AbortController().signal);
      assert.ok(result.ok);
      assert.equal(result.value.title, "Pier");
      assert.match(result.value.text, /Grüße: 码头将开放/);
    }
  });

  it("is told from any other text by the signs of plain markup in it", () => {
    const text = fc
      .string({ unit: "grapheme", maxLength: 40 })
      .map((inner) => `<p class="text">${inner}</p>`);
    fc.assert(
      fc.property(text, (page) => {
        assert.equal(decodeText(Buffer.from(page, "utf16le"), "text/html").text, page);
        assert.equal(decodeText(bigEndian(page), "text/html").text, page);
        assert.equal(decodeText(Buffer.from(page), "text/html").text, page);
      }),
    );
  });

  it("is not seen in binary data: that stays unreadable", () => {
    const numbers = Buffer.from(Uint16Array.from({ length: 2_000 }, (_, index) => index % 300).buffer);
    assert.equal(decodeText(numbers, "text/plain").garbled, true);
    assert.equal(decodeText(Buffer.from(Float64Array.from({ length: 500 }, Math.sqrt).buffer)).garbled, true);
  });
});
