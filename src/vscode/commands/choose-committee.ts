import * as vscode from "vscode";
import { ENGINEERING_TEAM, INNER_TEAM } from "../../agent/committee/settings.ts";
import type { Container } from "../container.ts";
import { writeSetting } from "../settings.ts";
import { pickMany, pickOne } from "../pickers.ts";

interface TeamItem extends vscode.QuickPickItem {
  /** Left out: each is chosen by hand. */
  readonly names?: readonly string[];
}

const TEAMS: readonly TeamItem[] = [
  {
    label: "$(tools) Engineering",
    description: "for questions about code, plans and decisions",
    detail: ENGINEERING_TEAM.join(", "),
    names: ENGINEERING_TEAM,
  },
  {
    label: "$(heart) Inner voices",
    description: "for personal questions",
    detail: INNER_TEAM.join(", "),
    names: INNER_TEAM,
  },
  { label: "$(checklist) Choose each...", description: "your own personas too" },
];

/** A committee needs at least so many. */
const LEAST = 2;

/**
 * Lets the user choose who sits in the committee: one of the teams, or each persona by hand. Gives the names that were
 * written to the settings; undefined when the user backed out.
 */
export async function chooseCommittee(container: Container): Promise<readonly string[] | undefined> {
  const services = await container.services();
  const { committeePersonas } = services.settings().settings;
  const title = `Conclave: who sits in the committee? Now: ${committeePersonas.join(", ")}`;
  const team = await pickOne(TEAMS, { title });
  if (team === undefined) return undefined;
  const personas = services.agents().agents.filter(({ kind }) => kind === "persona");
  const names = team.names ?? (await chooseEach(personas, committeePersonas));
  if (names === undefined) return undefined;
  if (names.length < LEAST) {
    const words = "Conclave: a committee needs at least two personas; nothing was changed.";
    void vscode.window.showWarningMessage(words);
    return undefined;
  }
  await writeSetting("committeePersonas", names);
  return names;
}

async function chooseEach(
  personas: readonly { readonly name: string; readonly description: string; readonly model?: string }[],
  now: readonly string[],
): Promise<readonly string[] | undefined> {
  const seated = new Set(now.map((name) => name.trim().toLowerCase()));
  const items = personas.map(({ name, description, model }) => ({
    label: name,
    detail: description,
    ...(model === undefined ? {} : { description: model }),
    picked: seated.has(name.toLowerCase()),
  }));
  const picked = await pickMany(items, {
    title: "Conclave: choose at least two",
    matchOnDetail: true,
  });
  return picked?.map(({ label }) => label);
}
