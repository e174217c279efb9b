import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { describeError } from "../../agent/failure.ts";
import { systemTimer } from "../../agent/timer.ts";
import type { Container } from "../container.ts";
import { JOBS_FOLDER } from "./window-critic.ts";

/** After so long a window has come up, and one that was reloaded has let go of what it had; milliseconds. */
const AFTER_MS = 20_000;

/** Has the critic take up what a closed window left, a while after the start. Where nothing was left nothing is loaded. */
export function resumeAtStart(container: Container): vscode.Disposable {
  const cancel = systemTimer(AFTER_MS, () => {
    void takeUp(container);
  });
  return new vscode.Disposable(cancel);
}

async function takeUp(container: Container): Promise<void> {
  try {
    if (await isLeft(container)) await (await container.services()).judging.critic.resume();
  } catch (error) {
    container.output.warn(`What the critic had left could not be taken up: ${describeError(error)}`);
  }
}

async function isLeft({ extension }: Container): Promise<boolean> {
  const folder = join(extension.globalStorageUri.fsPath, JOBS_FOLDER);
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => name.endsWith(".json"));
}
