import { z } from "zod";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import { UNLISTED } from "./json-schema.ts";
import { failedOutcome, timedTool } from "./memory-access.ts";
import { shorten } from "./web/page.ts";
import { markUntrusted, visibleLine } from "./web/untrusted.ts";
import type { WorkspaceToolOptions } from "./workspace/options.ts";
import { readText } from "./workspace/text.ts";
import { walk, wantedTest, type FoundFile } from "./workspace/walk.ts";

/** Lines that one call gives, of one file and together. */
const MAX_OF_FILE = 10;
const MAX_LINES = 50;
const MAX_LINE = 240;
/** Text around the find that is shown before it, in UTF-16 units. */
const BEFORE = 80;

const parameters = z.object({
  query: z.string().min(1).max(500).describe("Plain text, no pattern"),
  glob: z.string().trim().max(500).optional().describe("Such as *.ts or src/**/*.md"),
  start: z.int().min(0).default(0).meta(UNLISTED),
});

type SearchArguments = z.infer<typeof parameters>;

/** The tool `search_files`: lines of the open folders' files that hold a text, with their places. */
export function searchFiles(options: WorkspaceToolOptions): Tool<SearchArguments> {
  return timedTool(
    options,
    {
      name: "search_files",
      aliases: ["grep", "search_code", "find_in_files", "text_search"],
      description: "Finds lines of the open folders' files that hold a text.",
      parameters,
      readOnly: true,
    },
    run,
  );
}

async function run(
  { workspace }: WorkspaceToolOptions,
  { query, glob, start }: SearchArguments,
  { signal }: ToolContext,
): Promise<ToolOutcome> {
  const wanted = wantedTest(glob);
  const lines: string[] = [];
  let [seen, searched, more, whole] = [0, 0, false, true];
  const look = async ({ path, shown }: FoundFile): Promise<boolean> => {
    searched += 1;
    const unsaved = workspace.unsaved(path);
    const text =
      unsaved === undefined ? await readText(path, shown, signal) : { ok: true as const, value: unsaved };
    if (!text.ok) return true;
    for (const found of finds(text.value, query)) {
      seen += 1;
      if (seen <= start) continue;
      more = lines.length === MAX_LINES;
      if (more) return false;
      lines.push(visibleLine(`${shown}:${found}`));
    }
    return true;
  };
  for (const folder of workspace.folders()) {
    const where = { folder, inner: "", asSearch: true, ...(wanted && { wanted }) };
    const walked = await walk(workspace, where, look, signal);
    if (!walked.ok) return failedOutcome(walked.failure);
    whole &&= walked.value;
    if (more) break;
  }
  return outcome(lines, { start, searched, more, whole });
}

/** Line number and the text around each find, of one file at most ten. */
function* finds(text: string, query: string): Generator<string> {
  const sensitive = query !== query.toLowerCase();
  const [held, wanted] = sensitive ? [text, query] : [text.toLowerCase(), query.toLowerCase()];
  if (!held.includes(wanted)) return;
  let given = 0;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const at = (sensitive ? line : line.toLowerCase()).indexOf(wanted);
    if (at < 0) continue;
    yield `${index + 1}: ${shorten(line.slice(Math.max(0, at - BEFORE)).trim(), MAX_LINE)}`;
    given += 1;
    if (given === MAX_OF_FILE) return;
  }
}

interface Searched {
  readonly start: number;
  readonly searched: number;
  readonly more: boolean;
  readonly whole: boolean;
}

function outcome(lines: readonly string[], { start, searched, more, whole }: Searched): ToolOutcome {
  const told = [
    lines.length === 0
      ? start === 0
        ? "No line holds it."
        : "No more lines hold it."
      : markUntrusted(lines.join("\n"), "workspace"),
    ...(more ? [`There are more, call search_files again with start=${start + lines.length}.`] : []),
    ...(whole ? [] : ["There are more files than one call looks at: name some with glob."]),
  ];
  return {
    ok: true,
    content: told.join("\n"),
    details: {
      summary: `${lines.length} ${lines.length === 1 ? "line" : "lines"} of ${searched} files`,
      data: { lines, searched, start, more },
    },
  };
}
