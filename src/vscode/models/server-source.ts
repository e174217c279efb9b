import { parseHost } from "../../agent/models/host.ts";
import { success, type Result } from "../../agent/failure.ts";
import type { Settings } from "../settings-schema.ts";
import { ModelServer } from "./server.ts";

/** Servers that are kept at a time; the one that was made first leaves first. */
const MAX_SERVERS = 20;

/** Gives the servers that the settings name, and keeps them: what is known of a server's models is kept with it. */
export class ServerSource {
  readonly #settings: () => Pick<Settings, "ollamaHost" | "requestTimeout">;
  readonly #servers = new Map<string, Result<ModelServer>>();

  constructor(settings: () => Pick<Settings, "ollamaHost" | "requestTimeout">) {
    this.#settings = settings;
  }

  /** The first server as it is now; an address that can't be read is a failure with the button that mends it. */
  current(): Result<ModelServer> {
    return this.at(this.#settings().ollamaHost);
  }

  /** The server at an address, such as one more that a committee is spread over; else as `current`. */
  at(address: string): Result<ModelServer> {
    const { requestTimeout } = this.#settings();
    const key = `${address} ${requestTimeout}`;
    const kept = this.#servers.get(key);
    if (kept !== undefined) return kept;
    const host = parseHost(address);
    const server = host.ok
      ? success(new ModelServer({ host: host.value, requestTimeoutMs: requestTimeout * 1_000 }))
      : host;
    this.#servers.set(key, server);
    if (this.#servers.size > MAX_SERVERS) this.#servers.delete(this.#servers.keys().next().value ?? "");
    return server;
  }
}
