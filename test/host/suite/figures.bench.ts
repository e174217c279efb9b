/** Takes figures in the real VS Code; run by the benchmarks, not with the tests. */
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { interleave, median, quartiles } from "../../../bench/frame.ts";
import { naiveState, readNaively } from "../../../bench/support/naive-state.ts";
import { readBlocks } from "../../../bench/support/read-blocks.ts";
import { logFile, writeLargeLog, writeLongTurn, type TurnName } from "../../../bench/support/trace-data.ts";
import { window } from "./driver.ts";
import { createWorld, type World } from "./world.ts";

const EVENTS = 10_000;
const ROUNDS = 5;
const WARM_UP = 1;
const BYTES = 100 * 1_024 * 1_024;
const READINGS = 3;
const NAIVE_PAGE = "bench/support/naive-panel.html";

describe("figures of the trace in VS Code", function () {
  this.timeout(10 * 60_000);
  let world: World;
  let folder: string;

  before(async () => {
    world = await createWorld();
    folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
    await vscode.commands.executeCommand("workbench.action.closeAuxiliaryBar");
  });

  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const closeAll = () => vscode.commands.executeCommand("workbench.action.closeAllEditors");

  /** A long turn whose log nobody has read yet: each has ids of its own. */
  async function writeTurn(seed: number): Promise<TurnName> {
    return await writeLongTurn(folder, EVENTS, { thinking: 60, result: 120 }, seed);
  }

  /** From the panel's page being there to its first row and cell on the screen. */
  async function panel(turn: TurnName): Promise<number> {
    const sessions = join(world.container.extension.globalStorageUri.fsPath, "sessions");
    await mkdir(sessions, { recursive: true });
    await rename(logFile(folder, turn), logFile(sessions, turn));
    await vscode.commands.executeCommand("conclave.openTracePanel", turn);
    const first = await window.first();
    await closeAll();
    await rm(logFile(sessions, turn));
    return first;
  }

  /** The same of the panel as it is first thought of, for a log that was read before. */
  async function naive(turn: TurnName): Promise<number> {
    const state = naiveState(await readNaively(logFile(folder, turn)));
    const shown = vscode.window.createWebviewPanel("naive", "Naive", vscode.ViewColumn.One, {
      enableScripts: true,
    });
    shown.webview.onDidReceiveMessage(() => void shown.webview.postMessage(state));
    shown.webview.html = await readFile(join(process.env["CONCLAVE_HOST_ROOT"] ?? "", NAIVE_PAGE), "utf8");
    const first = await window.first();
    await closeAll();
    return first;
  }

  it("panel.first_row.ms", async () => {
    let seed = 0;
    const next = () => writeTurn((seed += 1) * 1_000_000);
    const pair = await interleave(
      ROUNDS,
      WARM_UP,
      async () => panel(await next()),
      async () => naive(await next()),
    );
    await window.measured("panel.first_row.ms.vscode", {
      value: median(pair.ours),
      reference: {
        name: "the whole state posted and drawn, log read before",
        value: median(pair.reference),
        unit: "ms",
      },
      rounds: ROUNDS,
      spread: quartiles(pair.ours),
    });
  });

  it("trace.read.block_ms", async () => {
    const large = await writeLargeLog(folder, BYTES);
    await window.measured("trace.read.block_ms.vscode", await readBlocks(folder, large, READINGS));
  });
});
