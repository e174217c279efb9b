import assert from "node:assert/strict";
import type { SearchProviderName } from "../../../src/tools/search/types.ts";
import { startEngine, type Reply } from "../../support/web/engine.ts";
import type { LoopbackServer } from "../../support/web/server.ts";
import { textOf } from "../../support/web/tools.ts";

const CAPTCHA = "<html><body>Are you a robot? Solve the captcha.</body></html>";
const NOW = Date.UTC(2026, 10, 27, 9, 0, 0);

describe("a search engine that refuses to search", () => {
  let server: LoopbackServer;

  async function engine(provider: SearchProviderName, replies: readonly Reply[], timeoutMs?: number) {
    const made = await startEngine({
      provider,
      replies,
      now: () => NOW,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    server = made.server;
    return made.search;
  }

  afterEach(() => server.close());

  it("is left alone until its time, however it says that it was asked too often", async () => {
    const refusals: readonly (readonly [SearchProviderName, Reply, string])[] = [
      ["brave", { status: 429, json: { error: { code: "RATE_LIMITED", detail: "slow down" } } }, "09:05:00"],
      ["tavily", { status: 429, json: { detail: { error: "too many" } } }, "09:05:00"],
      ["ollama", { status: 503, headers: { "retry-after": "30" }, json: { error: "busy" } }, "09:00:30"],
      ["searxng", { status: 202, json: {} }, "09:05:00"],
      ["searxng", { status: 403, html: CAPTCHA }, "09:05:00"],
    ];
    for (const [provider, reply, time] of refusals) {
      const search = await engine(provider, [reply]);
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const outcome = await search();
        assert.equal(!outcome.ok && outcome.failure.code, "rate_limited", provider);
        assert.match(textOf(outcome), new RegExp(`did not search; .* before 2026-11-27 ${time} UTC`));
        assert.equal(!outcome.ok && outcome.retryable, false);
      }
      assert.equal(server.seen.length, 1, provider);
      await server.close();
    }
  });

  it("whose quota is used up says so in its own words, and is not asked again for an hour", async () => {
    for (const status of [402, 432, 433]) {
      const search = await engine("tavily", [{ status, json: { detail: { error: "plan limit reached" } } }]);
      const first = textOf(await search());
      assert.match(first, /^The quota of Tavily is used up: plan limit reached\./);
      assert.match(first, /before 2026-11-27 10:00:00 UTC/);
      await search();
      assert.equal(server.seen.length, 1);
      await server.close();
    }
  });

  it("without a time to come back is no rate limit: an overloaded server may be tried once more", async () => {
    const search = await engine("brave", [{ status: 503, json: {} }]);
    const outcome = await search();
    assert.equal(!outcome.ok && outcome.failure.code, "server_busy");
    assert.equal(!outcome.ok && outcome.retryable, true);
  });

  it("for good is not asked again, whatever its own words sound like", async () => {
    const words = { detail: { error: "error 503, the connection to the index failed" } };
    for (const status of [400, 422, 500]) {
      const search = await engine("tavily", [{ status, json: words }]);
      const outcome = await search();
      assert.match(textOf(outcome), new RegExp(`error ${status}: error 503, the connection`));
      assert.equal(!outcome.ok && outcome.retryable, false);
      await server.close();
    }
  });

  it("by silence is given up after the time that the user set", async () => {
    const search = await engine("searxng", [{ silent: true }], 200);
    const outcome = await search();
    assert.equal(!outcome.ok && outcome.failure.code, "timeout");
    assert.match(textOf(outcome), /SearXNG could not be asked: .* within 0\.2 s/);
  });

  it("by broken words is named, not taken for an engine that found nothing", async () => {
    for (const reply of [
      { html: "", headers: { "content-type": "application/json" } },
      { html: "{", headers: { "content-type": "application/json" } },
      { html: "", status: 204 },
    ]) {
      const search = await engine("searxng", [reply]);
      assert.equal((await search()).ok, false);
      await server.close();
    }
  });
});
