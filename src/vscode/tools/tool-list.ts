import type { ToolSchema } from "../../agent/models/types.ts";
import type { ToolRegistry } from "../../tools/registry.ts";
import type { ToolInfo } from "../../trace/activity/records.ts";
import { oneLine } from "../../trace/text.ts";

const MAX_DESCRIPTION = 200;

/** All tools as a list for people: our own with why one is off, then the editor's, which agents have to name. */
export function listTools(own: ToolRegistry, editors: readonly ToolSchema[]): readonly ToolInfo[] {
  const off = new Map(own.disabled().map(({ name, failure }) => [name, failure.message]));
  const tools = own.names().flatMap((name): readonly ToolInfo[] => {
    const tool = own.get(name);
    if (tool === undefined) return [];
    const reason = off.get(name);
    return [
      {
        name,
        aliases: tool.aliases ?? [],
        description: firstSentence(tool.description),
        state: reason === undefined ? "on" : "off",
        ...(reason !== undefined && { reason }),
      },
    ];
  });
  const named = editors.map(({ name, description }): ToolInfo => ({
    ...{ name, aliases: [], description: firstSentence(description), state: "named" },
  }));
  return [...tools, ...named];
}

function firstSentence(text: string): string {
  return oneLine(/^.*?[.!?](?=\s|$)/su.exec(text)?.[0] ?? text, MAX_DESCRIPTION);
}
