/** How a turn or an agent ended. */
export type Outcome = "answered" | "failed" | "cancelled";

/** The respondent that answers a question a second time: what it does comes after its turn, and changes nothing of it. */
export const SHADOW_RESPONDENT = "B";

/** What every event carries. Start, delta and end of one thing share its `id`. */
export interface EventBase {
  /** 8 random bytes in hex, an OpenTelemetry span id; 16 bytes for `turn.start` and `turn.end`. */
  readonly id: string;
  /** The id of what this belongs to; null for a turn. */
  readonly parentId: string | null;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly sessionId: string;
  readonly turnId: string;
  /** The step this happened in, where there is one. */
  readonly stepId?: string;
  readonly agent: string;
  /** `A` unless said otherwise (a shadow respondent is `B`). */
  readonly respondent: string;
  /** In a fork: the event of the turn it branches off that this repeats. Nothing was asked or run anew for it. */
  readonly replays?: string;
  /** In the log only: what it said was forgotten then, in milliseconds since the epoch; its texts are tombstones. */
  readonly forgotten?: number;
}

/** An event of one type. */
export type Event<Type extends string, Data> = EventBase & { readonly type: Type; readonly data: Data };

/** Token counts of a model call or of a whole turn (OpenTelemetry GenAI names). */
export interface UsageData {
  readonly "gen_ai.usage.input_tokens"?: number;
  readonly "gen_ai.usage.output_tokens"?: number;
}

/** How tool calls were asked for and read. `none`: the model gets no tools. */
export type ToolProtocol = "native" | "constrained" | "react" | "none";
