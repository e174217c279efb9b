import * as vscode from "vscode";
import { MAX_NOTE } from "../../trace/panel-limits.ts";
import type { CommandHandler } from "../commands/handler.ts";
import { COMMANDS } from "../contributions.ts";
import { askLine } from "../pickers.ts";

/** The word on the button, and the end of the command's title. */
const SAY_WHY = "Say Why";

/** Keeps a note on why the answer that was thumbed up or down last was good or poor. */
export const sayWhy: CommandHandler = async (container) => {
  const { engine, feedback, identity } = await container.services();
  const last = feedback.last();
  if (last === undefined) {
    void vscode.window.showInformationMessage(
      "There is nothing to give a reason for yet: thumb an answer up or down first.",
    );
    return;
  }
  const { rating, note = "", ...place } = last;
  const said = await askLine({
    title: `Why was the answer ${rating === "up" ? "good" : "poor"}?`,
    prompt: "Your note is kept in the trace, beside your thumb.",
    value: note,
    validateInput: (text) => (text.length > MAX_NOTE ? `At most ${MAX_NOTE} characters.` : undefined),
  });
  const text = said?.trim() ?? "";
  if (text === "") return;
  engine.publish({
    type: "user.feedback",
    ...{ ...place, id: identity.spanId(), time: identity.now(), agent: "user" },
    data: { rating, note: text, "conclave.door": "command" },
  });
};

/** Offers to say why an answer was poor; in chat there is no room for it beside the thumb. */
export function offerToSayWhy(): void {
  void vscode.window
    .showInformationMessage("Noted: that answer was poor.", SAY_WHY)
    .then((pressed) => (pressed === undefined ? undefined : vscode.commands.executeCommand(COMMANDS.sayWhy)));
}
