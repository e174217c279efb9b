import { messageTokens, messagesTokens, toolTokens } from "../context.ts";
import type { Run } from "../loop/types.ts";
import type { ChatRequest } from "../models/types.ts";

/** Plain estimated tokens of a request as it is sent, tools included. */
export function requestTokens({ messages, tools }: Pick<ChatRequest, "messages" | "tools">): number {
  return messagesTokens(messages) + (tools === undefined ? 0 : toolTokens(tools));
}

/** `requestTokens` of a request whose messages are those of the run as they are: the past was counted before. */
export function sentTokens({ input, recalled, own }: Run, { tools }: Pick<ChatRequest, "tools">): number {
  const { prompt, context } = input;
  const around = [prompt.system, prompt.question, ...(recalled ? [recalled] : []), ...own];
  return context.past.tokens + requestTokens({ messages: around, ...(tools && { tools }) });
}

/** Tells how the context is shared out in the request that is about to be sent. The parts make up its estimate. */
export function emitBudget(run: Run, stepId: string): void {
  const { prompt, context, referenceTokens } = run.input;
  const { calibration, contextLength, limits, past } = context;
  const system = messageTokens(prompt.system);
  const memory = run.recalled === undefined ? 0 : messageTokens(run.recalled);
  const references = Math.min(referenceTokens, messageTokens(prompt.question));
  const question = messageTokens(prompt.question) - references;
  const steps = messagesTokens(run.own);
  const named = system + past.tokens + memory + references + question + steps;
  // What is left is how the protocol tells of the tools, wherever it puts that.
  const tools = Math.max(0, run.estimate - named);
  const counted = (tokens: number): number => Math.round(tokens * calibration);
  run.deps.emitter.emit(
    "context.budget",
    { parentId: stepId, stepId },
    {
      "conclave.context_length": contextLength,
      parts: {
        system: counted(system),
        tools: counted(tools),
        history: counted(past.tokens),
        memory: counted(memory),
        references: counted(references),
        question: counted(question),
        steps: counted(steps),
        answer: limits.answer,
      },
      calibration: Math.round(calibration * 1_000) / 1_000,
    },
  );
}

/** Learns from what the server counted, and warns with numbers when it seems to have cut the prompt. */
export function noteCount(run: Run, stepId: string, counted: number | undefined): void {
  if (counted === undefined || counted <= 0) return;
  const { contextLength, calibration, told } = run.input.context;
  const { truncated } = run.deps.counts.counted({ estimate: run.estimate, counted, contextLength });
  if (!truncated || told.has("truncated")) return;
  told.add("truncated");
  const expected = Math.round(run.estimate * calibration);
  run.deps.emitter.warn(
    "prompt_truncated",
    `The server seems to have cut the prompt: it counted ${counted} tokens where about ${expected} were sent, with a context of ${contextLength}. The answer may have missed the beginning of the conversation.`,
    { estimate: expected, counted, num_ctx: contextLength },
    stepId,
  );
}
