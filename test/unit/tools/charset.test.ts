import assert from "node:assert/strict";
import { decodeText } from "../../../src/tools/web/charset.ts";

const GBK = Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7]);
const CYRILLIC = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);

describe("decoding a body", () => {
  it("goes by the header's label", () => {
    assert.equal(decodeText(GBK, "text/html; charset=gbk").text, "你好世界");
    assert.equal(decodeText(CYRILLIC, "text/plain; charset=windows-1251").text, "Привет");
    assert.equal(decodeText(Buffer.from([0xb1]), 'text/html; charset="ISO-8859-2"').text, "ą");
  });

  it("goes by the page's own declaration when the header has none", () => {
    const japanese = Buffer.concat([
      Buffer.from('<meta charset="Shift_JIS"><p>'),
      Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
      Buffer.from("</p>"),
    ]);
    assert.match(decodeText(japanese, "text/html").text, /<p>日本<\/p>/);
    const xml = Buffer.concat([Buffer.from('<?xml version="1.0" encoding="windows-1251"?><a>'), CYRILLIC]);
    assert.match(decodeText(xml, "text/xml").text, /Привет/);
  });

  it("believes a byte order mark more than any label", () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("Grüße 🚀", "utf16le")]);
    assert.equal(decodeText(utf16, "text/html; charset=utf-8").text, "Grüße 🚀");
    const big = Buffer.from([0xfe, 0xff, 0x00, 0x47, 0x00, 0xfc]);
    assert.equal(decodeText(big, "text/plain; charset=windows-1252").text, "Gü");
    const utf8 = Buffer.from("\uFEFFGrüße");
    assert.equal(decodeText(utf8, "text/html; charset=iso-8859-1").text, "Grüße");
  });

  it("falls back from a label that nobody knows, and says so", () => {
    const decoded = decodeText(Buffer.from("Grüße"), "text/html; charset=klingon");
    assert.equal(decoded.text, "Grüße");
    assert.match(decoded.note ?? "", /unknown encoding \(klingon\); read as utf-8/);
  });

  it("detects a legacy encoding that nothing declares", () => {
    const text = "Die Bäcker öffnen früh, überall in München gibt es süße Brötchen für die Gäste. ".repeat(5);
    assert.equal(decodeText(Buffer.from(text, "latin1"), "text/html").text, text);
  });

  it("reads a page by what its bytes are when the declaration is wrong, and says so", () => {
    const text = "Die Bäcker öffnen früh, überall gibt es süße Brötchen für die Gäste. ".repeat(5);
    const decoded = decodeText(Buffer.from(text, "latin1"), "text/html; charset=utf-8");
    assert.equal(decoded.text, text);
    assert.match(decoded.note ?? "", /says utf-8 and is not/);
  });

  it("reads stray bytes in an honest UTF-8 page without spoiling the rest", () => {
    const page = Buffer.concat([
      Buffer.from("Grüße aus Köln. ".repeat(50)),
      Buffer.from([0xe4]),
      Buffer.from(" Ende €"),
    ]);
    const { text, garbled } = decodeText(page, "text/html; charset=utf-8");
    assert.match(text, /Köln\. ä Ende €$/);
    assert.doesNotMatch(text, /\uFFFD/);
    assert.equal(garbled, false);
  });

  it("calls noise noise", () => {
    const random = Buffer.from(
      Array.from({ length: 4000 }, (_, index) => (index * 7919 + (index >> 3) * 31) % 256),
    );
    assert.equal(decodeText(random, "text/plain; charset=utf-8").garbled, true);
    const mangled = "caf\uFFFD \uFFFD\uFFFD".repeat(50);
    assert.equal(decodeText(Buffer.from(mangled), "text/plain; charset=utf-8").garbled, true);
    assert.equal(decodeText(Buffer.from("caf\uFFFD ".padEnd(200, "x")), "text/plain").garbled, false);
  });

  it("does not hold a sign that the byte limit cut against the page", () => {
    const whole = Buffer.from(`${"Grüße ".repeat(100)}ü`);
    const decoded = decodeText(whole.subarray(0, whole.length - 1), "text/plain");
    assert.equal(decoded.encoding, "utf-8");
    assert.equal(decoded.garbled, false);
  });
});
