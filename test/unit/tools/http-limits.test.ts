import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import * as zlib from "node:zlib";
import { AnyInflate } from "../../../src/tools/web/any-inflate.ts";
import { AddressGuard } from "../../../src/tools/web/address-guard.ts";
import { httpRequest, type HttpRequest } from "../../../src/tools/web/http.ts";
import { startPages, startServer, type LoopbackServer } from "../../support/web/server.ts";

const PLAIN = { maxBytes: 1_000_000, timeoutMs: 5_000, maxRedirects: 5 };
const never = new AbortController().signal;
const HUGE = Buffer.alloc(64 * 1024 * 1024, "a");

describe("deflated data", () => {
  it("is unfolded no faster than it is read", async () => {
    const inflate = new AnyInflate();
    inflate.write(zlib.deflateRawSync(HUGE));
    for (let turn = 0; turn < 2_000; turn += 1) await new Promise(setImmediate);
    const waiting = inflate.readableLength;
    inflate.destroy();
    assert.ok(waiting > 0 && waiting < 300_000, String(waiting));
  });
});

describe("a server that means harm", function () {
  this.timeout(20_000);
  let server: LoopbackServer | undefined;

  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function serve(answer: RequestListener): Promise<LoopbackServer> {
    server = await startServer(answer);
    return server;
  }

  function get(path: string, more: Partial<HttpRequest> = {}) {
    assert.ok(server);
    const guard = new AddressGuard({ allow: [server.host] });
    return httpRequest({ url: server.origin + path, guard, ...PLAIN, ...more }, never);
  }

  it("is stopped at the limit by every way of packing, also in several layers", async () => {
    const bombs: [string, Buffer][] = [
      ["gzip", zlib.gzipSync(HUGE)],
      ["deflate", zlib.deflateSync(HUGE)],
      ["deflate", zlib.deflateRawSync(HUGE)],
      ["br", zlib.brotliCompressSync(HUGE, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } })],
      ["gzip, gzip", zlib.gzipSync(zlib.gzipSync(HUGE))],
      ["gzip, deflate", zlib.deflateSync(zlib.gzipSync(HUGE))],
    ];
    for (const [encoding, body] of bombs) {
      await serve((_request, response) => {
        response.writeHead(200, { "content-encoding": encoding });
        response.end(body);
      });
      const before = process.memoryUsage().rss;
      const response = await get("/");
      assert.ok(response.ok, encoding);
      assert.deepEqual([response.value.cut, response.value.body.length], [true, PLAIN.maxBytes], encoding);
      assert.ok(process.memoryUsage().rss - before < 100_000_000, encoding);
      await server?.close();
    }
  });

  it("is refused more layers than anyone needs", async () => {
    await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip, gzip, gzip, gzip" });
      response.end("x");
    });
    const response = await get("/");
    assert.match(response.ok ? "" : response.failure.message, /packed in a way that can't be read/);
  });

  it("is read although it deflates without the standard's frame, or adds to it", async () => {
    const text = "the pier reopens on 3 May ".repeat(100);
    const bodies = [zlib.deflateRawSync(text), Buffer.concat([zlib.deflateSync(text), Buffer.from("more")])];
    for (const body of bodies) {
      await serve((_request, response) => {
        response.writeHead(200, { "content-encoding": "deflate" });
        response.end(body);
      });
      const response = await get("/");
      assert.equal(response.ok && response.value.body.toString(), text);
      await server?.close();
    }
  });

  it("gets no more time by sending a little now and then, in headers or in the body", async () => {
    const trickles: RequestListener[] = [
      (_request, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write("a"), 10);
        response.once("close", () => clearInterval(timer));
      },
      ({ socket }, response) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        const timer = setInterval(() => socket.write("x-a: b\r\n"), 10);
        response.once("close", () => clearInterval(timer));
      },
    ];
    for (const trickle of trickles) {
      await serve(trickle);
      const response = await get("/", { timeoutMs: 150 });
      assert.equal(!response.ok && response.failure.code, "timeout");
      await server?.close();
    }
  });

  it("leads nowhere by redirects that are new each time", async () => {
    await serve(({ url }, response) => {
      response.writeHead(302, { location: `${url ?? ""}x` });
      response.end();
    });
    const response = await get("/");
    assert.match(response.ok ? "" : response.failure.message, /redirects more than 5 times/);
    assert.equal(server?.seen.length, 6);
  });

  it("leads to no private address: not by a name, nor by a redirect to one, nor with a change of mind", async () => {
    const inner = await startPages({ "/": { body: "secret" } });
    const port = new URL(inner.origin).port;
    const answers = [["93.184.216.34", "127.0.0.1"], ["127.0.0.1"], ["::ffff:127.0.0.1"], ["fe80::1%eth0"]];
    try {
      for (const addresses of answers) {
        await serve((_request, response) => {
          response.writeHead(302, { location: `http://pier.example:${port}/` });
          response.end();
        });
        assert.ok(server);
        const guard = new AddressGuard({
          allow: [server.host],
          resolve: (_name, callback) =>
            callback(
              null,
              addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
            ),
        });
        for (const url of [`http://pier.example:${port}/`, server.origin]) {
          const response = await httpRequest({ url, guard, ...PLAIN }, never);
          assert.equal(!response.ok && response.failure.code, "address_refused", addresses.join());
        }
        await server.close();
      }
      assert.equal(inner.seen.length, 0);
    } finally {
      await inner.close();
    }
  });

  it("is a failure when it breaks off before it has sent what it promised", async () => {
    await serve((_request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("half of it", () => response.destroy());
    });
    const response = await get("/");
    assert.match(response.ok ? "" : response.failure.message, /connection to .* failed/);
  });
});
