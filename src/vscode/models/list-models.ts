import { showFailure, withCancellableProgress } from "../editor.ts";
import type { Services } from "../services.ts";
import type { ModelEntry } from "./entry.ts";

/** The models of the server, asked for under a progress note that can be cancelled; undefined where that fails, and is shown. */
export async function listModels(
  services: Pick<Services, "server">,
): Promise<readonly ModelEntry[] | undefined> {
  const server = services.server();
  const listed = server.ok
    ? await withCancellableProgress("Conclave: asking Ollama for its models", (signal) =>
        server.value.list(signal),
      )
    : server;
  if (listed.ok) return listed.value;
  await showFailure(listed.failure);
  return undefined;
}
