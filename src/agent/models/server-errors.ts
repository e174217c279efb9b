import { failure, type Failure, type FailureAction, type FailureCode } from "../failure.ts";
import { CONTEXT_SETTING, notOllama, type ErrorContext } from "./errors.ts";

/** An error as the server put it: a status, 200 for one within a stream, and its words. */
export interface ServerError {
  readonly status: number;
  readonly words: string;
}

interface Rule {
  readonly code: FailureCode;
  /** Matches the server's words; the first rule that matches counts. */
  readonly words?: RegExp;
  readonly status?: readonly number[];
  readonly message: (context: ErrorContext, words: string) => string;
  readonly action?: FailureAction;
  readonly aboutModel?: boolean;
}

/** Ollama's errors, the more telling first. Statuses alone come last: the words say more. */
const RULES: readonly Rule[] = [
  {
    code: "model_missing",
    words: /model .*not found|no such model|pull model manifest: file does not exist/i,
    message: ({ model, host }) =>
      `The model ${model} is not on the Ollama server at ${host}. Pull it, or choose another one.`,
    action: "pull_model",
    aboutModel: true,
  },
  {
    code: "tools_unsupported",
    words: /does not support tools/i,
    message: ({ model }) => `The model ${model} can't call tools by itself.`,
    action: "select_model",
    aboutModel: true,
  },
  {
    code: "thinking_unsupported",
    words: /does not support thinking|think value .* is not supported|invalid think value/i,
    message: ({ model }) =>
      `The model ${model} can't think in the way it was asked to. Change conclave.think.`,
    action: "open_settings",
    aboutModel: true,
  },
  {
    code: "context_overflow",
    words: /context (length|size|window)|input length exceeds|prompt is too long/i,
    message: overflow,
    action: "open_settings",
  },
  {
    code: "tool_call_unparsable",
    words: /error parsing tool call|failed to parse tool call|invalid tool call arguments/i,
    message: ({ model }) => `Ollama could not read the tool call that ${model} wrote.`,
    action: "retry",
  },
  {
    code: "invalid_format",
    words:
      /invalid json schema|invalid format|failed to (load|parse|create) .*grammar|failed to create sampl/i,
    message: ({ model }) => `Ollama refused the answer format that was asked of ${model}.`,
  },
  {
    code: "runner_stopped",
    words: /requires more system memory|out of memory|cudaMalloc failed|insufficient memory/i,
    message: ({ model }, words) =>
      `There is not enough memory for ${model} (${words}). Choose a smaller model, or lower ${CONTEXT_SETTING}.`,
    action: "select_model",
    aboutModel: true,
  },
  {
    code: "runner_stopped",
    words: /runner (process )?(has |no longer |terminated|is )|unexpectedly stopped|runner process/i,
    message: ({ model }) =>
      `Ollama's process for ${model} stopped. This is mostly a lack of memory: ` +
      `ask again, choose a smaller model, or lower ${CONTEXT_SETTING}.`,
    action: "retry",
    aboutModel: true,
  },
  {
    code: "bad_input",
    words: /invalid model name|model is required/i,
    message: ({ model }) => `"${model}" is not a name a model can have. Choose another one.`,
    action: "select_model",
  },
  {
    code: "server_busy",
    words: /server busy|maximum pending requests|server is overloaded/i,
    status: [503],
    message: ({ host }) =>
      `The Ollama server at ${host} has too many requests waiting. Ask again in a moment.`,
    action: "retry",
  },
  {
    code: "rate_limited",
    status: [429],
    message: ({ host }) => `The server at ${host} takes no more requests for now. Ask again later.`,
    action: "retry",
  },
  {
    code: "unauthorized",
    words: /^unauthorized\b/i,
    status: [401, 403, 407],
    message: ({ model, host }) =>
      `The server at ${host} refused ${model === "" ? "the request" : model}: it asks for a sign-in. ` +
      "For cloud models run `ollama signin`; else check the name and password in conclave.ollama.host.",
    action: "check_setup",
  },
];

/**
 * Maps an error of the server, from a status or from within a stream, to a failure with a sentence for people. The
 * server's own words are the cause.
 */
export function fromServer(error: ServerError, context: ErrorContext): Failure {
  const words = error.words.trim().slice(0, 2_000);
  const rule =
    RULES.find((each) => each.words?.test(words)) ??
    RULES.find((each) => each.status?.includes(error.status));
  const cause = error.status === 200 ? words : `HTTP ${error.status}: ${words}`;
  if (rule === undefined) return unknownError(error.status, words, cause, context);
  return failure(rule.code, rule.message(context, firstSentence(words)), {
    ...(rule.action && { action: rule.action }),
    ...(rule.aboutModel && { target: context.model }),
    ...(rule.code === "context_overflow" && { target: CONTEXT_SETTING }),
    cause,
  });
}

function unknownError(status: number, words: string, cause: string, { host }: ErrorContext): Failure {
  if (/^\s*</.test(words) || (status >= 300 && status < 400) || status === 404 || status === 405) {
    return notOllama(host, cause);
  }
  const said = words === "" ? `HTTP ${status}` : firstSentence(words);
  return failure("server_error", `Ollama at ${host} reported an error: ${said}`, { action: "retry", cause });
}

function overflow({ contextLength, estimatedTokens }: ErrorContext): string {
  const window =
    contextLength === undefined ? "the model's context" : `the context of ${grouped(contextLength)} tokens`;
  const size =
    estimatedTokens === undefined ? "" : ` (about ${grouped(estimatedTokens())} tokens by estimate)`;
  return (
    `The question and what goes with it${size} are longer than ${window}. ` +
    `Ask in a new session, give it less, or raise ${CONTEXT_SETTING}.`
  );
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

function firstSentence(words: string): string {
  const line = words.split("\n", 1)[0] ?? "";
  return line.length > 300 ? `${line.slice(0, 300)}...` : line;
}

/** Takes the words out of an error body: `{"error": "..."}`, `{"error": {"message": "..."}}`, or plain text. */
export function errorWords(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return wordsOf(value) ?? body;
  } catch {
    return body;
  }
}

/** The words of an error value as it stands in a stream or a body, if it is one. */
export function wordsOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if ("error" in value) {
    if (typeof value.error === "string") return value.error;
    return wordsOf(value.error) ?? JSON.stringify(value.error);
  }
  return "message" in value && typeof value.message === "string" ? value.message : undefined;
}
