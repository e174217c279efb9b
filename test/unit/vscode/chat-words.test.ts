import assert from "node:assert/strict";
import fc from "fast-check";
import type { AnyHit, MemoryHit, MemorySearch } from "../../../src/agent/memory/port.ts";
import { systemIdentity } from "../../../src/agent/ids.ts";
import { noteEpisode, recallList } from "../../../src/vscode/chat/recall.ts";
import { missingWeb, webWish } from "../../../src/vscode/chat/web-wish.ts";
import { closingFence, plainMarkdown, shorten, sizeText, toolLine } from "../../../src/vscode/chat/words.ts";

describe("guessing that a question wants the web", () => {
  for (const question of [
    "Summarise https://example.test/news for me",
    "search the web for ferry times to Oban",
    "What is the latest version of Node?",
    "what's the weather today in Oban",
    "Any breaking news?",
    "look it up online",
  ])
    it(`says yes to: ${question}`, () => assert.notEqual(webWish(question), undefined));

  for (const question of [
    "what did we decide about the cache?",
    "What did I do today?",
    "explain the latest change in this file",
    "what is our current release schedule?",
    "rename the current variable",
    "why does the test fail?",
    "https",
  ])
    it(`says no to: ${question}`, () => assert.equal(webWish(question), undefined));

  it("asks for the page tool when an address is named", () => {
    assert.equal(webWish("what does http://localhost:8080/a say"), "fetch");
  });

  it("says what is missing, and nothing where the tool can be used", () => {
    const off = { webFetchEnabled: false, webSearchEnabled: false, webSearchProvider: "none" } as const;
    const page = "Summarise https://example.test/news for me";
    const search = "search the web for ferry times to Oban";
    assert.match(missingWeb(page, off) ?? "", /a web page, .* off/);
    assert.equal(missingWeb(page, { ...off, webFetchEnabled: true }), undefined);
    assert.match(missingWeb(search, off) ?? "", /from the web, .* off/);
    assert.match(missingWeb(search, { ...off, webSearchEnabled: true }) ?? "", /no search engine is chosen/);
    assert.equal(
      missingWeb(search, { ...off, webSearchEnabled: true, webSearchProvider: "brave" }),
      undefined,
    );
    assert.equal(missingWeb("what did we decide about the cache?", off), undefined);
  });
});

describe("lines of progress", () => {
  it("name tool and most telling argument", () => {
    assert.equal(toolLine("web_fetch", { url: "https://a.test/x" }), "Reading https://a.test/x");
    assert.equal(toolLine("save_memory", {}), "Saving to memory");
    assert.equal(toolLine("grep_files", { q: 1 }), "Running grep_files");
  });

  it("survive whatever a model calls a tool and puts into its arguments", () => {
    for (const name of ["__proto__", "constructor", "toString", ""])
      assert.equal(toolLine(name, null), `Running ${name}`);
    for (const args of [null, 7, "x", [], { query: { deep: true } }])
      assert.equal(toolLine("web_search", args), "Searching the web");
  });

  it("are cut on one line and never in the middle of a sign", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 2, max: 40 }), (text, most) => {
        const short = shorten(text.toWellFormed(), most);
        assert.ok(short.length <= most);
        assert.ok(short.isWellFormed());
        assert.ok(!short.includes("\n"));
      }),
      { seed: 5 },
    );
  });
});

describe("text of others in our Markdown", () => {
  it("can't become a link, a tag, a picture or a heading", () => {
    const hostile =
      "[go](command:workbench.action.quit) <img src=x onerror=1>\n# big ![p](http://a.test/p) `c`";
    const shown = plainMarkdown(hostile);
    assert.equal(/(?<!\\)[[\]`<>]/.test(shown), false, shown);
    assert.equal(shown.includes("\n"), false);
  });

  it("stays readable: an address keeps its dots", () => {
    assert.equal(plainMarkdown("http://127.0.0.1:11434"), "http://127.0.0.1:11434");
  });
});

describe("a code block that an answer leaves open", () => {
  it("is closed by its own kind of fence", () => {
    assert.equal(closingFence("a\n```ts\nb"), "\n```\n");
    assert.equal(closingFence("~~~~\n```\nb\n~~~"), "\n~~~~\n");
  });

  it("is not seen where there is none", () => {
    for (const closed of [
      "",
      "plain",
      "```\na\n```",
      "```\na\n````  ",
      "a ```b``` c",
      "```one line```",
      "    ```",
    ])
      assert.equal(closingFence(closed), "", closed);
  });
});

describe("sizes", () => {
  it("are written as Ollama writes them", () => {
    assert.deepEqual([512, 4_683_087_332, 22_900_000, 0].map(sizeText), [
      "512 B",
      "4.7 GB",
      "22.9 MB",
      "0 B",
    ]);
  });
});

describe("/recall and /remember", () => {
  const note = (text: string) => noteEpisode(text, "s1", "folder", systemIdentity);
  const hit = (question: string, answer: string, parts = {}): MemoryHit => ({
    episode: { ...note(answer), question },
    score: 0.734,
    parts,
  });
  const list = (turns: MemorySearch, others: readonly AnyHit[] = []) => recallList({ turns, others });

  it("list what was found with day and value, as text", () => {
    const text = list({ hits: [hit("the <b>cache</b>?", "in [SQLite](x)")], searched: 41 });
    assert.match(
      text,
      /^1 of 41 memories:\n\n1\. \*\*the &lt;b&gt;cache&lt;\/b&gt;\?\*\* \(\d{4}-\d\d-\d\d \d\d:\d\d, 0\.73\)/,
    );
    assert.ok(text.includes("in \\[SQLite\\](x)"), text);
  });

  it("leave out the marks of an answer's Markdown, and nothing else", () => {
    const answer = "## Cache\n\nKeep it **ten minutes** in `src/cache.ts`.\n\n> 2 * 3 * 4 and a_b_c stay";
    const text = list({ hits: [hit("q", answer)], searched: 1 });
    assert.ok(
      text.includes("Cache Keep it ten minutes in src/cache.ts. 2 \\* 3 \\* 4 and a\\_b\\_c stay"),
      text,
    );
  });

  it("say in one line why each was recalled, without what counted for nothing", () => {
    const parts = { text: 0.8, vector: 0.61, relevance: 0.7, score: 0, recency: 0.04, reward: -0.1 };
    const text = list({ hits: [hit("q", "a", parts)], searched: 1 });
    assert.match(text, /\*Recalled because it shares words .* and it means .*; lifted by being recent/);
    assert.match(text, /lowered by your poor opinion of it/);
    assert.ok(!text.includes("grade"));
  });

  it("tell facts as what was and what is, before the turns", () => {
    const fact: AnyHit = { type: "fact", id: "f", text: "WAS in Oslo (past)", time: 0, score: 1 };
    const text = list({ hits: [hit("q", "a")], searched: 1 }, [fact]);
    assert.match(text, /^Known:\n\n- WAS in Oslo \(past\) \(\d{4}/);
    assert.ok(text.indexOf("Known:") < text.indexOf("1 of 1"));
  });

  it("say of facts, too, why they are there", () => {
    const parts = { match: 0.9, words: 0.2 };
    const fact: AnyHit = { type: "fact", id: "f", text: "IS in Oslo", time: 0, score: 1, parts };
    assert.match(list({ hits: [], searched: 1 }, [fact]), /IS in Oslo .*\n {2}\*Recalled because it fits/);
  });

  it("say so when nothing fits, and what was off", () => {
    const text = list({ hits: [], searched: 3, dropped: 2, note: "full-text search only" });
    assert.equal(
      text,
      "Nothing in memory fits (3 searched).\n\n*2 came near and did not fit well enough.*\n\n*full-text search only*",
    );
  });

  it("keep a note as a memory of its folder, without a question", () => {
    const kept = note("we use SQLite");
    assert.deepEqual(
      [kept.question, kept.answer, kept.kind, kept.scope],
      ["", "we use SQLite", "note", "folder"],
    );
    assert.match(kept.id, /^[0-9a-f-]{36}$/);
  });
});
