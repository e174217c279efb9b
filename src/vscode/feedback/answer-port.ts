import * as vscode from "vscode";
import type { AnswerPort } from "../panel/answer-port.ts";
import type { Services } from "../services.ts";

/** Where answers are copied to and put into. */
export function answerPort({ settings }: Pick<Services, "settings">): AnswerPort {
  return {
    copy: async (text) => {
      await vscode.env.clipboard.writeText(text);
    },
    insert: insertText,
    concludes: () => settings().settings.feedbackImplicit,
  };
}

/** In the editor that was used last: the panel itself has taken the focus from it. */
async function insertText(text: string): Promise<boolean> {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const editor =
    activeTextEditor ?? visibleTextEditors.find(({ document }) => document.uri.scheme !== "output");
  const done = await editor?.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (done !== true) {
    const message = "The code was not put anywhere: open the file that it belongs to, and set the cursor.";
    void vscode.window.showInformationMessage(message);
  }
  return done === true;
}
