/**
 * The scripted server in a process of its own, so that what it costs is not taken for what its client costs. Answers a
 * question of the loop with `steps` tool calls, one a request, then with text; a stamp begins with the time.
 */
import {
  delay,
  done,
  framing,
  gate,
  startScriptedOllama,
  text,
  thinkingWords,
  toolCall,
  wait,
  words,
} from "../../test/support/ollama/index.ts";
import type { ChatRequestView, ReplyStep } from "../../test/support/ollama/index.ts";
import { speech } from "./committee-script.ts";
import type { ServerPlan } from "./server.ts";

const plan = JSON.parse(process.argv[2] ?? "") as ServerPlan;

/** What the model thinks before each call: as much as fills some lines. */
const THOUGHT = "The next number is needed, so the tool is called once more with it.";

function script(view: ChatRequestView): ReplyStep[] {
  const { body } = view;
  if (plan.kind === "committee") return speech(view);
  if (plan.kind === "stamp") {
    // The same clock is read in all processes; the pieces after it keep the stream going.
    return [framing({ lines: 1 }), text(`${process.hrtime.bigint()} `), ...words("and so on"), done()];
  }
  if (plan.kind === "critic") {
    // A model of some size takes so long to its first word.
    const answer = [delay(200), ...words("The tide turns at noon, and at dusk again."), done()];
    return body.format === undefined ? answer : [text('{"feedback":"Well'), wait(gate()), done()];
  }
  const made = body.messages.filter(({ role }) => role === "tool").length;
  if (made >= plan.steps) return [...words("All numbers were added."), done()];
  return [
    ...thinkingWords(THOUGHT),
    toolCall("add_number", { number: made + 1, note: "of the list" }),
    done(),
  ];
}

const server = await startScriptedOllama({
  models: [{ name: "scripted", loaded: true, contextLength: 131_072 }],
  script,
  keepRequests: 1,
});
process.send?.(server.host);
process.once("message", () => void server.close().then(() => process.disconnect()));
