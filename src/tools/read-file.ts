import { join } from "node:path";
import { z } from "zod";
import { failed, success, type Result } from "../agent/failure.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import { failedOutcome, timedTool } from "./memory-access.ts";
import { shorten } from "./web/page.ts";
import { markUntrusted } from "./web/untrusted.ts";
import type { WorkspaceToolOptions } from "./workspace/options.ts";
import { findPlace } from "./workspace/places.ts";
import { readText } from "./workspace/text.ts";

/** Lines and text (UTF-16 units) of one part. */
const MAX_LINES = 400;
const MAX_CHARACTERS = 16_000;
const MAX_LINE = 2_000;

const line = z.int().min(1).optional();
const parameters = z.object({
  path: z.string().trim().min(1).max(4_000),
  start: line.describe("First line"),
  end: line.describe("Last line"),
});

type ReadArguments = z.infer<typeof parameters>;

/** Some lines of a text; numbers from 1. */
interface Part {
  readonly lines: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly total: number;
}

/** The tool `read_file`: lines of a text file in the open folders, numbered, part by part. */
export function readFile(options: WorkspaceToolOptions): Tool<ReadArguments> {
  return timedTool(
    options,
    {
      name: "read_file",
      aliases: ["open_file", "view_file", "cat"],
      description: "Reads a text file of the open folders, with line numbers.",
      parameters,
      readOnly: true,
    },
    run,
  );
}

async function run(
  { workspace }: WorkspaceToolOptions,
  { path, start, end }: ReadArguments,
  { signal }: ToolContext,
): Promise<ToolOutcome> {
  const place = await findPlace(workspace, path);
  if (!place.ok) return failedOutcome(place.failure);
  const { shown, folder, inner } = place.value;
  // An editor knows a file by the path it was opened with, be there links in it or not.
  const unsaved = workspace.unsaved(join(folder.path, inner)) ?? workspace.unsaved(place.value.path);
  const text = unsaved === undefined ? await readText(place.value.path, shown, signal) : success(unsaved);
  if (!text.ok) return failedOutcome(text.failure);
  const part = partOf(text.value, shown, start ?? 1, end);
  return part.ok ? outcome(shown, part.value, unsaved !== undefined) : failedOutcome(part.failure);
}

function partOf(text: string, name: string, start: number, end: number | undefined): Result<Part> {
  const all = text.split(/\r?\n/);
  // The end of the last line begins no line.
  if (all.length > 1 && all.at(-1) === "") all.pop();
  if (end !== undefined && end < start) return failed("tool_arguments", "end must not be before start.");
  if (start > all.length) return failed("bad_input", `"${name}" has ${all.length} lines.`);
  const lines: string[] = [];
  let length = 0;
  for (const line of all.slice(start - 1, Math.min(end ?? all.length, start - 1 + MAX_LINES))) {
    const kept = shorten(line, MAX_LINE);
    length += kept.length + 1;
    if (length > MAX_CHARACTERS && lines.length > 0) break;
    lines.push(kept);
  }
  return success({ lines, start, end: start + lines.length - 1, total: all.length });
}

function outcome(name: string, { lines, start, end, total }: Part, isUnsaved: boolean): ToolOutcome {
  const width = String(end).length;
  const numbered = lines.map((line, index) => `${String(start + index).padStart(width)}  ${line}`);
  const hint =
    end < total
      ? `Lines ${start}-${end} of ${total}, call read_file again with start=${end + 1} for more.`
      : `Lines ${start}-${end} of ${total}: the end of the file.`;
  const note = isUnsaved ? ["As it stands in the editor, with changes that are not saved."] : [];
  return {
    ok: true,
    content: [...note, markUntrusted(numbered.join("\n"), name), hint].join("\n"),
    details: {
      summary: `${name}, lines ${start}-${end} of ${total}`,
      data: { path: name, start, end, total, unsaved: isUnsaved },
    },
  };
}
