import { join } from "node:path";
import * as vscode from "vscode";
import { z } from "zod";
import { agentFileName, agentText, newAgentText, type NewAgentKind } from "../../agent/agents/agent-text.ts";
import type { FullCatalog } from "../../agent/agents/catalog.ts";
import { findAgent, type AgentDefinition } from "../../agent/agents/definition.ts";
import { AGENT_FOLDERS } from "../../agent/agents/files.ts";
import { uriOf } from "../agents/agent-path.ts";
import { readArgs } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { chooseRoot, writeNew } from "../new-file.ts";
import { askLine, pickOne } from "../pickers.ts";

const NewAgentArgs = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^[^\n\r]*$/u)
    .optional(),
  kind: z.enum(["persona", "agent", "synthesizer", "structured"]).optional(),
});
const AgentPlace = z.object({ name: z.string(), path: z.string().optional() });
/** What the list of agents passes to commands of its lines. */
const AgentLine = z.object({ row: AgentPlace });

const KINDS: readonly (vscode.QuickPickItem & { readonly makes: NewAgentKind })[] = [
  { makes: "persona", label: "$(person) Persona", detail: "A voice in a committee" },
  { makes: "agent", label: "$(hubot) Agent", detail: "Answers by itself, or when another agent asks it" },
  {
    makes: "structured",
    label: "$(json) Structured agent",
    detail: "Its answer has fields, which are checked",
  },
  { makes: "synthesizer", label: "$(combine) Synthesizer", detail: "Sums up what a committee said" },
];

/** Makes the file of a new agent and opens it; gives its path. Asks for name and kind where they are not passed. */
export async function newAgent(container: Container, args: readonly unknown[]): Promise<string | undefined> {
  const given = readArgs(NewAgentArgs, args[0]) ?? {};
  const services = await container.services();
  const name = given.name ?? (await askName(services.agents()));
  if (name === undefined) return undefined;
  const kind =
    given.kind ?? (await pickOne(KINDS, { title: `What is ${name}?`, matchOnDetail: true }))?.makes;
  if (kind === undefined) return undefined;
  return writeAgent(container, name, newAgentText(name, kind));
}

/** Opens an agent's file; a built-in one as a read-only text. Without a name a list is shown. */
export async function openAgent(container: Container, args: readonly unknown[]): Promise<void> {
  const catalog = (await container.services()).agents();
  const place = placeOf(args) ?? (await pickAgent(catalog));
  if (place === undefined) return;
  const agent = findAgent(catalog, place.name);
  const path = place.path ?? agent?.source.path;
  if (path !== undefined) await vscode.window.showTextDocument(uriOf(path));
  else if (agent !== undefined)
    await container.documents.showText(
      `${agentFileName(agent.name)}.yaml`,
      `# Built in. "Edit a Copy" takes its place.\n${agentText(agent)}`,
    );
}

/** Makes a file out of a built-in agent, which from then on stands in its place, and opens it; gives its path. */
export async function copyAgent(container: Container, args: readonly unknown[]): Promise<string | undefined> {
  const catalog = (await container.services()).agents();
  const builtIn = catalog.agents.filter(({ source }) => source.path === undefined);
  const place = placeOf(args) ?? (await pickAgent({ ...catalog, agents: builtIn }));
  const agent = place && builtIn.find(({ name }) => name === place.name);
  if (agent === undefined) return undefined;
  const text = `# Takes the place of the built-in ${agent.name}.\n${agentText(agent)}`;
  return writeAgent(container, agent.name, text);
}

function placeOf([first]: readonly unknown[]): z.infer<typeof AgentPlace> | undefined {
  return readArgs(AgentLine, first)?.row ?? readArgs(AgentPlace, first);
}

async function askName({ agents, unusable }: FullCatalog): Promise<string | undefined> {
  const own = [...agents.filter(({ source }) => source.path !== undefined), ...unusable];
  const taken = new Set(own.map(({ name }) => name.toLowerCase()));
  const name = await askLine({
    title: "New Agent",
    prompt: "What is the agent called?",
    placeHolder: "Data Modeller",
    validateInput: (text) => {
      if (text.trim() === "") return "A name, please.";
      if (text.trim().length > 100) return "At most 100 characters.";
      return taken.has(text.trim().toLowerCase())
        ? `There is an agent named ${text.trim()} already.`
        : undefined;
    },
  });
  return name?.trim();
}

async function pickAgent({
  agents,
}: Pick<FullCatalog, "agents">): Promise<
  { readonly name: string; readonly path?: string | undefined } | undefined
> {
  const items = agents.map((agent) => ({ ...itemOf(agent), agent }));
  const picked = await pickOne(items, { title: "Agents", matchOnDescription: true });
  return picked && { name: picked.agent.name, path: picked.agent.source.path };
}

function itemOf({ name, kind, description, source }: AgentDefinition): vscode.QuickPickItem {
  return { label: name, description: `${kind} · ${source.origin}`, detail: description };
}

async function writeAgent(container: Container, name: string, text: string): Promise<string | undefined> {
  const root = await chooseRoot();
  if (root === undefined) return undefined;
  const path = await writeNew(join(root, AGENT_FOLDERS.workspace), agentFileName(name), text);
  container.agents.changed();
  await vscode.window.showTextDocument(vscode.Uri.file(path));
  return path;
}
