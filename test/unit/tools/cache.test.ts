import assert from "node:assert/strict";
import { z } from "zod";
import type { Tool, ToolContext, ToolOutcome } from "../../../src/agent/tool.ts";
import { cachedTool } from "../../../src/tools/cache.ts";

const context: ToolContext = {
  signal: new AbortController().signal,
  sessionId: "s",
  turnId: "t",
  agent: "conclave",
  question: "What?",
};

interface Page {
  readonly url: string;
}

describe("results of web tools", () => {
  let now = 0;
  let asked: string[] = [];
  let answer: (url: string) => ToolOutcome;
  let tool: Tool<Page>;

  beforeEach(() => {
    now = 1_000_000;
    asked = [];
    answer = (url) => ({
      ok: true,
      content: `text of ${url}`,
      details: { summary: "a page", sources: [{ uri: url, title: url }], data: { status: 200 } },
    });
    const page: Tool<Page> = {
      name: "web_fetch",
      description: "Reads a page.",
      parameters: z.object({ url: z.string() }),
      readOnly: true,
      timeoutMs: 1_000,
      run: ({ url }) => {
        asked.push(url);
        return Promise.resolve(answer(url));
      },
    };
    tool = cachedTool(page, { now: () => now, key: ({ url }) => url });
  });

  const run = (url: string): Promise<ToolOutcome> => tool.run({ url }, context);

  it("are kept for five minutes: the same call gets the same text, and people see how old it is", async () => {
    const first = await run("a");
    now += 4 * 60_000 + 59_000;
    const again = await run("a");
    assert.ok(first.ok && again.ok);
    assert.equal(again.content, first.content);
    assert.equal(again.details.summary, "a page, kept from 299 s ago");
    assert.deepEqual(again.details.data, { status: 200, fromCache: true, ageSeconds: 299 });
    assert.deepEqual(again.details.sources, first.details.sources);
    assert.deepEqual(asked, ["a"]);
  });

  it("are asked for anew after five minutes, and for another page at once", async () => {
    await run("a");
    await run("b");
    now += 5 * 60_000 + 1;
    await run("a");
    assert.deepEqual(asked, ["a", "b", "a"]);
  });

  it("that are failures or empty are not kept", async () => {
    answer = () => ({
      ok: false,
      failure: { code: "tool_failed", message: "It answered 503." },
      retryable: true,
    });
    assert.equal((await run("a")).ok, false);
    answer = () => ({ ok: true, content: "found nothing", details: { summary: "0 results" } });
    await run("a");
    await run("a");
    assert.deepEqual(asked, ["a", "a", "a"]);
  });

  it("never take more than two million characters: the page used longest ago goes first", async () => {
    answer = (url) => ({
      ok: true,
      content: "x".repeat(900_000),
      details: { summary: "long", sources: [{ uri: url, title: url }] },
    });
    for (const url of ["a", "b", "c"]) await run(url);
    await run("c");
    await run("b");
    await run("a");
    assert.deepEqual(asked, ["a", "b", "c", "a"]);
  });
});
