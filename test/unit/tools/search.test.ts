import assert from "node:assert/strict";
import { install } from "@sinonjs/fake-timers";
import { Pacer } from "../../../src/tools/search/pacer.ts";
import type { SearchProviderName } from "../../../src/tools/search/types.ts";
import { startEngine, type Reply } from "../../support/web/engine.ts";
import { startServer, type LoopbackServer } from "../../support/web/server.ts";
import { textOf } from "../../support/web/tools.ts";

const CAPTCHA = "<html><body><form action='/captcha'>Please solve the CAPTCHA</form></body></html>";
const FOUND = { title: "Ferries", url: "https://ferry.example/", content: "From <b>Oban</b> at nine" };

describe("web_search", () => {
  let server: LoopbackServer;
  let now = Date.UTC(2026, 10, 27, 9, 0, 0);

  async function engine(provider: SearchProviderName, replies: readonly Reply[], apiKey = "key") {
    const made = await startEngine({ provider, replies, apiKey, now: () => now });
    server = made.server;
    return made.search;
  }

  afterEach(() => server.close());

  it("gives today's date, then title, snippet and address of each result, marked untrusted", async () => {
    const search = await engine("searxng", [{ json: { results: [FOUND, { ...FOUND, title: "Tides" }] } }]);
    const outcome = await search();
    assert.ok(outcome.ok);
    assert.deepEqual(outcome.content.split("\n"), [
      "Today is 2026-11-27.",
      `<untrusted_content source="SearXNG">`,
      "1. Ferries",
      "From Oban at nine",
      "https://ferry.example/",
      "",
      "2. Tides",
      "From Oban at nine",
      "https://ferry.example/",
      "</untrusted_content>",
    ]);
    assert.equal(outcome.details.sources?.length, 2);
  });

  it("gives at most five results, each bounded, one line per part", async () => {
    const long = { title: "T\n".repeat(500), url: "https://a.example/", content: "word ".repeat(5000) };
    const search = await engine("tavily", [{ json: { results: Array.from({ length: 40 }, () => long) } }]);
    const outcome = await search();
    assert.ok(outcome.ok);
    assert.equal(outcome.details.sources?.length, 5);
    assert.ok(outcome.content.length < 4_000);
  });

  it("says that an engine looked and found nothing", async () => {
    const search = await engine("searxng", [{ json: { results: [], unresponsive_engines: [] } }]);
    assert.match(textOf(await search()), /SearXNG found nothing/);
  });

  it("asks SearXNG for JSON with the headers that its limiter wants", async () => {
    const search = await engine("searxng", [{ json: { results: [] } }]);
    await search("a & b");
    const request = server.seen[0]!;
    assert.equal(request.path, "/search?q=a+%26+b&format=json");
    assert.match(request.headers.accept ?? "", /text\/html/);
    assert.ok(request.headers["accept-language"]);
    assert.match(String(request.headers["accept-encoding"]), /gzip/);
  });

  it("tells the user how to allow JSON when SearXNG refuses it", async () => {
    const search = await engine("searxng", [{ status: 403, html: "Forbidden" }]);
    const outcome = await search();
    assert.match(
      textOf(outcome),
      /did not search \(403\): JSON is not enabled.*Add "json" to search\.formats/,
    );
    assert.equal(!outcome.ok && outcome.retryable, false);
  });

  it("names the engines behind SearXNG that did not answer instead of 'nothing found'", async () => {
    const search = await engine("searxng", [
      {
        json: {
          results: [],
          unresponsive_engines: [
            ["google", "timeout"],
            ["bing", "CAPTCHA"],
          ],
        },
      },
    ]);
    assert.equal(textOf(await search()), "SearXNG gave 0 results: engines google and bing did not answer.");
  });

  for (const status of [200, 202, 403, 429]) {
    it(`takes a captcha page with status ${status} for a rate limit, and does not ask again before its time`, async () => {
      const provider = status === 403 ? "tavily" : "searxng";
      const search = await engine(provider, [{ status, html: CAPTCHA }, { json: { results: [FOUND] } }]);
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const outcome = await search();
        assert.equal(!outcome.ok && outcome.failure.code, "rate_limited");
        assert.match(textOf(outcome), /did not search; it is not retried before 2026-11-27 09:05:00 UTC/);
      }
      assert.equal(server.seen.length, 1);
      now += 5 * 60_000;
      assert.equal((await search()).ok, true);
      now -= 5 * 60_000;
    });
  }

  it("waits as long as a rate limit says, by seconds, by date, or by Brave's windows", async () => {
    const waits: [Record<string, string>, string][] = [
      [{ "retry-after": "90" }, "09:01:30"],
      [{ "retry-after": "Fri, 27 Nov 2026 09:02:00 GMT" }, "09:02:00"],
      [{ "x-ratelimit-remaining": "1, 0", "x-ratelimit-reset": "1, 7200" }, "11:00:00"],
      [{ "x-ratelimit-reset": "30" }, "09:00:30"],
    ];
    for (const [headers, time] of waits) {
      const search = await engine("brave", [{ status: 429, headers }]);
      assert.match(textOf(await search()), new RegExp(`before 2026-11-27 ${time}`));
      await server.close();
    }
  });

  it("says that a key is missing without asking, and that a key is refused", async () => {
    for (const provider of ["brave", "tavily", "ollama"] as const) {
      const without = await engine(provider, [{}], "");
      assert.match(textOf(await without()), /needs an API key/);
      assert.equal(server.seen.length, 0);
      await server.close();
      const refused = await engine(provider, [{ status: 401, json: { detail: { error: "bad key" } } }]);
      const outcome = await refused();
      assert.equal(!outcome.ok && outcome.failure.code, "unauthorized");
      await server.close();
    }
  });

  it("asks Brave within its limits of 400 characters and 50 words", async () => {
    const search = await engine("brave", [{ json: { web: { results: [{ ...FOUND, description: "d" }] } } }]);
    const outcome = await search("lighthouse ".repeat(80));
    assert.ok(outcome.ok);
    const request = server.seen[0]!;
    const asked = new URL(request.path, "http://x").searchParams;
    const words = asked.get("q") ?? "";
    assert.ok(words.length <= 400 && words.split(" ").length <= 50);
    assert.ok(words.endsWith("lighthouse"));
    assert.equal(asked.get("text_decorations"), "false");
    assert.equal(request.headers["x-subscription-token"], "key");
  });

  it("asks Tavily and Ollama as their interfaces want it", async () => {
    const tavily = await engine("tavily", [{ json: { results: [FOUND] } }]);
    await tavily();
    assert.deepEqual(
      [server.seen[0]?.path, server.seen[0]?.headers.authorization],
      ["/search", "Bearer key"],
    );
    assert.equal((JSON.parse(server.seen[0]?.body ?? "{}") as { max_results: number }).max_results, 5);
    await server.close();
    const ollama = await engine("ollama", [{ json: { results: [FOUND] } }]);
    assert.equal((await ollama()).ok, true);
    assert.equal(server.seen[0]?.path, "/api/web_search");
    assert.deepEqual(JSON.parse(server.seen[0].body), { query: "ferry Oban", max_results: 5 });
  });

  it("does not carry a key along a redirect", async () => {
    const elsewhere = await startServer((_request, response) => response.end("{}"));
    try {
      const search = await engine("tavily", [
        { status: 302, headers: { location: `${elsewhere.origin}/search` } },
      ]);
      assert.equal((await search()).ok, false);
      assert.equal(elsewhere.seen.length, 0);
    } finally {
      await elsewhere.close();
    }
  });

  it("survives answers of any shape, and keeps the good results among bad ones", async () => {
    const shapes: Reply[] = [
      { json: [] },
      { json: { results: "none" } },
      { json: null },
      { html: "<p>Welcome</p>" },
    ];
    for (const reply of shapes) {
      const search = await engine("searxng", [reply]);
      assert.equal((await search()).ok, false);
      await server.close();
    }
    const mixed = await engine("searxng", [
      { json: { results: [{ url: 5 }, null, { url: "javascript:alert(1)", title: "x" }, FOUND] } },
    ]);
    const outcome = await mixed();
    assert.ok(outcome.ok);
    assert.deepEqual(outcome.details.sources, [{ uri: "https://ferry.example/", title: "Ferries" }]);
  });
});

describe("the pace of requests", () => {
  it("keeps a gap between two requests, and lets a waiting one be cancelled", async () => {
    const clock = install({ now: 10_000 });
    try {
      const pacer = new Pacer(1_000, () => Date.now());
      const done: string[] = [];
      const controller = new AbortController();
      const note = (name: string, signal = new AbortController().signal) =>
        pacer.wait(signal).then((result) => done.push(result.ok ? name : `${name} cancelled`));
      const all = [note("first"), note("second"), note("third", controller.signal)];
      await clock.tickAsync(0);
      assert.deepEqual(done, ["first"]);
      controller.abort();
      await clock.tickAsync(999);
      assert.deepEqual(done, ["first", "third cancelled"]);
      await clock.tickAsync(1);
      assert.deepEqual(done, ["first", "third cancelled", "second"]);
      await Promise.all(all);
      assert.equal(clock.countTimers(), 0);
    } finally {
      clock.uninstall();
    }
  });
});
