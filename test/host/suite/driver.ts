/** The test's side of the driver: uses the window as a person would. */
import type { Measured } from "../../../bench/frame.ts";

const origin = process.env["CONCLAVE_DRIVER"] ?? "";

/** Whether a window can be driven here; false in a desktop run without it. */
export const canDrive = origin !== "";

/** Whether the runner outside leaves the first window as a reload does, so that the second finds its editors. */
export const canReload = process.env["CONCLAVE_HOST_LEAVES"] === "1";

/** Which window this is, where two are open at once. */
let self = "";

/** Names this window, where two are open at once. */
export function nameWindow(name: string): void {
  self = name;
}

async function ask<T>(action: string, body: object): Promise<T> {
  const response = await fetch(`${origin}/${action}`, {
    method: "POST",
    body: JSON.stringify({ ...body, window: self }),
  });
  const result = (await response.json()) as T & { error?: string };
  if (!response.ok) throw new Error(`${action}: ${result.error ?? response.statusText}`);
  return result;
}

/** Presses keys (`Control+Enter`), types text, clicks and looks, in the workbench or in any webview. */
export const window = {
  screenshot: (name: string) => ask<object>("screenshot", { name }),
  press: (keys: string) => ask<object>("press", { keys }),
  /** Gives the first match the focus and presses keys there: what takes the focus away meanwhile changes nothing. */
  pressIn: (selector: string, keys: string) => ask<object>("pressIn", { selector, keys }),
  type: (text: string) => ask<object>("type", { text }),
  /**
   * Clicks the first match, of those that contain the text if one is given; looks for it, and waits until it stands
   * still, for so many milliseconds each (without a number for as long as the driver does).
   */
  click: (selector: string, text?: string, timeout?: number) =>
    ask<object>("click", { selector, text, timeout }),
  fill: (selector: string, content: string, timeout?: number) =>
    ask<object>("fill", { selector, content, timeout }),
  /** The visible texts of all matches. */
  texts: async (selector: string) => (await ask<{ texts: string[] }>("texts", { selector })).texts,
  /** Waits until a match contains the text, for so many milliseconds at most (half a minute if none are given). */
  waitForText: (selector: string, text: string, timeout?: number) =>
    ask<object>("waitForText", { selector, text, timeout: timeout ?? 30_000 }),
  /** What stands in an input. */
  value: async (selector: string) => (await ask<{ value: string }>("value", { selector })).value,
  /** The colours, and what else the editor gives by name, of the page that holds a match; without `--vscode-`. */
  variables: async (selector: string) =>
    (await ask<{ variables: Readonly<Record<string, string>> }>("variables", { selector })).variables,
  /** Waits until nothing visible fits any more. */
  waitGone: (selector: string, text?: string) => ask<object>("waitGone", { selector, text }),
  count: async (selector: string) => (await ask<{ count: number }>("count", { selector })).count,
  /** Waits until VS Code has saved something of the window that holds the text; in a browser only. */
  saved: (text: string) => ask<object>("saved", { text }),
  /** Has the window left as by a reload, where the runner outside can do that. */
  leave: () => ask<object>("leave", {}),
  /** Takes the page of the panel away, with all that could bring it back. */
  strand: () => ask<object>("strand", {}),
  /** How long a panel that was opened last was empty, in milliseconds; in windows whose figures are taken. */
  first: async () => (await ask<{ first: number }>("first", {})).first,
  /** Hands a figure to the runner outside. */
  measured: (name: string, figure: Measured) => ask<object>("measured", { name, figure }),
  resize: (width: number, height: number) => ask<object>("resize", { width, height }),
};

/** Leaves word for the other window. */
export async function say(name: string, value: string | number = ""): Promise<void> {
  await ask("say", { name, value });
}

/** Waits until the other window has said this; gives what it said. */
export async function hear(name: string): Promise<string> {
  return String((await ask<{ value: string | number }>("hear", { name })).value);
}

/** Tells the runner outside how a test went. */
export async function report(result: {
  state: "passed" | "failed" | "skipped";
  title: string;
  error?: string;
}): Promise<void> {
  if (canDrive) await ask("report", result);
}
