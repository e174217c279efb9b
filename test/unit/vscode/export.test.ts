import assert from "node:assert/strict";
import { DEFAULT_CLEANING } from "../../../src/trace/export/redact/options.ts";
import { previewHead } from "../../../src/vscode/export/preview-head.ts";
import { fileNameOf, makePreview, Previews, writePreview } from "../../../src/vscode/export/previews.ts";
import { sayingEverywhere, sourceOf } from "../trace/export/support/turns.ts";

const SESSION = "00000000-0000-4000-8000-000000000001";
const signal = new AbortController().signal;

describe("preview of an export", () => {
  async function previewOf(text: string) {
    const source = sourceOf(sayingEverywhere(text));
    const request = { format: "jsonl", sessionId: SESSION, cleaning: DEFAULT_CLEANING } as const;
    const made = await makePreview(source, request, { signal });
    assert.ok(made.ok);
    return { source, preview: made.value };
  }

  it("says what goes out and what was taken out, and names the file without secrets", async () => {
    const { preview } = await previewOf("DB_PASSWORD=quayside77 in Oban");
    const head = previewHead("jsonl", preview.figures, { whole: true, secrets: true });
    assert.match(head, /1 turn, 1,280 tokens, [\d.]+ kB\./);
    assert.match(head, /Taken out: password \(\d+\)/);
    assert.equal(preview.fileName, "conclave-db-password-in-oban-2026-03-20.conclave");
    assert.match(
      previewHead("jsonl", preview.figures, { whole: false, secrets: false }),
      /SECRETS ARE LEFT IN/,
    );
  });

  it("is written exactly as it was looked at", async () => {
    const { preview } = await previewOf("Where is the harbour?");
    const pieces: string[] = [];
    const done = await writePreview(preview, (piece) => void pieces.push(piece), signal);
    assert.ok(done.ok);
    assert.equal(pieces.join(""), preview.whole);
  });

  it("that is too long to be kept is made again of the same events, and refused when they have changed", async () => {
    const { preview } = await previewOf("Where is the harbour?");
    const { whole, ...long } = preview;
    const pieces: string[] = [];
    assert.ok((await writePreview(long, (piece) => void pieces.push(piece), signal)).ok);
    assert.equal(pieces.join(""), whole);
    const changed = { ...long, source: sourceOf(sayingEverywhere("Forgotten.")) };
    const done = await writePreview(changed, () => undefined, signal);
    assert.match(done.ok ? "" : done.failure.message, /has changed since you looked at it/);
  });

  it("is found by its document, else the latest is meant, and old ones are let go", async () => {
    const { preview } = await previewOf("x");
    const previews = new Previews();
    for (let at = 0; at < 6; at += 1) previews.keep(`conclave:/${at}`, { ...preview, fileName: String(at) });
    assert.equal(previews.find("conclave:/3")?.fileName, "3");
    assert.equal(previews.find("file:///other")?.fileName, "5");
    assert.equal(previews.find("conclave:/0")?.fileName, "5");
  });

  it("has a name that every disk takes", () => {
    assert.equal(fileNameOf('../a:b*?"<>|\\ c\u0000', "md", 0), "conclave-a-b-c-1970-01-01.md");
    assert.equal(fileNameOf("", "md", NaN).endsWith(".md"), true);
  });
});
