import assert from "node:assert/strict";
import { TraceFile } from "../../../../src/trace/files/trace-file.ts";
import { bufferSource, type ByteSource } from "../../../../src/trace/files/source.ts";
import type { HostMessage } from "../../../../src/trace/panel-protocol.ts";
import type { SourceAction } from "../../../../src/trace/panel-source.ts";
import type { PanelUi } from "../../../../src/vscode/panel/deps.ts";
import { PanelHost } from "../../../../src/vscode/panel/panel-host.ts";
import { fileDeps } from "../../../../src/vscode/files/file-deps.ts";
import { FilePort } from "../../../../src/vscode/files/file-port.ts";
import { head, SESSION, textOf, turnEvents } from "./support.ts";

type MessageOf<Type extends HostMessage["type"]> = Extract<HostMessage, { readonly type: Type }>;

/** A panel on a file, as the editor of trace files makes it. */
class FilePanel {
  readonly messages: HostMessage[] = [];
  readonly acted: SourceAction[] = [];
  readonly opened: string[] = [];
  readonly confirmed: string[] = [];
  agrees = true;
  readonly file: TraceFile;
  readonly host: PanelHost;
  private readonly waiting = new Set<() => void>();

  constructor(source: ByteSource) {
    this.file = new TraceFile(source);
    const port = new FilePort(this.file, "a.conclave", (action) => {
      this.acted.push(action);
      return Promise.resolve();
    });
    const ui: PanelUi = {
      openLink: (uri) => {
        this.opened.push(uri);
        return Promise.resolve();
      },
      confirm: (message, detail) => {
        this.confirmed.push(`${message} ${detail}`);
        return Promise.resolve(this.agrees);
      },
      saveAs: () => Promise.resolve(undefined),
      chooseFile: () => Promise.resolve(undefined),
      copy: () => Promise.resolve(),
    };
    this.host = new PanelHost(fileDeps(this.file, port), ui, (message) => {
      this.messages.push(message);
      for (const look of [...this.waiting]) look();
    });
  }

  of<Type extends HostMessage["type"]>(type: Type): readonly MessageOf<Type>[] {
    return this.messages.filter((message): message is MessageOf<Type> => message.type === type);
  }

  /** Resolves once something is true of what was posted. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        this.waiting.delete(look);
        resolve();
      };
      this.waiting.add(look);
      look();
    });
  }
}

describe("the panel on a trace file", () => {
  let panel: FilePanel;

  async function open(
    text: string,
    selected: { sessionId: string; turnId: string } | null = null,
  ): Promise<void> {
    panel = new FilePanel(bufferSource(Buffer.from(text)));
    const ready = panel.host.receive({ type: "ready", selected });
    await panel.file.load();
    await ready;
  }

  const lastState = () => panel.of("state").at(-1)?.state.source;

  afterEach(() => {
    panel.host.dispose();
    panel.file.dispose();
  });

  it("lists the file's turns, and shows the first where none was chosen before", async () => {
    const events = turnEvents(3);
    await open(textOf([head(), ...events]));
    await panel.until(() => panel.of("loaded").length > 0 && lastState()?.state === "read");
    assert.equal(panel.of("turn")[0]?.turnId, events[0]?.turnId);
    const rows = panel.of("turns").at(-1)?.rows ?? [];
    assert.deepEqual(
      rows.map(({ question }) => question),
      ["Question 0", "Question 1", "Question 2"],
    );
    assert.deepEqual(lastState(), {
      kind: "file",
      name: "a.conclave",
      state: "read",
      progress: 1,
      notes: [],
    });
  });

  it("goes on at the turn that was chosen before the editor was hidden", async () => {
    const events = turnEvents(3);
    const turnId = events.at(-1)!.turnId;
    await open(textOf([head(), ...events]), { sessionId: SESSION, turnId });
    await panel.until(() => panel.of("loaded").length > 0);
    assert.deepEqual(
      panel.of("turn").map((turn) => turn.turnId),
      [turnId],
    );
  });

  it("shows the first turn where the one that was chosen is not there any more", async () => {
    const events = turnEvents(1);
    await open(textOf([head(), ...events]), { sessionId: SESSION, turnId: "gone" });
    await panel.until(() => panel.of("turn").length > 0);
    assert.equal(panel.of("turn")[0]?.turnId, events[0]?.turnId);
  });

  it("says of what is no trace that it is none", async () => {
    await open("# Just a page\n");
    await panel.until(() => lastState()?.state === "foreign");
    assert.match(lastState()?.notes[0] ?? "", /^Line 1 is not JSON/);
    assert.equal(panel.of("turn").length, 0);
  });

  it("refuses in words what only a log can do, and does nothing", async () => {
    await open(textOf([head(), ...turnEvents(1)]));
    await panel.until(() => panel.of("loaded").length > 0);
    const turn = { sessionId: SESSION, turnId: turnEvents(1)[0]!.turnId };
    await panel.host.receive({ type: "ask", question: "More?", sessionId: SESSION });
    await panel.host.receive({ type: "retry_synthesis", ...turn });
    await panel.host.receive({ type: "toggle", name: "memory", on: true });
    await panel.host.receive({ type: "restore_context", sessionId: SESSION });
    await panel.host.receive({ type: "feedback", ...turn, rating: "up" });
    await panel.host.receive({ type: "delete_session", sessionId: SESSION });
    await panel.host.receive({ type: "action", action: "pull_model", target: "evil", sessionId: null });
    await panel.host.receive({ type: "memory.forget", what: { by: "about", about: "x" } });
    const said = panel.of("notice").map(({ failure }) => failure.message);
    assert.ok(said.length >= 3);
    assert.ok(said.some((message) => /only read. Import it/.test(message)));
    assert.equal(panel.file.status().events, turnEvents(1).length);
  });

  it("imports the file, or opens it as text, when its buttons say so", async () => {
    await open(textOf([head()]));
    await panel.host.receive({ type: "source", action: "import" });
    await panel.host.receive({ type: "source", action: "open_text" });
    await panel.host.receive({ type: "source", action: "rm -rf" });
    assert.deepEqual(panel.acted, ["import", "open_text"]);
  });

  it("asks before it opens a link, shows where it leads, and never opens one of a kind that does something", async () => {
    await open(textOf([head(), ...turnEvents(1)]));
    await panel.host.receive({ type: "link", href: "https://example.test/a?b=c" });
    panel.agrees = false;
    await panel.host.receive({ type: "link", href: "https://example.test/no" });
    for (const href of ["command:x", "javascript:1", "vscode://x", "data:text/html,x", "file:///etc/passwd"])
      await panel.host.receive({ type: "link", href });
    assert.deepEqual(panel.opened, ["https://example.test/a?b=c"]);
    assert.equal(panel.confirmed.length, 2);
    assert.match(panel.confirmed[0] ?? "", /somebody else made.*https:\/\/example\.test\/a\?b=c/);
  });

  it("draws list and turn anew when the file is another one", async () => {
    let bytes = Buffer.from(textOf([head(), ...turnEvents(1)]));
    panel = new FilePanel({
      size: () => Promise.resolve(bytes.length),
      open: () => bufferSource(bytes).open(),
    });
    const ready = panel.host.receive({ type: "ready", selected: null });
    await panel.file.load();
    await ready;
    await panel.until(() => panel.of("loaded").length > 0);
    const shown = panel.of("turn").length;
    bytes = Buffer.from(textOf([head(), ...turnEvents(2)]));
    await panel.file.load();
    await panel.until(() => panel.of("turn").length > shown && panel.of("turns").at(-1)?.rows.length === 2);
    assert.equal(panel.of("turn").at(-1)?.turnId, turnEvents(1)[0]?.turnId);
  });

  it("posts nothing over the bound of a message, whatever the file holds", async () => {
    const long = turnEvents(1).map((event) =>
      event.type === "answer.dialog"
        ? { ...event, data: { ...event.data, answer: "\u2028".repeat(900_000) } }
        : event,
    );
    await open(textOf([head(), ...long, ...Array.from({ length: 300 }, () => "x".repeat(900))]));
    await panel.until(() => panel.of("loaded").length > 0 && lastState()?.state === "read");
    for (const message of panel.messages) assert.ok(JSON.stringify(message).length < 256 * 1024);
  });
});
