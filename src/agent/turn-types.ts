import type { AskRequest } from "./engine-port.ts";
import type { EventSink, ToolProtocol } from "./events.ts";
import type { Failure } from "./failure.ts";
import type { Gate } from "./gate.ts";
import type { Identity } from "./ids.ts";
import type { MemoryPort } from "./memory-port.ts";
import type { ModelLessons } from "./model-lessons.ts";
import type { ChatModel } from "./models/types.ts";
import type { ProtocolAdapter } from "./protocol.ts";
import type { Conversation, HistoryCut } from "./sessions.ts";
import type { EngineSettings } from "./settings.ts";
import type { Timer } from "./timer.ts";
import type { ToolSet } from "./tool.ts";

/** What one turn works on. */
export interface TurnInput {
  readonly request: AskRequest;
  readonly sessionId: string;
  readonly turnId: string;
  /** What went before. */
  readonly conversation: Conversation;
  readonly settings: EngineSettings;
  readonly tools: ToolSet;
}

/** What one turn works with. */
export interface TurnDeps {
  readonly model: (name: string) => ChatModel | Failure;
  readonly memory: MemoryPort | undefined;
  readonly identity: Identity;
  readonly timer: Timer;
  readonly signal: AbortSignal;
  readonly sink: EventSink;
  readonly gate: Gate;
  readonly lessons: ModelLessons;
  readonly adapter: (protocol: ToolProtocol) => ProtocolAdapter;
  /** Hears which turns no longer fitted, so that later turns begin where this one did. Must not throw. */
  readonly onCut: (cut: HistoryCut) => void;
}
