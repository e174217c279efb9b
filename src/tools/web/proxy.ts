import { ProxyAgent } from "undici";

/** Names of this machine: what is on it is never reached by way of a proxy. */
const OWN_NAMES = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The environment's variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The address of the proxy that a request goes through: the user's own setting, else what the usual variables say
 * (`https_proxy`, `http_proxy`, `all_proxy`). Nothing for this machine, for hosts that `no_proxy` names, and for proxies
 * that don't speak HTTP.
 */
export function proxyFor(
  url: URL,
  setting: string | undefined,
  environment: Environment = process.env,
): string | undefined {
  if (OWN_NAMES.test(url.hostname) || isExempt(url, variable(environment, "no_proxy") ?? ""))
    return undefined;
  const scheme = url.protocol.slice(0, -1);
  const named = setting?.trim() ?? "";
  const proxy =
    named !== "" ? named : (variable(environment, `${scheme}_proxy`) ?? variable(environment, "all_proxy"));
  return proxy !== undefined && URL.canParse(proxy) && /^https?:$/.test(new URL(proxy).protocol)
    ? proxy
    : undefined;
}

/** What carries requests through a proxy: plain ones are handed to it, those by TLS go through a tunnel. */
export function proxyAgent(proxy: string, limits: Omit<ProxyAgent.Options, "uri"> = {}): ProxyAgent {
  return new ProxyAgent({ ...limits, uri: proxy, proxyTunnel: false });
}

function variable(environment: Environment, name: string): string | undefined {
  const value = environment[name] ?? environment[name.toUpperCase()];
  return value === "" ? undefined : value;
}

/** True for a host that the list names, itself or by a domain above it, with or without a port. */
function isExempt(url: URL, list: string): boolean {
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === "*") return true;
      const [, name = "", wantedPort] = /^\*?\.?([^:]+?)(?::(\d+))?$/.exec(entry) ?? [];
      if (name === "" || (wantedPort !== undefined && wantedPort !== port)) return false;
      return url.hostname === name || url.hostname.endsWith(`.${name}`);
    });
}
