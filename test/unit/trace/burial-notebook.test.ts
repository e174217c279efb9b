import assert from "node:assert/strict";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BurialOf } from "../../../src/trace/burial.ts";
import { TraceLog } from "../../../src/trace/log.ts";
import { logPath } from "../../../src/trace/log-writer.ts";
import { SECRET, tellSecret } from "./support/secret-turn.ts";
import { SteadyIdentity } from "./support/steady-identity.ts";
import { TurnScript } from "./support/turn-script.ts";

const TIME = new Date(2026, 10, 28, 12).getTime();
const OTHER_SESSION = "00000000-0000-4000-8000-0000000000ee";

/** A line of a notebook's cell as it stands in a log. */
const cell = (line: object): string => `${JSON.stringify({ type: "notebook.cell", ...line })}\n`;

describe("the cells of a notebook in a log from which turns are forgotten", () => {
  let folder: string;
  let log: TraceLog;
  let turn: TurnScript;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-bury-cells-"));
    log = new TraceLog({ folder });
    turn = tellSecret((event) => log.append(event), new SteadyIdentity(Date.UTC(2026, 2, 20)));
    await log.flush();
  });

  afterEach(async () => {
    await log.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function bury(what: Partial<BurialOf>): Promise<void> {
    const buried = await log.bury({ turns: [turn], time: TIME, ...what });
    assert.ok(buried.ok, JSON.stringify(buried));
  }

  const textOf = (sessionId: string): Promise<string> => readFile(logPath(folder, sessionId), "utf8");

  it("lose what their questions became, and what was said in the turns", async () => {
    const path = logPath(folder, turn.sessionId);
    await appendFile(path, cell({ cell: "turn", turn: turn.turnId, text: `What else of ${SECRET}?` }));
    await appendFile(path, cell({ cell: "markdown", text: `The answer is ${SECRET}.` }));
    await appendFile(path, cell({ cell: "question", text: "What of the weather?" }));
    await appendFile(path, cell({ cell: "hidden", turn: turn.turnId }));
    await bury({});
    const left = await textOf(turn.sessionId);
    assert.ok(!left.includes(SECRET));
    assert.deepEqual(
      left
        .split("\n")
        .filter((line) => line.includes("notebook.cell"))
        .map((line): unknown => JSON.parse(line)),
      [
        { type: "notebook.cell", cell: "turn", turn: turn.turnId },
        { type: "notebook.cell", cell: "markdown", text: "Forgotten on 2026-11-28." },
        { type: "notebook.cell", cell: "question", text: "What of the weather?" },
        { type: "notebook.cell", cell: "hidden", turn: turn.turnId },
      ],
    );
  });

  it("lose what speaks of it: in this session, or in all when it is forgotten everywhere", async () => {
    const identity = new SteadyIdentity(Date.UTC(2026, 2, 21), 10_000);
    const sink = (event: Parameters<TraceLog["append"]>[0]): void => log.append(event);
    new TurnScript(sink, { identity, sessionId: OTHER_SESSION, question: "Something else?" }).answered(
      "Yes.",
    );
    await log.flush();
    const line = cell({ cell: "question", text: "Is ZANZIBAR far?" });
    for (const id of [turn.sessionId, OTHER_SESSION]) await appendFile(logPath(folder, id), line);
    await bury({ about: { words: "zanzibar", everywhere: false } });
    assert.doesNotMatch(await textOf(turn.sessionId), /zanzibar/i);
    assert.match(await textOf(OTHER_SESSION), /ZANZIBAR/);
    await bury({ about: { words: "zanzibar", everywhere: true } });
    assert.doesNotMatch(await textOf(OTHER_SESSION), /zanzibar/i);
  });
});
