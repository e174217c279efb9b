import * as vscode from "vscode";
import { success } from "../../agent/failure.ts";
import { criticSettings } from "../../cli/settings/critic-settings.ts";
import { COMMANDS } from "../contributions.ts";
import type { PanelCritic } from "../panel/critic-part.ts";
import type { Services } from "../services.ts";

/** The critic of the window, as the panel uses it. */
export function panelCritic(services: Services): PanelCritic {
  const { judging } = services;
  return {
    critic: judging.critic,
    settings: () => criticSettings(services.settings().settings),
    rubrics: () => judging.rubrics().rubrics.map(({ name }) => name),
    // The command says itself what becomes of it.
    take: async (turn) => {
      await vscode.commands.executeCommand(COMMANDS.takeAnswer, turn);
      return success(undefined);
    },
  };
}
