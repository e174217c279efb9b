/**
 * A chat by `fetch` and nothing else: no checks, no events, no log. What everything is compared to. It sends what ours
 * sends, the rules in the system message and the ids of calls included: what a server takes to read them is not ours.
 */
import { systemMessage } from "../../src/agent/prompt.ts";

interface RawMessage {
  role: string;
  content: string;
  thinking?: string;
  tool_calls?: { id: string; function: { name: string; arguments: Record<string, unknown> } }[];
  tool_name?: string;
  tool_call_id?: string;
}

interface RawLine {
  readonly message: RawMessage;
  readonly done: boolean;
}

/** What every prompt of ours begins with. */
const RULES: RawMessage = { role: "system", content: systemMessage("").content };

/** The tool that the loop calls, as a model is told of it. */
export const RAW_TOOL = {
  type: "function",
  function: {
    name: "add_number",
    description: "Adds a number to the sum and says what the sum is.",
    parameters: {
      type: "object",
      properties: { number: { type: "number" }, note: { type: "string" } },
      required: ["number"],
    },
  },
};

/** Sends a request and gives each line of the answer as it comes. */
export async function* rawChat(host: string, messages: readonly RawMessage[]): AsyncGenerator<RawLine> {
  const body = {
    model: "scripted",
    messages: [RULES, ...messages],
    tools: [RAW_TOOL],
    think: true,
    options: { num_ctx: 32_768, num_predict: 8_192 },
    keep_alive: "30m",
    stream: true,
    truncate: false,
    shift: false,
  };
  const response = await fetch(`${host}/api/chat`, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok || response.body === null) throw new Error(await response.text());
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as RawLine;
  }
}

/** A whole turn: asks, runs the tool, asks again, until there is an answer. Gives the number of requests. */
export async function rawTurn(host: string, question: string): Promise<number> {
  const messages: RawMessage[] = [{ role: "user", content: question }];
  let sum = 0;
  for (let requests = 1; ; requests += 1) {
    const answer: Required<Pick<RawMessage, "content" | "thinking" | "tool_calls">> & RawMessage = {
      role: "assistant",
      content: "",
      thinking: "",
      tool_calls: [],
    };
    for await (const { message } of rawChat(host, messages)) {
      answer.content += message.content;
      answer.thinking += message.thinking ?? "";
      if (message.tool_calls) answer.tool_calls.push(...message.tool_calls);
    }
    if (answer.tool_calls.length === 0) return requests;
    messages.push(answer);
    for (const call of answer.tool_calls) {
      sum += Number(call.function.arguments["number"]);
      const { name } = call.function;
      messages.push({ role: "tool", content: `The sum is ${sum}.`, tool_name: name, tool_call_id: call.id });
    }
  }
}
