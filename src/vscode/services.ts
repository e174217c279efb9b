import type { FullCatalog } from "../agent/agents/catalog.ts";
import type { RubricCatalog } from "../agent/critic/types.ts";
import type { Dreamt } from "../agent/dreaming/dream.ts";
import type { Engine } from "../agent/engine-port.ts";
import type { Result } from "../agent/failure.ts";
import type { Identity } from "../agent/ids.ts";
import type { ToolSet } from "../agent/tool.ts";
import type { ToolInfo } from "../trace/activity/records.ts";
import type { TraceLog } from "../trace/log.ts";
import type { WindowCritic } from "./critic/window-critic.ts";
import type { FeedbackReaders } from "./feedback/feedback.ts";
import type { MemorySource } from "./memory-source.ts";
import type { Scopes } from "./memory/scopes.ts";
import type { ModelServer } from "./models/server.ts";
import type { SettingsReading } from "./settings-schema.ts";
import type { ActivityView } from "./status-model.ts";
import type { WorkspaceNote } from "./workspace-note.ts";

/** All that doors and commands are built on; made on first use. */
export interface Services {
  readonly engine: Engine;
  readonly log: TraceLog;
  /** Forgets in the traces too. */
  readonly memory: MemorySource;
  /** What was thumbed up or down. */
  readonly feedback: Pick<FeedbackReaders, "last">;
  /** Which folder a question belongs to. */
  readonly scopes: Scopes;
  readonly identity: Identity;
  /** The Ollama server of the settings, as they are now; an address that can't be read is a failure. */
  server(): Result<ModelServer>;
  /** The settings in force, read anew. */
  settings(): SettingsReading;
  /** The agents there are, read anew where a file has changed. */
  agents(): FullCatalog;
  /** The rubrics there are, read anew where a file has changed. */
  rubrics(): RubricCatalog;
  /** The tools there are, the editor's own among them, as they are now. */
  tools(): ToolSet;
  /** The same ones as a list for people, those that are off among them. */
  toolList(): readonly ToolInfo[];
  /** What goes on in all sessions. */
  activity(): ActivityView;
  /** Writes a private session to the disk and has its turns remembered. */
  savePrivate(sessionId: string): Promise<Result<boolean>>;
  /** Turns sessions since the last dream into moments. */
  dream(signal: AbortSignal): Promise<Result<Dreamt>>;
  /** Who judges answers, and the grades of this window. */
  readonly judging: Omit<WindowCritic, "dispose">;
  /** The session that Ask in the Command Palette goes on with. */
  readonly commandSession: { id: string | undefined };
  /** Knows what the workspace's own settings asked for in vain. */
  readonly workspaceNote: WorkspaceNote;
  /** The key of a search provider, if one is kept. */
  searchKey(provider: string): Promise<string | undefined>;
  /** Cancels what runs, writes what waits, ends the memory process. */
  dispose(): Promise<void>;
}
