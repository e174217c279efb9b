import { lookup as systemLookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { failed, success, type Result } from "../../agent/failure.ts";

/** Resolves a name to all its addresses, as `dns.lookup` with `all` does. */
export type ResolveAll = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** How a guard is made. */
export interface GuardOptions {
  /** `host:port` pairs that are let through whatever they are. For tests only. */
  readonly allow?: readonly string[];
  /** How names are resolved; the system's way when left out. */
  readonly resolve?: ResolveAll;
}

/** The code of the error that the guarded lookup gives for a name that leads to a refused address. */
export const ADDRESS_REFUSED = "ECONCLAVE_REFUSED";

/** Names that mean this machine or its network whatever they resolve to. */
const REFUSED_NAMES = new Set(["localhost", "localhost.localdomain", "metadata.google.internal"]);
const REFUSED_SUFFIXES = [".localhost", ".local", ".internal", ".localdomain", ".home.arpa"];
/** Azure's wire server: a public address by its number that only exists inside the cloud's own network. */
const REFUSED_ADDRESSES = new Set(["168.63.129.16"]);
/** The block that public IPv6 addresses are given from; what lies outside is not on the internet. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Keeps the web tools on the public internet: a page or a model must not make them ask this machine, its network or
 * a cloud's metadata service. It judges the URL, and by `lookupFor` what its name resolves to at connect time, so that
 * a name can't be checked as one address and used as another.
 */
export class AddressGuard {
  readonly #allow: ReadonlySet<string>;
  readonly #resolve: ResolveAll;

  constructor(options: GuardOptions = {}) {
    this.#allow = new Set(options.allow?.map((entry) => entry.toLowerCase()));
    this.#resolve = options.resolve ?? resolveBySystem;
  }

  /** Judges an address by its text. The failure's code is `address_refused` or, for what is no URL, `bad_input`. */
  check(address: string): Result<URL> {
    if (!URL.canParse(address)) {
      return failed(
        "bad_input",
        "That is not a web address. Give a full one, such as https://example.com/page.",
      );
    }
    const url = new URL(address);
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      return failed("address_refused", `Only http and https addresses are fetched, not ${url.protocol}`);
    }
    if (url.username !== "" || url.password !== "") {
      return failed("address_refused", "Addresses with a user name or password in them are not fetched.");
    }
    if (this.#isAllowed(url)) return success(url);
    const host = bareHost(url.hostname);
    const refused = host === "" || isRefusedName(host) || (ipaddr.isValid(host) && !isPublicAddress(host));
    if (refused) {
      return failed("address_refused", `${host} is not on the public internet, so it is not fetched.`);
    }
    return success(url);
  }

  /**
   * The lookup for a connection to `url`: gives what the name resolves to, or the error `ADDRESS_REFUSED` when any
   * of it is not public.
   */
  lookupFor(url: URL): LookupFunction {
    const allowed = this.#isAllowed(url);
    return (hostname, options, callback) => {
      this.#resolve(hostname, (error, addresses) => {
        const first = addresses[0];
        if (error || !first) {
          callback(error ?? notFound(hostname), "");
          return;
        }
        const refused = allowed ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
        if (refused) callback(refusal(hostname), "");
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      });
    };
  }

  /**
   * Resolves when the name of `url` leads to public addresses only; rejects with the error `ADDRESS_REFUSED`, with that
   * of the lookup, or with the signal's reason.
   */
  resolve(url: URL, signal: AbortSignal): Promise<void> {
    return new Promise((settle, reject) => {
      const stop = (): void => reject(signal.reason as Error);
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      this.lookupFor(url)(bareHost(url.hostname), { all: true }, (error) => {
        signal.removeEventListener("abort", stop);
        if (error) reject(error);
        else settle();
      });
    });
  }

  #isAllowed(url: URL): boolean {
    const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
    return this.#allow.has(`${url.hostname}:${port}`);
  }
}

/** True for an address that anyone on the internet can reach; false for text that is no address. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  // `process` reads IPv4 out of an IPv4-mapped IPv6 address.
  const address = ipaddr.process(text);
  if (REFUSED_ADDRESSES.has(address.toString())) return false;
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || (address as ipaddr.IPv6).match(PUBLIC_IPV6);
}

function isRefusedName(host: string): boolean {
  return REFUSED_NAMES.has(host) || REFUSED_SUFFIXES.some((suffix) => host.endsWith(suffix));
}

/** A host without brackets and without the dots that end a fully qualified name. */
function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.+$/, "")
    .toLowerCase();
}

function resolveBySystem(hostname: string, callback: Parameters<ResolveAll>[1]): void {
  systemLookup(hostname, { all: true }, (error, addresses) => callback(error, error ? [] : addresses));
}

function refusal(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} leads to an address that is not public`), {
    code: ADDRESS_REFUSED,
  });
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: "ENOTFOUND" });
}
