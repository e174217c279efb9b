import type { AgentCatalog, AgentDefinition, AgentLimits } from "./agents/definition.ts";
import type { AskRequest } from "./ask-types.ts";
import type { AgentRole, EventSink, ToolProtocol } from "./events.ts";
import type { Failure } from "./failure.ts";
import type { ForkPlan } from "./fork/plan.ts";
import type { AgentTape } from "./fork/tapes.ts";
import type { Gate } from "./gate.ts";
import type { Company } from "./footing.ts";
import type { Identity } from "./ids.ts";
import type { LoopOutcome } from "./loop/types.ts";
import type { MemoryPort } from "./memory/port.ts";
import type { SourcedText } from "./message-parts.ts";
import type { ModelLessons } from "./model-lessons.ts";
import type { ChatMessage, ChatModel, JsonObject } from "./models/types.ts";
import type { ProtocolAdapter } from "./protocol.ts";
import type { Conversation, HistoryCut } from "./sessions/types.ts";
import type { EngineSettings } from "./settings.ts";
import type { Timer } from "./timer.ts";
import type { Embed } from "./budget/relevant-tools.ts";
import type { OfferedTools } from "./budget/offered-tools.ts";
import type { TurnContexts } from "./budget/model-context.ts";
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
  /** All tools, those that this turn may not use included; left out: `tools`. */
  readonly allTools?: ToolSet;
  /** The agents there are. */
  readonly agents: AgentCatalog;
  /** It branches off an earlier turn: what it takes over. */
  readonly fork?: ForkPlan;
}

/** What one agent is to do in a turn. */
export interface AgentJob {
  readonly name: string;
  /** Left out: it has no file, and answers as the product does. */
  readonly definition?: AgentDefinition;
  /** Left out: it answers the turn alone. */
  readonly role?: AgentRole;
  /** What it stands under: the turn, a round, a committee, a tool's call. */
  readonly parentId: string;
  /** A question of its own, apart from the conversation; left out: the turn's. */
  readonly question?: string;
  /** What stands behind the question for it alone: what others said, then its own instruction. A text is all instruction. */
  readonly tail?: string | readonly SourcedText[];
  /**
   * Called while its first answer is awaited, with the question as its model is sent it, the tail left out: what will be
   * sent next can be made ready.
   */
  readonly meanwhile?: (question: ChatMessage, model: ChatModel) => void;
  readonly model?: string;
  /** Address of its server; left out: the first one. */
  readonly host?: string;
  readonly seed?: number;
  /** From 1, where one agent is asked several times. */
  readonly sample?: number;
  /** The tools it is told of, and finds. */
  readonly tools: ToolSet;
  /** Those who share this list and the question; left out: nobody does. */
  readonly company?: Company;
  /** JSON schema of its answer; then what its file says of the answer's form does not hold. */
  readonly format?: JsonObject;
  /** It is told of the tools, so that its prompt begins like the others', but answers at once, in its form. */
  readonly answerOnly?: true;
  /** Over what its file and the settings say. */
  readonly limits?: AgentLimits;
  /** Names of the agents that delegated to it, the first one first. */
  readonly lineage?: readonly string[];
  /** In a fork: what it did in the turn that is branched off, before it goes on by itself. */
  readonly tape?: AgentTape;
}

/** What became of one agent's work. */
export interface AgentOutcome extends LoopOutcome {
  /** The id of its span. */
  readonly agentId: string;
  readonly name: string;
  readonly model: string;
  /** The question as the conversation goes on with it. */
  readonly question: ChatMessage;
}

/** What one turn works with. */
export interface TurnDeps {
  readonly model: (name: string, host?: string) => ChatModel | Failure;
  readonly memory: MemoryPort | undefined;
  readonly identity: Identity;
  readonly timer: Timer;
  readonly signal: AbortSignal;
  readonly sink: EventSink;
  /** Of a server; left out: of the first one. */
  readonly gate: (host?: string) => Gate;
  readonly lessons: ModelLessons;
  readonly adapter: (protocol: ToolProtocol) => ProtocolAdapter;
  /** Vectors of texts, one for each; left out: there is no embedder. Must not throw. */
  readonly embed?: Embed;
  /** Which tools the sessions were told of. */
  readonly offered: OfferedTools;
  /** What was decided about the contexts of models in this turn: the same for all its agents. */
  readonly contexts: TurnContexts;
  /** Hears which turns no longer fitted, so that later turns begin where this one did. Must not throw. */
  readonly onCut: (cut: HistoryCut) => void;
}

/** What answered a turn, one agent or a committee, came to. */
export type TurnAnswer = Omit<LoopOutcome, "thinking" | "calls" | "ran"> & {
  /** The question as the conversation goes on with it. */
  readonly question: ChatMessage;
};
