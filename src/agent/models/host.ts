import { failed, success, type Result } from "../failure.ts";

/** Where Ollama listens unless the user says otherwise. */
const DEFAULT_HOST = "http://127.0.0.1:11434";

/** The key of the setting that says where Ollama is; named in messages. */
export const HOST_SETTING = "conclave.ollama.host";

/** An address of an Ollama server, taken apart once. */
export interface OllamaHost {
  /** Scheme, name and port, such as `http://127.0.0.1:11434`. */
  readonly origin: string;
  /** What stands before `/api`, for servers behind a proxy; empty or `/path` without a slash at the end. */
  readonly basePath: string;
  /** For people and messages: origin and path, never a password. */
  readonly display: string;
  /** The `authorization` header, when the address carries a name and password. */
  readonly authorization?: string;
}

const DEFAULT_PORT = "11434";

/** Addresses that mean "listen everywhere"; a client reaches such a server on the loopback. */
const LISTEN_ALL = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["[::]", "[::1]"],
]);

/**
 * Reads the host setting in every form that `OLLAMA_HOST` takes: `127.0.0.1:11434`, `:11434`, `localhost`,
 * `http://name/path/`, `0.0.0.0`, `::1`, `[::1]:11434`. An empty text is the default.
 * Anything else is the failure `bad_input` with a sentence for people.
 */
export function parseHost(setting: string): Result<OllamaHost> {
  const text = setting.trim();
  if (text === "") return parseHost(DEFAULT_HOST);
  const explicit = text.includes("://");
  const url = toUrl(explicit ? text : `http://${withHostName(text)}`);
  if (url === undefined) return refused(setting, "is not an address");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return refused(setting, "does not start with http:// or https://");
  }
  if (url.search !== "" || url.hash !== "") return refused(setting, "has a part after ? or #");
  return success(fromUrl(url, explicit));
}

function fromUrl(url: URL, explicit: boolean): OllamaHost {
  const name = LISTEN_ALL.get(url.hostname) ?? url.hostname;
  const port = url.port === "" && !explicit ? DEFAULT_PORT : url.port;
  const origin = `${url.protocol}//${name}${port === "" ? "" : `:${port}`}`;
  // People paste the address of an endpoint; what we add ourselves is taken off.
  const basePath = url.pathname.replace(/\/+$/, "").replace(/\/api$/, "");
  const host = { origin, basePath, display: origin + basePath };
  if (url.username === "") return host;
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { ...host, authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** `:11434` means this machine; a bare IPv6 address needs brackets in a URL. */
function withHostName(text: string): string {
  if (/^:\d+/.test(text)) return `127.0.0.1${text}`;
  return /^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f.]*$/i.test(text) ? `[${text}]` : text;
}

function toUrl(text: string): URL | undefined {
  if (/\s/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  try {
    decodeURIComponent(url.username + url.password);
  } catch {
    return undefined;
  }
  return url.hostname === "" ? undefined : url;
}

function refused(setting: string, why: string): Result<OllamaHost> {
  // A password never reaches a message.
  const shown = setting.replace(/\/\/[^/@]*@/, "//***@").slice(0, 200);
  return failed(
    "bad_input",
    `"${shown}" in ${HOST_SETTING} ${why}. Write it like ${DEFAULT_HOST} or 192.168.1.20:11434.`,
    { action: "open_settings", target: HOST_SETTING },
  );
}
