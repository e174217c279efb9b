import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { ToolOutcome } from "../../../src/agent/tool.ts";
import { webFetch } from "../../../src/tools/web-fetch.ts";
import { AddressGuard } from "../../../src/tools/web/address-guard.ts";
import { inlineReader } from "../../../src/tools/web/read-document.ts";
import { UNTRUSTED_TAG } from "../../../src/tools/web/untrusted.ts";
import { makePdf } from "../../support/web/pdf.ts";
import { startPages, type LoopbackServer, type Page } from "../../support/web/server.ts";
import { contextOf, textOf } from "../../support/web/tools.ts";

const PROSE = "The pier reopens on 3 May after two winters of work, the harbour master said on Tuesday. ";

describe("web_fetch", () => {
  let server: LoopbackServer;
  let now = 0;
  let fetchPage: (path: string, start?: number) => Promise<ToolOutcome>;

  async function serve(pages: Readonly<Record<string, Page>>): Promise<void> {
    server = await startPages(pages);
    now = 1_000_000;
    const guard = new AddressGuard({ allow: [server.host] });
    const tool = webFetch({ guard, reader: inlineReader, timeoutMs: () => 5_000, now: () => now });
    fetchPage = (path, start = 0) => tool.run({ url: server.origin + path, start }, contextOf());
  }

  afterEach(() => server.close());

  it("gives a page's main text as untrusted content, with its address as a source", async () => {
    await serve({
      "/": { body: `<title>Pier</title><nav>Home</nav><main><p>${PROSE.repeat(3)}</p></main>` },
    });
    const outcome = await fetchPage("/");
    assert.ok(outcome.ok);
    const lines = outcome.content.split("\n");
    assert.equal(lines[0], `<${UNTRUSTED_TAG} source="${server.origin}/">`);
    assert.equal(lines[1], "# Pier");
    assert.equal(lines.at(-1), `</${UNTRUSTED_TAG}>`);
    assert.match(outcome.content, /The pier reopens on 3 May/);
    assert.deepEqual(outcome.details.sources, [{ uri: `${server.origin}/`, title: "Pier" }]);
  });

  it("gives a long text part by part, asks the server once, and asks anew for a new reading", async () => {
    const body = JSON.stringify({ list: Array.from({ length: 200_000 }, (_, index) => `item ${index}`) });
    await serve({ "/data": { headers: { "content-type": "application/json" }, body } });
    const first = await fetchPage("/data");
    assert.ok(first.ok);
    assert.ok(first.content.length < 3_400);
    const next = /of [\d,]+ characters, call web_fetch again with start=(\d+)/.exec(first.content)?.[1];
    const second = await fetchPage("/data", Number(next));
    assert.ok(second.ok);
    assert.equal(server.seen.length, 1);
    const given = (outcome: ToolOutcome) => textOf(outcome).split("\n").slice(1, -2).join("\n");
    assert.ok(body.startsWith(given(first) + given(second)));
    await fetchPage("/data");
    assert.equal(server.seen.length, 2);
  });

  it("keeps a page for five minutes and no longer", async () => {
    await serve({ "/": { headers: { "content-type": "text/plain" }, body: PROSE.repeat(200) } });
    await fetchPage("/");
    now += 4 * 60_000;
    await fetchPage("/", 3000);
    assert.equal(server.seen.length, 1);
    now += 6 * 60_000;
    await fetchPage("/", 3000);
    assert.equal(server.seen.length, 2);
  });

  it("gives one line with status and address for an error, never its page", async () => {
    const body = `<html>${"An error page of great length. ".repeat(70_000)}</html>`;
    await serve({
      "/gone": { status: 404, body },
      "/busy": { status: 503, body },
      "/slow-down": { status: 429, body },
      "/wall": { status: 403, headers: { "cf-mitigated": "challenge" }, body },
    });
    const gone = await fetchPage("/gone");
    assert.equal(textOf(gone), `${server.origin}/gone answered 404 (not found).`);
    assert.deepEqual([gone.ok, !gone.ok && gone.retryable], [false, false]);
    const busy = await fetchPage("/busy");
    assert.equal(!busy.ok && busy.retryable, true);
    const limited = await fetchPage("/slow-down");
    assert.equal(!limited.ok && limited.failure.code, "rate_limited");
    assert.match(textOf(await fetchPage("/wall")), /challenge page, 403\), page not served/);
  });

  it("may be tried again where the server was busy or broke off, not where it refused", async () => {
    await serve({
      "/bad-gateway": { status: 502 },
      "/withheld": { status: 451 },
      "/broken": { headers: { "content-length": "1000" }, body: "half of it", breaksOff: true },
      "/error": { status: 500 },
    });
    const mayPass = async (path: string): Promise<boolean> => {
      const outcome = await fetchPage(path);
      return !outcome.ok && outcome.retryable;
    };
    assert.equal(await mayPass("/bad-gateway"), true);
    assert.equal(await mayPass("/broken"), true);
    assert.equal(await mayPass("/error"), false);
    assert.equal(await mayPass("/withheld"), false);
  });

  it("says so when a server answers with nothing, a test of humanity, or a part", async () => {
    await serve({
      "/none": { status: 204 },
      "/reset": { status: 205 },
      "/empty": { headers: { "content-type": "text/plain" } },
      "/accepted": { status: 202, headers: { "x-amzn-waf-action": "challenge" } },
      "/part": { status: 206, headers: { "content-type": "text/plain" }, body: "High tide" },
    });
    assert.match(textOf(await fetchPage("/none")), /answered 204 \(no content\)/);
    assert.match(textOf(await fetchPage("/reset")), /answered 205 \(no content\)/);
    assert.match(textOf(await fetchPage("/empty")), /answered with an empty body/);
    assert.match(textOf(await fetchPage("/accepted")), /challenge page, 202\), page not served/);
    assert.match(
      textOf(await fetchPage("/part")),
      /Note: The server gave only a part of this\.\n.*\nHigh tide/,
    );
  });

  it("reads legacy encodings, and says when it had to guess", async () => {
    const chinese = Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7]);
    const type = (value: string) => ({ "content-type": value });
    await serve({
      "/gbk": { headers: type("text/plain; charset=gbk"), body: chinese },
      "/klingon": { headers: type("text/plain; charset=klingon"), body: "Grüße" },
      "/noise": { headers: type("text/plain; charset=utf-8"), body: "\uFFFD\uFFFDa".repeat(99) },
    });
    assert.match(textOf(await fetchPage("/gbk")), /你好世界/);
    const klingon = textOf(await fetchPage("/klingon"));
    assert.match(klingon, /Note: The page names an unknown encoding \(klingon\)/);
    assert.match(klingon, /Grüße/);
    const noise = await fetchPage("/noise");
    assert.match(textOf(noise), /Encoding not understood/);
    assert.doesNotMatch(textOf(noise), /\uFFFD/);
  });

  it("stays small and works on after endless bodies and archives that unfold to a gigabyte", async function () {
    this.timeout(30_000);
    const part = gzipSync(Buffer.alloc(64 * 1024 * 1024, "a"));
    const plain = { "content-type": "text/plain" };
    await serve({
      "/endless": { headers: plain, endless: true },
      "/bomb": {
        headers: { ...plain, "content-encoding": "gzip" },
        body: Buffer.concat(Array.from({ length: 16 }, () => part)),
      },
      "/": { body: `<main><p>${PROSE}</p></main>` },
    });
    for (const path of ["/endless", "/bomb"]) {
      const outcome = await fetchPage(path);
      assert.ok(outcome.ok, path);
      assert.match(outcome.content, /Only the first 12\.6 MB were read/);
      assert.ok(outcome.content.length < 3_500);
    }
    assert.match(textOf(await fetchPage("/")), /pier reopens/);
  });

  it("reads a PDF by its first bytes and names what it can't read", async () => {
    const pdf = makePdf({ pages: ["High tide at 14:10"] });
    await serve({
      "/a": { headers: { "content-type": "application/octet-stream" }, body: pdf },
      "/scan": { headers: { "content-type": "application/pdf" }, body: makePdf({ pages: [""] }) },
      "/zip": { headers: { "content-type": "application/zip" }, body: Buffer.from("PK\u0003\u0004junk") },
    });
    const read = textOf(await fetchPage("/a"));
    assert.match(read, /\[page 1\]\nHigh tide at 14:10/);
    assert.doesNotMatch(read, /%PDF|endstream/);
    assert.match(textOf(await fetchPage("/scan")), /no text layer/);
    assert.equal(textOf(await fetchPage("/zip")), "Not a text (application/zip, 1 kB), not readable here.");
  });

  it("can't be led to this machine, by an address or by a redirect", async () => {
    await serve({ "/jump": { status: 302, headers: { location: "http://127.0.0.1:9/admin" } } });
    const tool = webFetch({
      guard: new AddressGuard(),
      reader: inlineReader,
      timeoutMs: () => 1_000,
      now: () => 0,
    });
    const direct = await tool.run({ url: `${server.origin}/jump`, start: 0 }, contextOf());
    const jumped = await fetchPage("/jump");
    for (const outcome of [direct, jumped])
      assert.equal(!outcome.ok && outcome.failure.code, "address_refused");
    assert.equal(server.seen.length, 1);
  });

  it("stops within a moment when it is cancelled", async () => {
    await serve({ "/": { silent: true } });
    const controller = new AbortController();
    const guard = new AddressGuard({ allow: [server.host] });
    const tool = webFetch({ guard, reader: inlineReader, timeoutMs: () => 5_000, now: () => 0 });
    const running = tool.run({ url: server.origin, start: 0 }, contextOf(controller.signal));
    while (server.seen.length === 0) await new Promise(setImmediate);
    controller.abort();
    const outcome = await running;
    assert.equal(!outcome.ok && outcome.failure.code, "cancelled");
  });
});
