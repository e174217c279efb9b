import { parseHost } from "../../agent/models/host.ts";
import { success, type Result } from "../../agent/failure.ts";
import type { Settings } from "../settings-schema.ts";
import { ModelServer } from "./server.ts";

/** Gives the server that the settings name, and keeps it while they name the same: what is known of its models is kept with it. */
export class ServerSource {
  readonly #settings: () => Pick<Settings, "ollamaHost" | "requestTimeout">;
  #key = "";
  #server: Result<ModelServer> | undefined;

  constructor(settings: () => Pick<Settings, "ollamaHost" | "requestTimeout">) {
    this.#settings = settings;
  }

  /** The server as it is now; an address that can't be read is a failure with the button that mends it. */
  current(): Result<ModelServer> {
    const { ollamaHost, requestTimeout } = this.#settings();
    const key = `${ollamaHost} ${requestTimeout}`;
    if (this.#server === undefined || key !== this.#key) {
      const host = parseHost(ollamaHost);
      this.#server = host.ok
        ? success(new ModelServer({ host: host.value, requestTimeoutMs: requestTimeout * 1_000 }))
        : host;
      this.#key = key;
    }
    return this.#server;
  }
}
