import { CANCELLED, describeError, failure, type Failure } from "../failure.ts";
import { HOST_SETTING } from "./host.ts";
import type { TimeLimitName, TransportFault } from "./transport.ts";

/** The setting that holds the time limit of a request, named in messages. */
const TIMEOUT_SETTING = "conclave.requestTimeout";
/** The setting that holds the context length, named in messages. */
export const CONTEXT_SETTING = "conclave.contextLength";

/** What a message about a failed request can name. */
export interface ErrorContext {
  /** The server's address for people. */
  readonly host: string;
  /** The model asked for; empty for requests that are about none. */
  readonly model: string;
  /** True where the time limits are not the user's to change. */
  readonly isFixed?: boolean;
  /** Tokens of context the request had. */
  readonly contextLength?: number;
  /** Our estimate of the request's size in tokens; only made when an error needs it. */
  readonly estimatedTokens?: () => number;
}

const LIMITS: { readonly [name in TimeLimitName]: string } = {
  connect: "the limit for connecting",
  first_byte: "the limit for the first answer, loading the model and reading the prompt included",
  idle: "the limit between two pieces of an answer",
};

/** Puts a failed exchange in words. */
export function fromFault(fault: TransportFault, context: ErrorContext): Failure {
  switch (fault.kind) {
    case "cancelled":
      return CANCELLED;
    case "timeout":
      return timedOut(fault.limit, fault.ms, context);
    case "unreachable":
      return unreachable(fault.error, context);
    case "broken":
      return broken(fault.received, fault.error, context);
  }
}

function timedOut(limit: TimeLimitName, ms: number, { host, model, isFixed }: ErrorContext): Failure {
  const seconds = `${Math.round(ms / 100) / 10} s`;
  const who = model === "" ? `Ollama at ${host}` : `${model} at ${host}`;
  const what = `${who} did not answer within ${seconds} (${LIMITS[limit]}).`;
  const cause = `${limit} limit of ${ms} ms`;
  if (isFixed === true && limit !== "connect") {
    return failure("timeout", `${what} It may be busy: ask again in a moment.`, { action: "retry", cause });
  }
  const setting = limit === "connect" ? HOST_SETTING : TIMEOUT_SETTING;
  const cure =
    limit === "connect" ? `Check that it runs, and ${setting}.` : `Raise ${setting} if it needs longer.`;
  return failure("timeout", `${what} ${cure}`, { action: "open_settings", target: setting, cause });
}

function unreachable(error: unknown, { host }: ErrorContext): Failure {
  const code = errorCode(error);
  const cause = describeError(error);
  if (code === "ECONNREFUSED") {
    return failure(
      "server_unreachable",
      `Ollama is not running at ${host}. Start it, or change ${HOST_SETTING}.`,
      {
        action: "start_ollama",
        target: host,
        cause,
      },
    );
  }
  const why =
    UNREACHABLE_REASONS.find(([pattern]) => pattern.test(`${code} ${cause}`))?.[1] ??
    "no connection was made";
  return failure("server_unreachable", `Ollama can't be reached at ${host}: ${why}. Check ${HOST_SETTING}.`, {
    action: "open_settings",
    target: HOST_SETTING,
    cause,
  });
}

const UNREACHABLE_REASONS: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, "the name is not known on this network"],
  [/EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/, "there is no way to that address from here"],
  [/ETIMEDOUT|CONNECT_TIMEOUT/, "nothing answered there"],
  [/CERT|SELF_SIGNED|UNABLE_TO/, "its certificate is not trusted"],
  [/EPROTO|SSL|TLS/, "it does not speak https"],
];

function broken(received: boolean, error: unknown, { host }: ErrorContext): Failure {
  const cause = describeError(error);
  if (error instanceof Error && error.name === "HTTPParserError") return notOllama(host, cause);
  const when = received ? "in the middle of its answer" : "before it answered";
  return failure(
    "stream_broken",
    `The connection to Ollama at ${host} ended ${when}. Ask again; if it happens every time, look at Ollama's log.`,
    { action: "retry", cause },
  );
}

/** The stream ended, or brought something that isn't Ollama's, before the model was done. */
export function brokenStream(what: string, context: ErrorContext): Failure {
  return failure(
    "stream_broken",
    `The answer of ${context.model} broke off: ${what}. Ask again; if it happens every time, look at Ollama's log.`,
    { action: "retry", cause: what },
  );
}

/** Something else than Ollama answers at the address. */
export function notOllama(host: string, cause: string): Failure {
  return failure("server_error", `What answers at ${host} is not Ollama. Check ${HOST_SETTING}.`, {
    action: "open_settings",
    target: HOST_SETTING,
    cause: cause.slice(0, 500),
  });
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  if (typeof code === "string") return code;
  // A name with several addresses fails with one error for each.
  return Array.isArray(errors) ? errorCode(errors[0]) : errorCode(error.cause);
}
