import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AddressGuard } from "../../../src/tools/web/address-guard.ts";
import { httpRequest } from "../../../src/tools/web/http.ts";
import { proxyFor } from "../../../src/tools/web/proxy.ts";

const never = new AbortController().signal;
const PLAIN = { maxBytes: 100_000, timeoutMs: 5_000, maxRedirects: 5 };

function guardOf(address: string): AddressGuard {
  return new AddressGuard({ resolve: (_name, callback) => callback(null, [{ address, family: 4 }]) });
}

describe("the proxy of a request", () => {
  const at = (url: string, setting?: string, environment: Record<string, string> = {}) =>
    proxyFor(new URL(url), setting, environment);

  it("is the user's own, else the one of the environment for that kind of address", () => {
    const environment = { http_proxy: "http://plain:1", HTTPS_PROXY: "http://tls:2" };
    assert.equal(at("https://a.example/", "http://own:3", environment), "http://own:3");
    assert.equal(at("http://a.example/", "", environment), "http://plain:1");
    assert.equal(at("https://a.example/", undefined, environment), "http://tls:2");
    assert.equal(at("https://a.example/", undefined, { ALL_PROXY: "http://all:4" }), "http://all:4");
    assert.equal(at("https://a.example/"), undefined);
  });

  it("is none for this machine, for hosts that are exempt, and when it speaks something else", () => {
    const own = "http://own:3";
    for (const host of ["localhost:11434", "127.0.0.1:8888", "[::1]:80", "a.localhost"])
      assert.equal(at(`http://${host}/`, own), undefined, host);
    const exempt = { NO_PROXY: "corp.example, .inner.example,host.example:8443" };
    for (const url of [
      "https://corp.example/",
      "https://a.corp.example/",
      "https://b.inner.example/",
      "https://host.example:8443/",
    ])
      assert.equal(at(url, own, exempt), undefined, url);
    for (const url of ["https://notcorp.example/", "https://host.example/"])
      assert.equal(at(url, own, exempt), own, url);
    assert.equal(at("https://a.example/", own, { no_proxy: "*" }), undefined);
    for (const proxy of ["socks5://own:3", "own:3", "nonsense"])
      assert.equal(at("https://a.example/", proxy), undefined, proxy);
  });
});

describe("a request through a proxy", () => {
  let server: Server;
  let proxy: string;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      asked.push(request.url ?? "");
      if (request.url?.endsWith("/jump")) response.writeHead(302, { location: "http://127.0.0.1:9/" });
      response.end("by proxy");
    });
    server.on("connect", ({ url = "" }, socket) => {
      asked.push(`tunnel to ${url}`);
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("reaches a public address by it", async () => {
    const response = await httpRequest(
      { url: "http://pier.example/tides", guard: guardOf("93.184.216.34"), proxy, ...PLAIN },
      never,
    );
    assert.equal(response.ok && response.value.body.toString(), "by proxy");
    assert.deepEqual(asked, ["http://pier.example/tides"]);
  });

  it("never asks it for a name that leads to a private address, nor follows a redirect to one", async () => {
    const inner = await httpRequest(
      { url: "http://pier.example/", guard: guardOf("10.0.0.5"), proxy, ...PLAIN },
      never,
    );
    assert.equal(!inner.ok && inner.failure.code, "address_refused");
    assert.deepEqual(asked, []);
    const jumped = await httpRequest(
      { url: "http://pier.example/jump", guard: guardOf("93.184.216.34"), proxy, ...PLAIN },
      never,
    );
    assert.equal(!jumped.ok && jumped.failure.code, "address_refused");
    assert.equal(asked.length, 1);
  });

  it("goes by a tunnel to an address with TLS, and names the proxy that refuses it", async () => {
    const response = await httpRequest(
      { url: "https://pier.example/", guard: guardOf("93.184.216.34"), proxy, ...PLAIN },
      never,
    );
    assert.deepEqual(asked, ["tunnel to pier.example:443"]);
    assert.match(
      response.ok ? "" : response.failure.message,
      /pier\.example by the proxy 127\.0\.0\.1:\d+ failed/,
    );
  });

  it("stops within a moment while a name is looked up", async () => {
    const controller = new AbortController();
    const guard = new AddressGuard({ resolve: () => setImmediate(() => controller.abort()) });
    const response = await httpRequest(
      { url: "http://pier.example/", guard, proxy, ...PLAIN },
      controller.signal,
    );
    assert.equal(!response.ok && response.failure.code, "cancelled");
  });
});
