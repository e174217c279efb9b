import * as vscode from "vscode";
import type { Engine } from "../agent/engine-port.ts";
import { WebWishWatch } from "./chat/web-wish-watch.ts";
import type { WebSettings } from "./chat/web-wish.ts";
import { COMMANDS } from "./contributions.ts";

const TURN_ON = "Turn on web tools";

/** Offers the web tools after a question from the Command Palette or the panel that seems to need one. */
export function offerWeb(engine: Pick<Engine, "onEvent">, settings: () => WebSettings): void {
  const watch = new WebWishWatch(settings);
  engine.onEvent((event) => {
    const missing = watch.take(event);
    if (missing !== undefined) void offer(`The question seems to need ${missing}.`);
  });
}

async function offer(message: string): Promise<void> {
  const pressed = await vscode.window.showInformationMessage(message, TURN_ON);
  if (pressed !== undefined) await vscode.commands.executeCommand(COMMANDS.enableWebTools);
}
