/** A committee by `fetch` and nothing else: no checks, no events, no log. What ours is compared to. */
import {
  AGREEMENT_TASK,
  FIRST_RULE,
  LATER_RULE,
  SYNTHESIS_RULE,
  ownPart,
} from "../../src/agent/committee/words.ts";
import type { AgentDefinition } from "../../src/agent/agents/definition.ts";
import { systemMessage } from "../../src/agent/prompt.ts";
import type { ChatMessage, ToolSchema } from "../../src/agent/models/types.ts";

/** What a committee is convened with. */
export interface RawCommittee {
  readonly host: string;
  readonly members: readonly AgentDefinition[];
  readonly synthesizer: AgentDefinition;
  readonly tools: readonly ToolSchema[];
  readonly history: readonly ChatMessage[];
  readonly question: string;
}

/** What every prompt of ours begins with. */
const RULES: ChatMessage = { role: "system", content: systemMessage("").content };

const AGREED = { type: "object", properties: { agree: { type: "boolean" } }, required: ["agree"] };

/** Two rounds with a judgement between them, then the synthesis. Gives the number of requests. */
export async function rawCommittee(committee: RawCommittee): Promise<number> {
  const { members, synthesizer } = committee;
  const first = await round(committee, [], FIRST_RULE);
  const judged = await ask(committee, [...first, AGREEMENT_TASK], AGREED);
  const { agree } = JSON.parse(judged) as { readonly agree: boolean };
  const second = agree ? [] : await round(committee, first, LATER_RULE);
  const own = ownPart(synthesizer.name, synthesizer.prompt);
  const answer = await ask(committee, [...first, ...second, SYNTHESIS_RULE, own]);
  if (answer === "") throw new Error("the raw committee has no answer");
  return 2 + members.length * (agree ? 1 : 2);
}

/** One speech of each member, behind what was said before. */
async function round(committee: RawCommittee, heard: readonly string[], rule: string): Promise<string[]> {
  const speeches: string[] = [];
  for (const { name, prompt } of committee.members) {
    speeches.push(await ask(committee, [...heard, rule, ownPart(name, prompt)]));
  }
  return speeches;
}

async function ask(
  { host, tools, history, question }: RawCommittee,
  behind: readonly string[],
  format?: object,
): Promise<string> {
  const body = {
    model: "scripted",
    messages: [RULES, ...history, { role: "user", content: [question, ...behind].join("\n\n") }],
    tools: tools.map((tool) => ({ type: "function", function: tool })),
    ...(format && { format }),
    think: false,
    options: { num_ctx: 32_768, num_predict: 8_192 },
    keep_alive: "30m",
    stream: true,
    truncate: false,
    shift: false,
  };
  const response = await fetch(`${host}/api/chat`, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok || response.body === null) throw new Error(await response.text());
  const decoder = new TextDecoder();
  let [rest, answer] = ["", ""];
  for await (const bytes of response.body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      answer += (JSON.parse(line) as { readonly message: { readonly content: string } }).message.content;
    }
  }
  return answer;
}
