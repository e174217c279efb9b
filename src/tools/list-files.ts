import { stat } from "node:fs/promises";
import { z } from "zod";
import { CANCELLED } from "../agent/failure.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import { UNLISTED } from "./json-schema.ts";
import { failedOutcome, timedTool } from "./memory-access.ts";
import { markUntrusted, visibleLine } from "./web/untrusted.ts";
import type { WorkspaceToolOptions } from "./workspace/options.ts";
import { findPlace, type Place } from "./workspace/places.ts";
import { walk, wantedTest } from "./workspace/walk.ts";

/** Files that one call gives. */
const MAX_FILES = 200;

const parameters = z.object({
  path: z.string().trim().max(4_000).optional(),
  glob: z.string().trim().max(500).optional().describe("Such as *.ts or src/**/*.md"),
  start: z.int().min(0).default(0).meta(UNLISTED),
});

type ListArguments = z.infer<typeof parameters>;

/** The tool `list_files`: the files below a folder, all levels, by their names. */
export function listFiles(options: WorkspaceToolOptions): Tool<ListArguments> {
  return timedTool(
    options,
    {
      name: "list_files",
      aliases: ["list_directory", "find_files", "ls"],
      description: "Lists the files of the open folders, or of one folder in them.",
      parameters,
      readOnly: true,
    },
    run,
  );
}

async function run(
  { workspace }: WorkspaceToolOptions,
  { path = "", glob, start }: ListArguments,
  { signal }: ToolContext,
): Promise<ToolOutcome> {
  const places: Pick<Place, "folder" | "inner">[] = [];
  const isWhole = path === "" || path === ".";
  if (isWhole) places.push(...workspace.folders().map((folder) => ({ folder, inner: "" })));
  else {
    const place = await findPlace(workspace, path);
    if (!place.ok) return failedOutcome(place.failure);
    const found = await stat(place.value.path).catch(() => undefined);
    if (found?.isFile() === true) return listed([place.value.shown], 0, false, true);
    places.push(place.value);
  }
  const wanted = wantedTest(glob);
  const files: string[] = [];
  let [seen, more, whole] = [0, false, true];
  for (const { folder, inner } of places) {
    const walked = await walk(
      workspace,
      // What searches leave out is shown to who asks for it by its folder.
      { folder, inner, asSearch: isWhole, ...(wanted && { wanted }) },
      ({ shown }) => {
        seen += 1;
        if (seen <= start) return true;
        more = files.length === MAX_FILES;
        if (!more) files.push(shown);
        return !more;
      },
      signal,
    );
    if (!walked.ok) return failedOutcome(walked.failure);
    if (signal.aborted) return failedOutcome(CANCELLED);
    whole &&= walked.value;
    if (more) break;
  }
  return listed(files, start, more, whole);
}

function listed(files: readonly string[], start: number, more: boolean, whole: boolean): ToolOutcome {
  const lines = [
    files.length === 0
      ? start === 0
        ? "No files found."
        : "No more files."
      : markUntrusted(files.map(visibleLine).join("\n"), "workspace"),
    ...(more ? [`There are more, call list_files again with start=${start + files.length}.`] : []),
    ...(whole ? [] : ["There is more than one call looks at: name a folder."]),
  ];
  return {
    ok: true,
    content: lines.join("\n"),
    details: {
      summary: `${files.length} ${files.length === 1 ? "file" : "files"}`,
      data: { files, start, more },
    },
  };
}
