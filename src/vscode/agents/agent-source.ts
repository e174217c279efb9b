import { homedir } from "node:os";
import { join } from "node:path";
import type * as vscode from "vscode";
import type { KnownNames } from "../../agent/agents/check-names.ts";
import type { AgentFiles, AgentFilesOptions, AgentPlaces } from "../../agent/agents/files.ts";
import { WatchedDefinitions, type OpenedDefinitions } from "../watched-definitions.ts";
import { trustedFolders } from "../watched-folders.ts";
import { isAgentPath } from "./agent-path.ts";
import type { VirtualFileSystem } from "./virtual-files.ts";

/** Gives the names of models and tools there are. */
type AskNames = NonNullable<AgentFilesOptions["known"]>;

/** Agent files of a workspace folder, as watchers and document selectors write it. */
const WORKSPACE_FILES = "{.conclave/agents/*,.github/agents/*,.claude/agents/*,AGENTS.md}";
/** Where the user's own agent files are. */
const USER_FOLDER = join(homedir(), ".conclave", "agents");

/** Gives the agents there are, and says when their files, the workspace's folders or its trust have changed. */
export class AgentSource implements vscode.Disposable {
  readonly #definitions = new WatchedDefinitions<AgentFiles>(
    { workspace: WORKSPACE_FILES, user: USER_FOLDER, isOwn: isAgentPath },
    (elsewhere, onChange) => openAgents(elsewhere, onChange, (wanted) => this.#known(wanted)),
  );
  #known: AskNames = () => ({});
  #settled: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();

  readonly onDidChange = this.#definitions.onDidChange;

  /** Reads agent files; the code for it is loaded with the first call. */
  files(): Promise<AgentFiles> {
    return this.#definitions.files();
  }

  /** Says what models and tools there are, once there is somebody who knows; `settled` waits until that is known. */
  know(known: AskNames, settled: (signal: AbortSignal) => Promise<void>): void {
    this.#known = known;
    this.#settled = settled;
    this.changed();
  }

  /** The names of models and tools there are, as far as is known. */
  names(): KnownNames {
    return this.#known({ models: true });
  }

  /** The same, once the server has said which models it has; without them when it can't, or the signal fires. */
  async allNames(signal: AbortSignal): Promise<KnownNames> {
    await this.#settled(signal);
    return this.names();
  }

  /** To be called when something else than a file has changed what the agents are. */
  changed(): void {
    this.#definitions.changed();
  }

  dispose(): void {
    this.#definitions.dispose();
  }
}

async function openAgents(
  elsewhere: VirtualFileSystem,
  onChange: () => void,
  known: AskNames,
): Promise<OpenedDefinitions<AgentFiles>> {
  const [{ AgentFiles }, { VirtualAgentFiles }] = await Promise.all([
    import("../../agent/agents/files.ts"),
    import("./virtual-files.ts"),
  ]);
  const virtual = new VirtualAgentFiles(elsewhere, onChange);
  const places = (): AgentPlaces => ({ ...agentPlaces(), given: virtual.given });
  return { files: new AgentFiles({ places, known }), virtual };
}

/** Where agents are looked for: the workspace's folders, once it is trusted, and the user's home. */
function agentPlaces(): AgentPlaces {
  return { workspaces: trustedFolders().map(({ fsPath }) => fsPath), home: homedir() };
}
