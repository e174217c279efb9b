import * as vscode from "vscode";
import { describeError } from "../../agent/failure.ts";
import type { Container } from "../container.ts";
import { PARTICIPANT } from "../contributions.ts";
import { chatApi } from "../editor.ts";

/**
 * Registers `@conclave`. What answers is loaded with the first question. Editors without a chat get nothing: commands
 * and the trace panel do all there.
 */
export function registerParticipant(container: Container): vscode.Disposable {
  const api = chatApi();
  if (api === undefined) return new vscode.Disposable(() => undefined);
  const participant = api.createChatParticipant(PARTICIPANT.id, async (request, context, stream, token) => {
    try {
      const { answerRequest } = await import("./participant.ts");
      const { documents } = container;
      return await answerRequest(
        { services: await container.services(), documents },
        request,
        context,
        stream,
        token,
      );
    } catch (error) {
      container.output.error(`The chat request broke: ${describeError(error)}`);
      const message = "Something in Conclave broke. Its log (Conclave: Show Log) says what.";
      return { errorDetails: { message } };
    }
  });
  const media = vscode.Uri.joinPath(container.extension.extensionUri, "media");
  participant.iconPath = {
    light: vscode.Uri.joinPath(media, "icon-light.svg"),
    dark: vscode.Uri.joinPath(media, "icon-dark.svg"),
  };
  participant.followupProvider = {
    provideFollowups: async ({ metadata }) => [...(await import("./follow-ups.ts")).followUps(metadata)],
  };
  const feedback = participant.onDidReceiveFeedback(async ({ result, kind }) => {
    const { publishFeedback } = await import("./feedback.ts");
    const up = kind === vscode.ChatResultFeedbackKind.Helpful;
    const told = publishFeedback(await container.services(), result.metadata, up ? "up" : "down");
    if (told && !up) (await import("../feedback/say-why.ts")).offerToSayWhy();
  });
  return vscode.Disposable.from(participant, feedback);
}
