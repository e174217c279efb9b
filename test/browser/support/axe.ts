import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { PanelPage } from "./panel-page.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const RUN = `axe.run(document, { preload: false, resultTypes: ["violations"] }).then(({ violations }) => ({ violations }))`;

/** What axe finds in the page that is serious or critical, in words; nothing is best. */
export async function seriousFindings(panel: PanelPage): Promise<string[]> {
  if (!(await panel.evaluate<boolean>("'axe' in window"))) await panel.evaluate(AXE);
  const results = await panel.evaluate<Pick<AxeResults, "violations">>(RUN);
  return results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}
