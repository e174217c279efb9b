import { z } from "zod";
import type { Failure } from "../agent/failure.ts";
import { isSessionId } from "./event-schema.ts";
import { activityMessages, type ActivityHostMessage } from "./panel-activity.ts";
import { compareMessages, type CompareHostMessage } from "./panel-compare.ts";
import { criticMessages, type CriticHostMessage } from "./panel-critic.ts";
import { evalMessages, type EvalHostMessage } from "./panel-eval.ts";
import { forkMessages, type ForkHostMessage } from "./panel-fork.ts";
import { judgeMessages } from "./panel-judge.ts";
import { memoryMessages, type MemoryHostMessage } from "./panel-memory.ts";
import { requestMessages, type RequestHostMessage } from "./panel-request.ts";
import { settingMessages, type SettingHostMessage } from "./panel-settings.ts";
import { sourceMessages, type PanelSource } from "./panel-source.ts";
import type { CutRef, PostedEvent } from "./posted.ts";
import type { TurnSummary } from "./summary.ts";

const sessionId = z.string().refine(isSessionId, "not a session id");
const turnId = z.string().min(1).max(200);
const turnRef = { sessionId, turnId };
const offset = z.number().int().nonnegative();
const filter = z.string().max(500);

const actions = [
  "start_ollama",
  "select_model",
  "pull_model",
  "open_settings",
  "enable_web",
  "cancel_running",
  "check_setup",
  "open_agent",
  "retry",
] as const;

const cutRef = z.strictObject({
  eventId: z.string().min(1).max(200),
  eventType: z.string().max(50),
  path: z.array(z.string().max(500)).min(1).max(20).readonly(),
  length: offset,
  unit: z.enum(["characters", "items"]),
});

const panelMessage = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("ready"), selected: z.strictObject(turnRef).nullable() }),
  z.strictObject({ type: z.literal("turns"), cursor: offset, filter }),
  z.strictObject({ type: z.literal("select"), ...turnRef }),
  z.strictObject({
    type: z.literal("ask"),
    question: z.string().trim().min(1).max(200_000),
    sessionId: sessionId.nullable(),
    /** The turn that is looked at: the question goes on with its branch. */
    after: turnId.optional(),
  }),
  z.strictObject({ type: z.literal("cancel"), sessionId }),
  z.strictObject({ type: z.literal("retry_synthesis"), ...turnRef }),
  z.strictObject({ type: z.literal("restore_context"), sessionId }),
  z.strictObject({ type: z.literal("link"), href: z.string().max(5000) }),
  z.strictObject({
    type: z.literal("action"),
    action: z.enum(actions),
    target: z.string().max(500).optional(),
    sessionId: sessionId.nullable(),
  }),
  z.strictObject({ type: z.literal("detail"), request: offset, ...turnRef, ref: cutRef, offset }),
  z.strictObject({
    type: z.literal("toggle"),
    name: z.enum(["committee", "memory", "web"]),
    on: z.boolean(),
  }),
  z.strictObject({ type: z.literal("delete_session"), sessionId }),
  ...sourceMessages,
  ...requestMessages,
  ...compareMessages(turnRef),
  ...judgeMessages(turnRef),
  ...criticMessages(turnRef),
  ...evalMessages,
  ...forkMessages(turnRef),
  ...memoryMessages,
  ...activityMessages,
  ...settingMessages,
]);

/** What the panel says to the host. Checked on arrival: the panel draws untrusted text. */
export type PanelMessage = z.infer<typeof panelMessage>;

/** A checked message, or undefined for anything else. */
export function parsePanelMessage(value: unknown): PanelMessage | undefined {
  const parsed = panelMessage.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** What stands in the panel's frame: what is missing, which model, the switches. */
export interface PanelState {
  readonly model: string;
  readonly problems: readonly Failure[];
  readonly toggles: { readonly committee: boolean; readonly memory: boolean; readonly web: boolean };
  /** Who answers when the committee is on, in a few words, such as `4 views, blind`. */
  readonly committee: string;
  /** Whether memory can be narrowed to the workspace that is open. */
  readonly workspace: boolean;
  /** Absent: what is shown is this machine's own. */
  readonly source?: PanelSource;
}

/** A view of the panel that a command opens. */
export type PanelPane = "turn" | "memory" | "compare" | "tools" | "critic" | "eval";

/** What the host says to the panel. */
export type HostMessage =
  | { readonly type: "state"; readonly state: PanelState }
  | {
      readonly type: "turns";
      readonly filter: string;
      /** 0: the list starts anew; else the rows come after those that are there. */
      readonly cursor: number;
      /** Where the next page starts, null at the end. */
      readonly next: number | null;
      readonly rows: readonly TurnSummary[];
    }
  /** Rows that changed or are new. */
  | { readonly type: "rows"; readonly rows: readonly TurnSummary[] }
  /** A turn is shown from its beginning: its events follow. */
  | { readonly type: "turn"; readonly sessionId: string; readonly turnId: string; readonly running: boolean }
  | { readonly type: "events"; readonly turnId: string; readonly events: readonly PostedEvent[] }
  /** All that the log holds of the turn was posted. */
  | {
      readonly type: "loaded";
      readonly turnId: string;
      readonly interrupted: boolean;
      /** What could not be read of it. */
      readonly problems: readonly string[];
    }
  | { readonly type: "asked"; readonly sessionId: string; readonly turnId: string }
  /** The user asked elsewhere for this view. */
  | {
      readonly type: "pane";
      readonly pane: PanelPane;
      /** What the memory view is to search for. */
      readonly query?: string;
    }
  /** The user began a new session elsewhere: the next question goes on with none, or with this private one. */
  | { readonly type: "new_session"; readonly sessionId?: string }
  /** Something went wrong outside of a turn. `asked` says that a question was refused. */
  | { readonly type: "notice"; readonly failure: Failure; readonly asked: boolean }
  /** What a waiting model call waits for. */
  | {
      readonly type: "model";
      readonly turnId: string;
      readonly model: string;
      readonly sizeBytes: number | null;
    }
  | {
      readonly type: "detail";
      readonly request: number;
      readonly text: string;
      /** Where the next part starts, null at the end. */
      readonly next: number | null;
      /** How long the whole is, in characters. */
      readonly length: number;
    }
  | RequestHostMessage
  | CompareHostMessage
  | CriticHostMessage
  | EvalHostMessage
  | ForkHostMessage
  | MemoryHostMessage
  | ActivityHostMessage
  | SettingHostMessage;

export type { CutRef, PostedEvent };
