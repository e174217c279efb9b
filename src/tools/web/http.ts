import { Agent, request as send, type Dispatcher } from "undici";
import {
  CANCELLED,
  describeError,
  failed,
  failure,
  success,
  type Failure,
  type Result,
} from "../../agent/failure.ts";
import { ADDRESS_REFUSED, type AddressGuard } from "./address-guard.ts";
import { proxyAgent, proxyFor } from "./proxy.ts";
import { ACCEPTED_ENCODINGS, readUnfolded } from "./unfold.ts";

/** What is asked of a server. */
export interface HttpRequest {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Upper bound of the body in bytes, counted after decompression; what comes beyond is not read. */
  readonly maxBytes: number;
  /** For everything together: redirects, headers and body. */
  readonly timeoutMs: number;
  /** Redirects followed; 0 gives the redirect itself as the response. */
  readonly maxRedirects: number;
  /** Judges every address and what it resolves to. Left out: any address, for servers the user named himself. */
  readonly guard?: AddressGuard;
  /** Address of the proxy that leads out, as the user set it; left out: what the environment says. */
  readonly proxy?: string | undefined;
  /** Says by the status whether the body is read at all; left out: always. */
  readonly wantsBody?: (status: number) => boolean;
}

/** What a server answered, whatever the status. */
export interface HttpResponse {
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** True when the body was longer than the bound and only its beginning is here. */
  readonly cut: boolean;
}

/** Sent with every request; several search engines and sites refuse requests without these. */
const COMMON_HEADERS = {
  "user-agent": "Mozilla/5.0 (compatible; Conclave/0.1; local assistant)",
  accept:
    "text/html,application/xhtml+xml,application/json;q=0.9,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.5",
  "accept-language": "en;q=0.9,*;q=0.5",
  "accept-encoding": ACCEPTED_ENCODINGS,
} as const;

/**
 * One exchange over HTTP. Never throws: address refused, time-out, cancel and broken connections are failures. Every
 * redirect is judged by the guard like the first address. Stops within a moment of the signal.
 */
export async function httpRequest(request: HttpRequest, signal: AbortSignal): Promise<Result<HttpResponse>> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  try {
    return await followRedirects(request, either);
  } catch (error) {
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    if (timeout.aborted) return { ok: false, failure: tooSlow(request) };
    return { ok: false, failure: connectionFailure(request, error) };
  }
}

async function followRedirects(request: HttpRequest, signal: AbortSignal): Promise<Result<HttpResponse>> {
  let address = request.url;
  for (let hop = 0; ; hop += 1) {
    const checked = checkAddress(address, request.guard);
    if (!checked.ok) return hop === 0 ? checked : refusedHop(checked.failure);
    const response = await exchange(request, checked.value, signal);
    if (!response.ok) return response;
    const { location } = response.value.headers;
    if (!isRedirect(response.value.status) || location === undefined || request.maxRedirects === 0) {
      return response;
    }
    if (hop >= request.maxRedirects) {
      return failed("tool_failed", `${request.url} redirects more than ${request.maxRedirects} times.`);
    }
    if (!URL.canParse(location, checked.value)) {
      return failed("tool_failed", `${address} redirects to something that is no address.`);
    }
    address = new URL(location, checked.value).href;
  }
}

function checkAddress(address: string, guard: AddressGuard | undefined): Result<URL> {
  if (guard) return guard.check(address);
  if (!URL.canParse(address)) return failed("bad_input", `${address} is not a web address.`);
  return success(new URL(address));
}

function refusedHop(reason: Failure): Result<HttpResponse> {
  return { ok: false, failure: { ...reason, message: `The page redirects elsewhere: ${reason.message}` } };
}

/**
 * What carries one exchange, made for it alone: no idle socket outlives it, and its lookup knows the address it is for.
 * A proxy does the lookup itself, so what the name means is judged here before the proxy is asked.
 */
async function dispatcherFor(request: HttpRequest, url: URL, signal: AbortSignal): Promise<Dispatcher> {
  const { timeoutMs, guard } = request;
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs, maxHeaderSize: 64 * 1024 };
  const proxy = proxyFor(url, request.proxy);
  if (proxy === undefined) {
    return new Agent({
      connect: { timeout: timeoutMs, ...(guard && { lookup: guard.lookupFor(url) }) },
      ...limits,
    });
  }
  if (guard) await guard.resolve(url, signal);
  return proxyAgent(proxy, limits);
}

async function exchange(request: HttpRequest, url: URL, signal: AbortSignal): Promise<Result<HttpResponse>> {
  const dispatcher = await dispatcherFor(request, url, signal);
  try {
    const response = await send(url, {
      dispatcher,
      method: request.method ?? "GET",
      headers: { ...COMMON_HEADERS, ...request.headers },
      signal,
      ...(request.body !== undefined && { body: request.body }),
    });
    const headers = flatHeaders(response.headers);
    const base = { url: url.href, status: response.statusCode, headers };
    const redirected = isRedirect(base.status) && request.maxRedirects > 0 && headers.location !== undefined;
    if (redirected || request.wantsBody?.(base.status) === false) {
      response.body.on("error", ignore).destroy();
      return success({ ...base, body: Buffer.alloc(0), cut: false });
    }
    const body = await readUnfolded(response.body, headers["content-encoding"], request.maxBytes, signal);
    return body.ok ? success({ ...base, body: body.value.bytes, cut: body.value.cut }) : body;
  } finally {
    await dispatcher.destroy().catch(ignore);
  }
}

function ignore(): void {
  // The stream is thrown away: its end, good or bad, is of no interest.
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function flatHeaders(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}

function tooSlow(request: HttpRequest): Failure {
  const seconds = Math.round(request.timeoutMs / 100) / 10;
  return failure("timeout", `${shortHost(request.url)} did not answer in full within ${seconds} s.`);
}

/** The failure for a connection that could not be made or broke; one that broke is `stream_broken`. */
function connectionFailure(request: HttpRequest, error: unknown): Failure {
  const host = shortHost(request.url);
  const code = errorCode(error);
  const cause = describeError(error);
  switch (code) {
    case ADDRESS_REFUSED:
      return failure(
        "address_refused",
        `${host} leads to an address that is not on the public internet, so it is not fetched.`,
        { cause },
      );
    case "ENOTFOUND":
      return failure("tool_failed", `No server has the name ${host}.`, { cause });
    case "EAI_AGAIN":
      return failure("tool_failed", `The name ${host} can't be looked up: is this machine online?`, {
        cause,
      });
    case "ECONNREFUSED":
      return failure("tool_failed", `${host}${byProxy(request)} refuses the connection.`, { cause });
    default:
      return failure(
        "stream_broken",
        `The connection to ${host}${byProxy(request)} failed (${code ?? "no details"}).`,
        { cause },
      );
  }
}

function byProxy({ url, proxy }: HttpRequest): string {
  const used = URL.canParse(url) ? proxyFor(new URL(url), proxy) : undefined;
  return used === undefined ? "" : ` by the proxy ${shortHost(used)}`;
}

function shortHost(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return errorCode(error.cause);
}
