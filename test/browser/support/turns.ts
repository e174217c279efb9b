import type { PanelBed } from "../../unit/trace/support/panel-bed.ts";
import { cacheTurn } from "../../unit/trace/support/cache-turn.ts";
import { SteadyIdentity } from "../../unit/trace/support/steady-identity.ts";
import { TurnScript } from "../../unit/trace/support/turn-script.ts";
import type { PanelPage } from "./panel-page.ts";

export const QUESTION = "What did we decide about the cache, and does it still hold?";

/** Puts the turn of the drawing into the log, a minute ago. */
export async function withCacheTurn(bed: PanelBed): Promise<TurnScript> {
  const identity = new SteadyIdentity(Date.now() - 60_000);
  const script = cacheTurn((event) => bed.log.append(event), { question: QUESTION, identity });
  await bed.log.flush();
  return script;
}

/** Puts a turn with a given answer into the log. */
export async function withAnswer(bed: PanelBed, answer: string, seed = 0): Promise<TurnScript> {
  const identity = new SteadyIdentity(Date.now() - 60_000, seed);
  const script = new TurnScript((event) => bed.log.append(event), { question: `Question ${seed}`, identity });
  script.wait(10).ask().wait(1000).reply({ content: answer }).stepEnd().answered(answer);
  await bed.log.flush();
  return script;
}

/** Opens the turn that stands first in the list, and waits until its answer is drawn. */
export async function openFirst(panel: PanelPage): Promise<void> {
  await panel.page.locator(".rows [role=option]").first().click();
  await panel.page.locator(".cell-answer .markdown").waitFor();
}
