import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { z } from "zod";
import type { Tool, ToolOutcome } from "../agent/tool.ts";
import { UNLISTED } from "./json-schema.ts";
import { failedOutcome, timed } from "./memory-access.ts";
import { shorten } from "./web/page.ts";
import { markUntrusted, visibleLine } from "./web/untrusted.ts";
import type { WorkspaceToolOptions } from "./workspace/options.ts";
import { coveredBy } from "./workspace/glob.ts";
import { findPlace, isGitInternal, shownPath } from "./workspace/places.ts";
import type { FoundProblem, WorkspacePort } from "./workspace/port.ts";

/** Problems that one call gives. */
const MAX_PROBLEMS = 100;
const MAX_MESSAGE = 400;

const parameters = z.object({
  path: z.string().trim().max(4_000).optional().describe("File or folder"),
  start: z.int().min(0).default(0).meta(UNLISTED),
});

type DiagnosticsArguments = z.infer<typeof parameters>;

/** The tool `get_diagnostics`: what the editor found wrong with the files of the open folders, errors first. */
export function getDiagnostics(options: WorkspaceToolOptions): Tool<DiagnosticsArguments> {
  return timed(
    {
      name: "get_diagnostics",
      aliases: ["get_problems", "get_errors", "diagnostics", "list_problems"],
      description: "Gives the errors and warnings that the editor shows.",
      parameters,
      readOnly: true,
      run: (args) => run(options, args),
    },
    options.timeoutMs,
  );
}

const ORDER: readonly FoundProblem["severity"][] = ["error", "warning", "information", "hint"];

async function run(
  { workspace }: WorkspaceToolOptions,
  { path = "", start }: DiagnosticsArguments,
): Promise<ToolOutcome> {
  let below: string | undefined;
  if (path !== "" && path !== ".") {
    const place = await findPlace(workspace, path);
    if (!place.ok) return failedOutcome(place.failure);
    below = place.value.path;
  }
  const problems: (FoundProblem & { readonly shown: string })[] = [];
  for (const problem of workspace.problems()) {
    const shown = shownInside(workspace, problem.path);
    if (shown === undefined) continue;
    const real = below === undefined ? "" : await realpath(problem.path).catch(() => problem.path);
    if (below === undefined || real === below || real.startsWith(below + sep))
      problems.push({ ...problem, shown });
  }
  problems.sort(
    (one, other) =>
      ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity) ||
      (one.shown === other.shown ? one.line - other.line : one.shown < other.shown ? -1 : 1),
  );
  return outcome(problems, start);
}

/** What a file is called; undefined when it is in none of the folders, or hidden. */
function shownInside(port: WorkspacePort, path: string): string | undefined {
  for (const folder of port.folders()) {
    const inner = relative(folder.path, path).split(sep).join("/");
    const isInside = inner !== "" && inner !== ".." && !inner.startsWith("../") && !inner.includes(":");
    if (!isInside || isGitInternal(inner) || coveredBy(port.hidden(folder.path))(inner)) continue;
    return shownPath(port, folder, inner);
  }
  return undefined;
}

function outcome(
  problems: readonly (FoundProblem & { readonly shown: string })[],
  start: number,
): ToolOutcome {
  const given = problems
    .slice(start, start + MAX_PROBLEMS)
    .map(({ shown, line, column, severity, message, source, code }) => {
      const who = [source, code].filter((part) => part !== undefined && part !== "").join(" ");
      const told = shorten(visibleLine(message), MAX_MESSAGE);
      return `${shown}:${line}:${column} ${severity}: ${told}${who === "" ? "" : ` (${who})`}`;
    });
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const end = start + given.length;
  const lines = [
    given.length === 0
      ? start === 0
        ? "The editor shows no problems."
        : "No more problems."
      : markUntrusted(given.map(visibleLine).join("\n"), "diagnostics"),
    ...(end < problems.length
      ? [`${end} of ${problems.length}, call get_diagnostics again with start=${end}.`]
      : []),
  ];
  return {
    ok: true,
    content: lines.join("\n"),
    details: {
      summary: `${problems.length} ${problems.length === 1 ? "problem" : "problems"}, ${errors} of them errors`,
      data: { total: problems.length, errors, start, problems: given },
    },
  };
}
