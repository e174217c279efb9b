import * as vscode from "vscode";
import { COMMANDS } from "../contributions.ts";
import { gradeSentence, type TurnGrade } from "./grades.ts";

/** Theme colours of grades from 1 to 5; the number and the word say the same. */
const COLOURS = ["charts.red", "charts.orange", "charts.yellow", "charts.green", "charts.green"] as const;

/** The grade that was given last, in the status bar. A click opens its turn. */
export class GradeBadge implements vscode.Disposable {
  #item: vscode.StatusBarItem | undefined;

  /** Shows a grade; without one there is no badge. */
  show(grade: TurnGrade | undefined): void {
    if (grade === undefined) {
      this.#item?.hide();
      return;
    }
    this.#item ??= this.#make();
    const { sessionId, turnId, score, word } = grade;
    const sentence = gradeSentence(grade);
    this.#item.text = `$(law) ${score} ${word}`;
    this.#item.color = new vscode.ThemeColor(COLOURS[Math.round(score) - 1] ?? "charts.foreground");
    this.#item.tooltip = `Conclave: ${sentence}\nA grade is a model's opinion. Click to open the turn.`;
    this.#item.accessibilityInformation = { label: `Conclave: ${sentence}`, role: "button" };
    this.#item.command = {
      command: COMMANDS.openTracePanel,
      title: "Open trace",
      arguments: [{ sessionId, turnId }],
    };
    this.#item.show();
  }

  /** What stands there now; undefined where nothing does. */
  get text(): string | undefined {
    return this.#item?.text;
  }

  dispose(): void {
    this.#item?.dispose();
  }

  #make(): vscode.StatusBarItem {
    const item = vscode.window.createStatusBarItem("conclave.grade", vscode.StatusBarAlignment.Right, 89);
    item.name = "Conclave: last grade";
    return item;
  }
}
