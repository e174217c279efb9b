import { systemTimer } from "../../agent/timer.ts";
import type { ServerSource } from "../models/server-source.ts";
import type { Shell } from "../shell.ts";
import { KnownModels } from "./known-models.ts";

/** Lets agent files be checked against the models that are installed and the tools there are. */
export function knowNames(
  { agents }: Pick<Shell, "agents">,
  servers: ServerSource,
  tools: () => readonly string[],
): KnownModels {
  const models = new KnownModels({
    server: () => {
      const server = servers.current();
      return server.ok ? server.value : undefined;
    },
    now: () => performance.now(),
    timer: systemTimer,
    onChange: () => agents.changed(),
  });
  agents.know(
    (wanted) => {
      const names = wanted.models ? models.names() : undefined;
      return { tools: tools(), ...(names && { models: names }) };
    },
    (signal) => models.settled(signal),
  );
  return models;
}
