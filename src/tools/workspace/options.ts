import { failure, type Failure } from "../../agent/failure.ts";
import type { WorkspacePort } from "./port.ts";

/** What the tools for the user's folders are made of. */
export interface WorkspaceToolOptions {
  readonly workspace: WorkspacePort;
  /** For one call; milliseconds. */
  readonly timeoutMs: () => number;
}

/** Why the user's folders can't be read now; undefined when they can. */
export function workspaceOff(port: WorkspacePort, enabled: boolean): Failure | undefined {
  if (!enabled) {
    return failure(
      "tool_disabled",
      "Reading the open folders is off. Turn on conclave.tools.workspace to allow it.",
      { action: "open_settings", target: "conclave.tools.workspace" },
    );
  }
  if (!port.isTrusted())
    return failure("tool_disabled", "The open folder is not trusted, so its files are not read.");
  return port.folders().length > 0
    ? undefined
    : failure("tool_disabled", "No folder on this machine's disk is open.");
}
