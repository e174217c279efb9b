import { existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { JsonObject } from "../../src/agent/models/types.ts";
import type { Tool, ToolSet } from "../../src/agent/tool.ts";
import { argumentsSchema } from "../../src/tools/json-schema.ts";
import { ROOT } from "./build.ts";

const Call = z.object({
  /** Null: the tool's name can't be known. */
  name: z.string().nullable(),
  arguments: z.record(z.string(), z.json()),
});
const Case = z.object({
  id: z.string(),
  raw: z.string(),
  tools: z.array(z.string()),
  /** The calls in it; none when it is an answer; null when it is to be turned down. */
  expect: z.array(Call).nullable(),
});

/** A text that a model gave, and what is to be made of it. */
export type ToolCallCase = z.infer<typeof Case>;

/** Where the texts lie: the given file, else a folder beside the checkout; undefined when not there. */
export function findToolCalls(data: string | undefined): string | undefined {
  // Other figures read files of another form.
  const given = data?.endsWith(".json") === true ? undefined : data;
  const path = given ?? join(ROOT, "..", "shared", "data", "toolcalls");
  if (!existsSync(path)) return undefined;
  return statSync(path).isDirectory() ? join(path, "malformed.jsonl") : path;
}

/** Reads a file of one case a line. */
export async function readToolCalls(file: string): Promise<readonly ToolCallCase[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => Case.parse(JSON.parse(line)));
}

/** Arguments of tools that such texts call: what a real tool of that name takes. */
const USUAL: Readonly<Record<string, z.ZodObject>> = {
  get_weather: z.object({ city: z.string(), units: z.string().optional() }),
  read_file: z.object({ path: z.string() }),
  write_file: z.object({ path: z.string(), content: z.string(), encoding: z.string().optional() }),
  web_search: z.object({ query: z.string() }),
};

/** The tools that a case names. Those that only look something up are read-only; each run is told to `onRun`. */
export function toolsOf(
  { tools }: ToolCallCase,
  all: readonly ToolCallCase[],
  onRun: (name: string) => void,
): ToolSet {
  const made = tools.map((name): Tool => {
    return {
      name,
      description: `What ${name} does.`,
      parameters: USUAL[name] ?? seenArguments(name, all),
      readOnly: !/^(?:write|save|delete|remove|create|update|run|send)/.test(name),
      timeoutMs: 1_000,
      run: () => {
        onRun(name);
        return Promise.resolve({ ok: true, content: "done", details: { summary: "done" } });
      },
    };
  });
  const schemas = made.map((tool) => {
    const { name, description } = tool;
    return { name, description, parameters: argumentsSchema(tool) satisfies JsonObject };
  });
  return { schemas, find: (name) => made.find((tool) => tool.name === name) };
}

/** Arguments of a tool that is not known: those it is called with. */
function seenArguments(name: string, all: readonly ToolCallCase[]): z.ZodObject {
  const calls = all.flatMap(({ expect }) => expect ?? []).filter((call) => call.name === name);
  const names = new Set(calls.flatMap((call) => Object.keys(call.arguments)));
  return z.object(Object.fromEntries([...names].map((one) => [one, z.json().optional()])));
}
