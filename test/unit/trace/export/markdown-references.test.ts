import assert from "node:assert/strict";
import fc from "fast-check";
import { inHtml, inline } from "../../../../src/trace/export/markdown/escape.ts";
import { foreignMarkdown } from "../../../../src/trace/export/markdown/foreign.ts";
import { writeMarkdown } from "../../../../src/trace/export/markdown/write.ts";
import { StoryBuilder } from "../../../../src/trace/export/story/build.ts";
import { turnOf } from "./support/turns.ts";

/** A page as its host looks through it for names and issues: without code, and with addresses taken for links. */
function lookedThrough(page: string): { readonly text: string; readonly addresses: readonly string[] } {
  const lines: string[] = [];
  let fence = "";
  for (const line of page.split("\n")) {
    const run = /^`{3,}/.exec(line)?.[0] ?? "";
    if (fence === "" && run !== "") fence = run;
    else if (fence !== "" && run.length >= fence.length && /^`+\s*$/.test(line)) fence = "";
    else if (fence === "") lines.push(line);
  }
  const bare = lines.join("\n").replace(/(?<![\\`])(`+)(?!`)(?:[^`\n]|[^`\n][^\n]*?[^`\n])\1(?!`)/g, "");
  const read = bare
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
  const ADDRESS = /(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[\w-][^\s<)\]]*/gu;
  return { text: read.replace(ADDRESS, ""), addresses: read.match(ADDRESS) ?? [] };
}

/** Addresses of issues and the like. */
const ADDRESSES: readonly string[] = [
  "https://github.com/o/r/issues/12",
  "https://github.com/o/r/pull/3#discussion_r1",
  "http://git.example.test:8443/group/sub/project/-/merge_requests/7",
  "https://gitlab.com/group/project/-/issues/1?x=y",
  "https://github.com/o/r/commit/9f86d081",
  "www.github.com/o/r/issues/1",
];

/** What a host would do something for: tell somebody, or link and close an issue. */
function reachesOut(page: string): string | undefined {
  const { text, addresses } = lookedThrough(page);
  const found = /(?:^|[^\p{L}\p{N}_])@[a-z\d]|(?:^|[^\p{L}\p{N}_])(?:#|GH-)\d|[\w.-]\/[\w.-]+#\d/iu.exec(
    text,
  );
  const issue = addresses.find((one) => ADDRESSES.some((address) => one.startsWith(address)));
  return found?.[0] ?? issue;
}

describe("markdown that is pasted into an issue", () => {
  for (const address of ADDRESSES) {
    it(`closes and links nothing at ${address}`, () => {
      const forms = [
        `Fixes ${address}`,
        `[it](${address})`,
        `<${address}>`,
        `(${address})`,
        `> closes ${address}.`,
      ];
      for (const form of forms) {
        assert.equal(reachesOut(foreignMarkdown(form)), undefined, foreignMarkdown(form));
        assert.equal(reachesOut(inline(form)), undefined, inline(form));
        assert.equal(reachesOut(inHtml(form)), undefined, inHtml(form));
      }
    });
  }

  it("keeps links that lead where they led, to issues as to anything else", () => {
    const href = (text: string): string => /\]\(([^)]+)\)/.exec(foreignMarkdown(text))?.[1] ?? "";
    for (const address of ["https://github.com/o/r/issues/12", "https://example.test/@ada/notes?x=1#2"])
      assert.equal(new URL(href(`[it](${address})`)).href, address);
    assert.ok(foreignMarkdown("see https://medium.example/@ada/a-post").includes("/@ada/"));
  });

  it("names sources without linking an issue to the page", () => {
    const sources = [{ uri: "https://github.com/o/r/issues/12", title: "Issue" }];
    const told = turnOf((script) => script.answered("a"));
    const events = told.map((event) =>
      event.type === "answer.dialog"
        ? { ...event, data: { ...event.data, "conclave.sources": sources } }
        : event,
    );
    const builder = new StoryBuilder(events[0]?.sessionId ?? "", { requests: false });
    for (const event of events) builder.take(event);
    const { text } = writeMarkdown(builder.story());
    assert.match(text, /Sources:/);
    assert.equal(reachesOut(text), undefined);
  });

  it("tells nobody and links nothing, whatever names, numbers and addresses stand next to whatever signs", () => {
    const piece = fc.constantFrom(
      ...[
        "@ada",
        "@ada-b",
        "#12",
        "GH-7",
        "o/r#3",
        "a@b.test",
        "/@ada",
        "`",
        "``",
        "\\",
        "|",
        "(",
        ")",
        "[",
        "]",
      ],
      ...[
        "<",
        ">",
        "*",
        "_",
        "~",
        ":",
        "!",
        ".",
        "-",
        "\n",
        " ",
        "x",
        "5",
        "&",
        "fixes ",
        "```\n",
        "~~~\n",
        "> ",
      ],
      ...ADDRESSES,
      ...["https://example.test/@ada", "http://", "\u200b", "\u202e", "@\u200b"],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const page = foreignMarkdown(pieces.join(""));
        assert.equal(reachesOut(page), undefined, JSON.stringify(page));
      }),
      { numRuns: 2_000, seed: 5 },
    );
  });
});
