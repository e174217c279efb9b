import type { MemoryPort } from "../../src/agent/memory/port.ts";
import type { ToolOutcome, ToolSet } from "../../src/agent/tool.ts";
import { createTools, DEFAULT_TOOL_SETTINGS } from "../../src/tools/index.ts";
import { inlineReader } from "../../src/tools/web/read-document.ts";
import { randomFrom } from "./memory-data.ts";
import { plainText } from "./plain-words.ts";

/** Words that a call finds. */
const FOUND_WORDS = 100;

/** The product's tools as models are told of them, web tools included; whatever is called finds a text of its own. */
export function offeredTools(): ToolSet {
  const registry = createTools({
    memory: NOWHERE,
    settings: () => ({
      ...DEFAULT_TOOL_SETTINGS,
      fetchEnabled: true,
      searchEnabled: true,
      searchProvider: "mock",
    }),
    searchAccess: () => ({}),
    reader: inlineReader,
  });
  const { schemas } = registry.toolSet();
  let found = 0;
  const run = (): Promise<ToolOutcome> => {
    found += 1;
    const content = plainText(randomFrom(found), FOUND_WORDS);
    return Promise.resolve({ ok: true, content, details: { summary: "1 of 1 given" } });
  };
  const tools = new Map(
    schemas.flatMap(({ name }) => {
      const tool = registry.get(name);
      return tool === undefined ? [] : [[name, { ...tool, run }] as const];
    }),
  );
  return { schemas, find: (name) => tools.get(name) };
}

/** A memory that must not be asked. */
const NOWHERE = new Proxy({} as MemoryPort, {
  get: (_, name) => {
    throw new Error(`memory was asked for ${String(name)}`);
  },
});
