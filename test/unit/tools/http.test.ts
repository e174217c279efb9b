import assert from "node:assert/strict";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { AddressGuard } from "../../../src/tools/web/address-guard.ts";
import { httpRequest, type HttpRequest } from "../../../src/tools/web/http.ts";
import { startPages, type LoopbackServer, type Page } from "../../support/web/server.ts";

const PLAIN = { maxBytes: 1_000_000, timeoutMs: 5_000, maxRedirects: 5 };
const never = new AbortController().signal;

describe("a request over HTTP", () => {
  let server: LoopbackServer | undefined;

  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function serve(pages: Readonly<Record<string, Page>>): Promise<LoopbackServer> {
    server = await startPages(pages);
    return server;
  }

  function get(path: string, more: Partial<HttpRequest> = {}, signal: AbortSignal = never) {
    assert.ok(server);
    const guard = new AddressGuard({ allow: [server.host] });
    return httpRequest({ url: server.origin + path, guard, ...PLAIN, ...more }, signal);
  }

  it("unpacks what servers pack, also in two layers", async () => {
    const text = "the pier reopens on 3 May ".repeat(100);
    const packed: [string, Buffer][] = [
      ["gzip", gzipSync(text)],
      ["br", brotliCompressSync(text)],
      ["deflate", deflateSync(text)],
      ["gzip, br", brotliCompressSync(gzipSync(text))],
    ];
    for (const [encoding, body] of packed) {
      await serve({ "/": { headers: { "content-encoding": encoding }, body } });
      const response = await get("/");
      assert.ok(response.ok, encoding);
      assert.equal(response.value.body.toString(), text, encoding);
      await server?.close();
    }
  });

  it("stops a small archive that unfolds to a gigabyte, with little memory", async () => {
    let bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    bomb = Buffer.concat(Array.from({ length: 16 }, () => bomb));
    await serve({ "/": { headers: { "content-encoding": "gzip" }, body: bomb } });
    const before = process.memoryUsage().rss;
    const response = await get("/");
    assert.ok(response.ok);
    assert.equal(response.value.cut, true);
    assert.equal(response.value.body.length, PLAIN.maxBytes);
    assert.ok(process.memoryUsage().rss - before < 100_000_000);
  });

  it("reads a body without an end only up to the limit", async () => {
    await serve({ "/": { endless: true } });
    const response = await get("/");
    assert.ok(response.ok);
    assert.equal(response.value.cut, true);
    assert.equal(response.value.body.length, PLAIN.maxBytes);
  });

  it("names a broken archive and one that can't be unpacked here", async () => {
    await serve({
      "/broken": { headers: { "content-encoding": "gzip" }, body: "this is no gzip" },
      "/unknown": { headers: { "content-encoding": "compress" }, body: "x" },
    });
    const broken = await get("/broken");
    const unknown = await get("/unknown");
    assert.ok(!broken.ok && !unknown.ok);
    assert.match(broken.failure.message, /compression is broken/);
    assert.match(unknown.failure.message, /packed in a way that can't be read here \(compress\)/);
  });

  it("follows redirects and says where it ended", async () => {
    await serve({
      "/a": { status: 302, headers: { location: "b?x=1" } },
      "/b": { status: 308, headers: { location: "/c" } },
      "/c": { body: "here" },
    });
    const response = await get("/a");
    assert.ok(response.ok);
    assert.equal(new URL(response.value.url).pathname, "/c");
    assert.equal(response.value.body.toString(), "here");
  });

  it("judges every hop: a redirect into the own network is refused before anything is asked there", async () => {
    const inner = await startPages({ "/": { body: "secret" } });
    try {
      for (const location of [`${inner.origin}/`, "http://169.254.169.254/latest/", "file:///etc/passwd"]) {
        await serve({ "/": { status: 302, headers: { location } } });
        const response = await get("/");
        assert.ok(!response.ok);
        assert.equal(response.failure.code, "address_refused");
        await server?.close();
      }
      assert.equal(inner.seen.length, 0);
    } finally {
      await inner.close();
    }
  });

  it("gives up on redirects that go in a circle", async () => {
    await serve({ "/": { status: 302, headers: { location: "/" } } });
    const response = await get("/");
    assert.ok(!response.ok);
    assert.match(response.failure.message, /redirects more than 5 times/);
    assert.equal(server?.seen.length, 6);
  });

  it("does not read the body of a status that nobody wants", async () => {
    await serve({ "/": { status: 404, endless: true } });
    const response = await get("/", { wantsBody: (status) => status === 200 });
    assert.ok(response.ok);
    assert.equal(response.value.status, 404);
    assert.equal(response.value.body.length, 0);
  });

  it("ends a server that never answers, or never ends, at the time-out, and says how long it waited", async () => {
    await serve({ "/silent": { silent: true }, "/endless": { endless: true } });
    for (const path of ["/silent", "/endless"]) {
      const response = await get(path, { timeoutMs: 100, maxBytes: Number.MAX_SAFE_INTEGER });
      assert.ok(!response.ok);
      assert.equal(response.failure.code, "timeout");
      assert.match(response.failure.message, /within 0\.1 s/);
    }
  });

  it("stops within a moment of the signal, before headers and in mid-body", async () => {
    await serve({ "/silent": { silent: true }, "/endless": { endless: true } });
    for (const path of ["/silent", "/endless"]) {
      const controller = new AbortController();
      const running = get(path, { maxBytes: Number.MAX_SAFE_INTEGER }, controller.signal);
      while (!server?.seen.some((request) => request.path === path)) await new Promise(setImmediate);
      controller.abort();
      const response = await running;
      assert.ok(!response.ok);
      assert.equal(response.failure.code, "cancelled");
    }
  });

  it("asks nothing when it was cancelled before it began", async () => {
    await serve({ "/": { body: "x" } });
    const response = await get("/", {}, AbortSignal.abort());
    assert.ok(!response.ok);
    assert.equal(response.failure.code, "cancelled");
    assert.equal(server?.seen.length, 0);
  });

  it("names a server that is not there", async () => {
    await serve({});
    const { origin = "", host = "" } = server ?? {};
    await server?.close();
    const guard = new AddressGuard({ allow: [host] });
    const response = await httpRequest({ url: origin, guard, ...PLAIN }, never);
    assert.ok(!response.ok);
    assert.match(response.failure.message, /refuses the connection/);
  });
});
