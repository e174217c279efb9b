import { z } from "zod";
import { isSessionId } from "./event-schema.ts";
import type { ConversationView, MessageHead, PrefillView, RequestView } from "./request/types.ts";

/*
 * What the panel and its host say of requests to models: one is laid open when somebody looks at it, its messages as
 * lines, page by page; the texts come apart, like all that is long.
 */
const request = z.number().int().nonnegative();
const offset = z.number().int().nonnegative();
const turn = {
  sessionId: z.string().refine(isSessionId, "not a session id"),
  turnId: z.string().min(1).max(200),
};
const sent = { ...turn, eventId: z.string().min(1).max(200) };

/** The messages of the panel about requests; each answer carries the number of what it answers. */
export const requestMessages = [
  /** Lays a request open; its messages as lines from `from` on. */
  z.strictObject({ type: z.literal("request"), request, ...sent, from: offset }),
  /** A part of the body as it was sent. */
  z.strictObject({ type: z.literal("request.raw"), request, ...sent, offset }),
  /** Puts the whole body on the clipboard. */
  z.strictObject({ type: z.literal("request.copy"), ...sent }),
  /** The conversation as it stands after a turn; its messages as lines from `from` on. */
  z.strictObject({ type: z.literal("conversation"), request, ...turn, from: offset }),
  /** How far the prompts of a turn that has ended begin alike. */
  z.strictObject({ type: z.literal("prefill"), ...turn }),
] as const;

/** What the host says of requests. */
export type RequestHostMessage =
  | {
      readonly type: "request";
      readonly request: number;
      readonly turnId: string;
      readonly eventId: string;
      /** Absent: the log does not hold it. */
      readonly view?: RequestView;
      readonly from: number;
      readonly heads: readonly MessageHead[];
      /** Where the next page starts, null at the end. */
      readonly next: number | null;
    }
  | {
      readonly type: "request.raw";
      readonly request: number;
      readonly eventId: string;
      readonly text: string;
      readonly offset: number;
      readonly next: number | null;
      readonly length: number;
    }
  | { readonly type: "request.copied"; readonly eventId: string }
  /** Without a view: the turn asked no model. */
  | { readonly type: "prefill"; readonly turnId: string; readonly view?: PrefillView }
  | {
      readonly type: "conversation";
      readonly request: number;
      readonly turnId: string;
      readonly view: ConversationView;
      readonly from: number;
      readonly next: number | null;
    };
