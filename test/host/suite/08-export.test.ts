import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { done, text } from "../../support/ollama/index.ts";
import type { Exported } from "../../../src/vscode/export/commands.ts";
import { BELOW } from "../../../src/vscode/export/preview-head.ts";
import { canDrive, window } from "./driver.ts";
import { confirmPicks, lines, palette, pick, tidy } from "./user.ts";
import { askCommand, createWorld, set, type World } from "./world.ts";

const QUESTION = "For DB_PASSWORD=quayside77, which harbour master signs in Oban?";

describe("the export", () => {
  let world: World;
  let folder: string;

  beforeEach(async () => {
    world = await createWorld();
    folder = await mkdtemp(join(tmpdir(), "conclave-export-"));
    await tidy();
  });

  afterEach(async () => {
    await set("trace.otlp.endpoint", undefined);
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function turn(): Promise<{ readonly sessionId: string; readonly turnId: string }> {
    world.ollama.enqueue([
      text("The **harbour** master signs; see </details><img src=x> `quayside77`."),
      done(),
    ]);
    const result = await askCommand(QUESTION);
    assert.equal(result.outcome, "answered");
    const start = world.events.findLast(({ type }) => type === "turn.start");
    assert.ok(start);
    return { sessionId: start.sessionId, turnId: start.turnId };
  }

  /** The text of the preview, its head and what goes out apart. */
  function shown(uri: string): { readonly head: string; readonly body: string } {
    const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri);
    const [head = "", body = ""] = (document?.getText() ?? "").split(`${BELOW}\n\n`);
    return { head, body };
  }

  it("shows what goes out before anything is written, saves exactly that, and copies it", async () => {
    const place = await turn();
    const exported = await vscode.commands.executeCommand<Exported>("conclave.exportTurn", {
      ...place,
      format: "markdown",
    });
    const { head, body } = shown(exported.uri);
    assert.doesNotMatch(exported.uri, /quayside/);
    assert.match(head, /^Export as Markdown: 1 turn, [\d,]+ tokens, [\d.]+ (?:kB|bytes)\./);
    assert.match(head, /Taken out: password \(\d+\)/);
    assert.match(head, /Nothing is written yet/);
    assert.match(body, /^### Question\n\n> For DB_PASSWORD=\[redacted: password 1\], which harbour master/);
    assert.doesNotMatch(head + body, /quayside77/);
    const path = join(folder, "turn.md");
    assert.equal(existsSync(path), false);
    assert.equal(await vscode.commands.executeCommand("conclave.saveExport", path), path);
    assert.equal(await readFile(path, "utf8"), body);
    assert.equal(existsSync(`${path}.part`), false);
    assert.equal(await vscode.commands.executeCommand("conclave.copyExport"), true);
    assert.equal(await vscode.env.clipboard.readText(), body);
    await window.screenshot("export-preview");
    const html = await vscode.commands.executeCommand<string>("markdown.api.render", body);
    assert.doesNotMatch(html, /<img|<script/);
    assert.equal(html.match(/<details/g)?.length, html.match(/<\/details>/g)?.length);
  });

  it("writes a whole session as HTML, spans and a trace that opens here again", async () => {
    const { sessionId } = await turn();
    for (const [format, expected] of [
      ["html", /^<!doctype html>[^]*Content-Security-Policy/],
      ["otlp", /^\{"resourceSpans":\[\{"resource":/],
      ["jsonl", /^\{"type":"session","schema":1,/],
    ] as const) {
      const exported = await vscode.commands.executeCommand<Exported>("conclave.exportSession", {
        sessionId,
        format,
      });
      assert.ok(exported.figures.bytes > 1_000);
      const path = join(folder, `session.${format === "jsonl" ? "conclave" : format}`);
      await vscode.commands.executeCommand("conclave.saveExport", path);
      const saved = await readFile(path, "utf8");
      assert.match(saved, expected);
      assert.equal(Buffer.byteLength(saved), exported.figures.bytes);
      assert.doesNotMatch(saved, /quayside77/);
    }
  });

  it("asks for turn, format and what is taken out, as a person goes through it", async function () {
    if (!canDrive) this.skip();
    await turn();
    await palette("Export Turn");
    assert.match(await lines("which harbour master"), /answered/);
    await pick("which harbour master");
    assert.match(await lines("OTLP JSON"), /Markdown[^]*HTML[^]*Conclave trace/);
    await window.screenshot("export-formats");
    await pick("Markdown");
    await lines("Secrets");
    await window.screenshot("export-leave-out");
    await confirmPicks();
    await window.waitForText(".monaco-editor .view-line", "Export as Markdown");
    await window.screenshot("export-picked");
  });

  it("sends the spans of each turn to a collector that the user names, without secrets, and no private ones", async () => {
    const bodies: string[] = [];
    let heard: (() => void) | undefined;
    const collector: Server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        bodies.push(`${request.url ?? ""} ${Buffer.concat(parts).toString("utf8")}`);
        response.end("{}");
        heard?.();
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
    try {
      await set("trace.otlp.endpoint", `http://127.0.0.1:${(collector.address() as AddressInfo).port}`);
      const first = new Promise<void>((resolve) => (heard = resolve));
      const { turnId } = await turn();
      await first;
      assert.match(bodies[0] ?? "", /^\/v1\/traces /);
      assert.ok(bodies[0]?.includes(turnId));
      assert.doesNotMatch(bodies.join(""), /quayside77/);
      const isPrivate = await vscode.commands.executeCommand<string>("conclave.newPrivateSession");
      world.ollama.enqueue([text("Between us."), done()]);
      await askCommand("A private word, please.", isPrivate);
      await turn();
      assert.doesNotMatch(bodies.join(""), /private word|Between us/);
    } finally {
      await set("trace.otlp.endpoint", undefined);
      collector.closeAllConnections();
      collector.close();
    }
  });
});
