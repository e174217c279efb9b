import type { ChatRequest } from "../../../../src/agent/models/types.ts";

/** Requests as a template would put them, without the system message, whose words are tested elsewhere. */
export function rendered(requests: readonly ChatRequest[]): string {
  return requests.map((request, index) => `=== request ${index + 1} ===\n${prompt(request)}\n`).join("\n");
}

function prompt({ messages, tools, format, think }: ChatRequest): string {
  const heads = [
    ...(tools === undefined ? [] : [`tools: ${tools.map(({ name }) => name).join(", ")}`]),
    ...(format === undefined ? [] : [`format: ${JSON.stringify(format)}`]),
    `think: ${String(think)}`,
  ];
  const said = messages
    .filter(({ role }) => role !== "system")
    .map(({ role, content }) => `[${role}]\n${content}`);
  return [...heads, ...said].join("\n");
}

/** A prompt as one text, in the order in which templates put it: tools, system message, conversation. */
export function wholePrompt({ messages, tools = [] }: ChatRequest): string {
  return [JSON.stringify(tools), ...messages.map(({ role, content }) => `<${role}>${content}`)].join("\n");
}

/** How many characters two texts have in common from their beginning. */
export function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
