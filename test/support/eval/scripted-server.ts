import { success } from "../../../src/agent/failure.ts";
import { find, type Pattern } from "../../../src/cli/eval/case/pattern.ts";
import type { ScriptRule, ScriptWhen } from "../../../src/cli/eval/case/script.ts";
import type { ModelServer } from "../../../src/cli/eval/model-server.ts";
import * as ollama from "../ollama/index.ts";
import type { ChatBody, ReplyStep, ReplySteps } from "../ollama/index.ts";

/** The model that a script plays. */
export const SCRIPTED_MODEL = "scripted:latest";

/**
 * A server for each run that replies as the case's script says, over real HTTP. A request that no rule fits fails with
 * a status, and the run is told of it.
 */
export function scriptedServer(options: ollama.ScriptedOllamaOptions = {}): ModelServer {
  return {
    kind: "scripted",
    model: SCRIPTED_MODEL,
    note: "Embeddings were made by a stand-in that knows words and no meaning.",
    // Without a model that reads turns, memory learns by rules, at once.
    settings: { "conclave.memory.extraction": "rules" },
    start: async ({ case: { script = [], name } }) => {
      const missing: string[] = [];
      const rules = script.map((rule) => ({ rule, left: rule.times ?? (rule.when ? Infinity : 1) }));
      const server = await ollama.startScriptedOllama({
        ...options,
        script: ({ body }) => {
          const fitting = (one: (typeof rules)[number], conditional: boolean): boolean =>
            one.left > 0 &&
            (one.rule.when !== undefined) === conditional &&
            (one.rule.when === undefined || fits(one.rule.when, body));
          const next = rules.find((one) => fitting(one, true)) ?? rules.find((one) => fitting(one, false));
          if (next === undefined) {
            const last = body.messages.at(-1)?.content ?? "";
            missing.push(`the script has no reply to a request that ends with "${last.slice(-200)}"`);
            return [ollama.httpError(500, `the script of "${name}" has no reply left for this request`)];
          }
          next.left -= 1;
          return stepsOf(next.rule);
        },
      });
      return success({
        host: server.host,
        model: SCRIPTED_MODEL,
        unanswered: () => missing,
        close: () => server.close(),
      });
    },
  };
}

function fits(when: ScriptWhen, body: ChatBody): boolean {
  const { messages } = body;
  const last = messages.at(-1);
  const question = messages.findLast(({ role }) => role === "user")?.content ?? "";
  const all = messages.map(({ content }) => content).join("\n\n");
  const tools = body.tools.map((tool) => tool.function.name);
  const format = body.format === undefined ? "" : JSON.stringify(body.format);
  const { seed, temperature } = body.options;
  return (
    holds(when.last, last?.content ?? "") &&
    holds(when.question, question) &&
    holds(when.prompt, all) &&
    (when.not_prompt ?? []).every((pattern) => find(pattern, all) === false) &&
    (when.after === undefined || (last?.role === "tool" && last.tool_name === when.after)) &&
    (when.offers ?? []).every((tool) => tools.includes(tool)) &&
    !(when.not_offers ?? []).some((tool) => tools.includes(tool)) &&
    (when.schema ?? []).every((pattern) => hasSchema(pattern, format)) &&
    (when.model === undefined || body.model === when.model) &&
    (when.seed === undefined || seed === when.seed) &&
    (when.temperature === undefined || String(temperature) === when.temperature)
  );
}

function hasSchema(pattern: Pattern, format: string): boolean {
  if (pattern.source === "true") return format !== "";
  if (pattern.source === "false") return format === "";
  return find(pattern, format) === true;
}

function holds(patterns: readonly Pattern[] | undefined, text: string): boolean {
  return (patterns ?? []).every((pattern) => find(pattern, text) === true);
}

function stepsOf(rule: ScriptRule): ReplySteps {
  const { think, say, call = [], json, error, cut, hang } = rule;
  const steps: ReplyStep[] = [
    ...(think === undefined ? [] : ollama.thinkingWords(think)),
    ...(say === undefined ? [] : ollama.words(say)),
    ...(json === undefined ? [] : [ollama.text(JSON.stringify(json))]),
    ...(call.length === 0
      ? []
      : [ollama.toolCalls(...call.map(({ tool, arguments: given }) => ollama.call(tool, given)))]),
  ];
  if (hang === true) return [...steps, ollama.wait(new Promise(() => undefined))];
  if (error !== undefined)
    return [...steps, steps.length === 0 ? ollama.httpError(rule.status, error) : ollama.errorLine(error)];
  return [
    ...steps,
    ollama.done({
      done_reason: cut === true ? "length" : "stop",
      ...(rule.input_tokens !== undefined && { prompt_eval_count: rule.input_tokens }),
      ...(rule.output_tokens !== undefined && { eval_count: rule.output_tokens }),
    }),
  ];
}
