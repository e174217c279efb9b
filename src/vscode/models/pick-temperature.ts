import * as vscode from "vscode";

/** What a pick list calls the choice that changes nothing. */
export const AS_BEFORE = "As before";
const TEMPERATURES = ["0", "0.3", "0.7", "1", "1.5"];

/** Lets the user pick a temperature; an empty choice for that of before, undefined where they back out. */
export async function pickTemperature(title: string): Promise<{ readonly temperature?: number } | undefined> {
  const pick = await vscode.window.showQuickPick([AS_BEFORE, ...TEMPERATURES], {
    title,
    placeHolder: "0 gives the likeliest words, more gives others",
  });
  if (pick === undefined) return undefined;
  return pick === AS_BEFORE ? {} : { temperature: Number(pick) };
}
