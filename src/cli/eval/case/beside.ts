import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { parseAgentFile } from "../../../agent/agents/agent-file.ts";
import { decodeText } from "../../../agent/agents/decode.ts";
import type { AgentDefinition } from "../../../agent/agents/definition.ts";
import type { Path } from "../../../agent/agents/yaml-tree.ts";
import type { CasePage } from "./schema.ts";
import type { CheckedFields, EvalCase, ReadBeside, ServedPage } from "./types.ts";

/** A larger file beside a case is not read; bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Reads a file beside a case. What is not below the case's folder, links followed, is refused: a case is somebody's
 * file, and must not bring others into an answer.
 */
export async function readBeside(
  casePath: string,
  name: string,
): Promise<string | { readonly problem: string }> {
  try {
    const folder = await realpath(dirname(casePath));
    const file = await realpath(resolve(folder, name));
    const inner = relative(folder, file);
    if (inner === "" || inner === ".." || inner.startsWith(`..${sep}`) || isAbsolute(inner))
      return { problem: "is outside of the case's folder, and is not read" };
    const { size } = await stat(file);
    if (size > MAX_BYTES) return { problem: "is larger than 2 MB, and is not read" };
    return decodeText(await readFile(file)).text;
  } catch {
    return { problem: "can't be read" };
  }
}

/** Reads the files that a case names: its agents and pages. Tells what is wrong with them. */
export async function withFiles(
  fields: CheckedFields & { readonly file: string },
  beside: ReadBeside,
  fault: (path: Path, message: string) => void,
): Promise<EvalCase> {
  const agents: AgentDefinition[] = [];
  for (const [at, written] of (fields.agents ?? []).entries()) {
    const agent = await agentOf(written, at, fields.file, beside);
    if ("problem" in agent) fault(["agents", at], `\`agents.${at}\` ${agent.problem}.`);
    else agents.push(agent);
  }
  const pages = new Map<string, ServedPage>();
  for (const [path, page] of Object.entries(fields.pages ?? {})) {
    const body = await bodyOf(page, beside);
    if (typeof body === "string") pages.set(path, { ...servedAs(page), body });
    else fault(["pages", path], `The page \`${path}\`: ${page.file ?? ""} ${body.problem}.`);
  }
  return { ...fields, agents, pages };
}

async function agentOf(
  written: NonNullable<CheckedFields["agents"]>[number],
  at: number,
  caseFile: string,
  beside: ReadBeside,
): Promise<AgentDefinition | { readonly problem: string }> {
  const isFile = typeof written === "string";
  const text = isFile ? await beside(written) : JSON.stringify(written);
  if (typeof text !== "string") return { problem: `names ${isFile ? written : ""}, which ${text.problem}` };
  const path = isFile ? written : `${caseFile}#agents.${at}.json`;
  const { definition, problems } = parseAgentFile(path, text, "workspace");
  if (definition !== undefined) return definition;
  const [first] = problems.filter(({ severity }) => severity === "error");
  return { problem: `is no agent: ${(first?.message ?? "it can't be read").replace(/\.$/u, "")}` };
}

function bodyOf(page: CasePage, beside: ReadBeside): Promise<string | { readonly problem: string }> {
  if (page.file !== undefined) return beside(page.file);
  return Promise.resolve(page.html ?? page.text ?? "");
}

function servedAs({ type, html, file, status, delay }: CasePage): Omit<ServedPage, "body"> {
  const isHtml = html !== undefined || /\.html?$/iu.test(file ?? "");
  const kind = type ?? (isHtml ? "text/html; charset=utf-8" : "text/plain; charset=utf-8");
  return { type: kind, status, delay };
}
