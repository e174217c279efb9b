import assert from "node:assert/strict";
import { parseAgentFile, type ParsedAgentFile } from "../../../../src/agent/agents/agent-file.ts";
import type { AgentDefinition, AgentProblem } from "../../../../src/agent/agents/definition.ts";

/** A file in our own form. */
export const OWN = "/ws/boat/.conclave/agents/vera.yaml";
/** A file of VS Code's. */
export const VSCODE = "/ws/boat/.github/agents/planner.agent.md";
/** A file of Claude's. */
export const CLAUDE = "/ws/boat/.claude/agents/reviewer.md";

/** Reads a text as a file in our own form. */
export function read(text: string, path = OWN): ParsedAgentFile {
  return parseAgentFile(path, text);
}

/** The agent of a text, which must be usable. */
export function agent(text: string, path = OWN): AgentDefinition {
  const { definition, problems } = read(text, path);
  assert.ok(definition, problems.map(({ message }) => message).join("\n"));
  return definition;
}

/** What is said of a text: severity, the text that is underlined, and the sentence. */
export function said(text: string, path = OWN): readonly (readonly [string, string, string])[] {
  return read(text, path).problems.map((problem) => [
    problem.severity,
    marked(text, problem),
    problem.message,
  ]);
}

/** The text that a problem underlines. */
export function marked(text: string, { line = 1, column = 1, endColumn = column }: AgentProblem): string {
  const shown = text.replace(/^\ufeff/u, "").split(/\r\n|\r|\n/u)[line - 1] ?? "";
  return shown.slice(column - 1, endColumn - 1);
}

/** Checks that one thing is said: how bad it is, where, and words of it. */
export function assertSaid(text: string, severity: string, place: string, words: RegExp, path = OWN): void {
  const all = said(text, path);
  assert.equal(all.length, 1, JSON.stringify(all));
  const [[level, where, message] = ["", "", ""]] = all;
  assert.deepEqual([level, where], [severity, place], message);
  assert.match(message, words);
}
