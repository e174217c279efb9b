import { failed, success, type Result } from "../failure.ts";
import { nearestName } from "../nearest-name.ts";
import type { Rubric, RubricCatalog } from "./types.ts";

/**
 * The rubric for an agent's answer: the one that is asked for by name; else one that names the agent; else that of the
 * settings. Fails in words where there is none of that name.
 */
export function chooseRubric(
  { rubrics }: Pick<RubricCatalog, "rubrics">,
  { agent, asked, usual }: { readonly agent: string; readonly asked?: string; readonly usual: string },
): Result<Rubric> {
  const named = (name: string): Rubric | undefined =>
    rubrics.find((rubric) => rubric.name === name.trim().toLowerCase());
  const isFor = (rubric: Rubric): boolean =>
    rubric.agents.some((one) => one.toLowerCase() === agent.toLowerCase());
  const found = asked === undefined ? (rubrics.find(isFor) ?? named(usual)) : named(asked);
  if (found !== undefined) return success(found);
  const wanted = asked ?? usual;
  const names = rubrics.map(({ name }) => name);
  const near = nearestName(wanted, names);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return failed("bad_input", `There is no rubric "${wanted}".${hint}`, { target: wanted });
}
