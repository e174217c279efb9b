import type { EventOf, TurnEvent } from "../../agent/events.ts";
import type { ToolSchema } from "../../agent/models/types.ts";
import { prefixDifference } from "./prefix.ts";
import { soundMessages, soundTools } from "./sound.ts";

type ModelStart = EventOf<"model.start">;
type ModelEnd = EventOf<"model.end">;

/** A request, and what came of it. */
export interface SentRequest {
  readonly start: ModelStart;
  /** Absent while it runs. */
  end?: ModelEnd;
  /** The tools of its agent, and the event that holds them. */
  readonly offered: readonly ToolSchema[];
  readonly offeredBy?: string;
  /** The share of it that its server had read already, with the request before it; 0 to 1. */
  readonly known: number;
}

/** A request as the log tells of it. */
export interface FoundRequest {
  readonly request: SentRequest;
  /** The request before it that was sent to the same model; absent where none is known. */
  readonly before?: SentRequest;
  /** How quickly prompts were read, at the slowest, by the requests before it: tokens a millisecond; absent: not known. */
  readonly readingSpeed?: number;
  /** What its turn was asked; empty when that is not known. */
  readonly question: string;
  /** Tokens that the server counts for each of the plain estimate; 1 when that is not known. */
  readonly calibration: number;
}

/** Prompts that took less than this say nothing of how quickly one is read, in milliseconds. */
const MEASURABLE_MS = 20;

/**
 * Finds a request in the events of a log, given in their order, those of earlier turns first. Holds no more of the log
 * than the latest request to each model.
 */
export class RequestFinder {
  readonly #eventId: string;
  readonly #turnId: string;
  /** By the id of an agent, or of one of its steps. */
  readonly #offered = new Map<string, EventOf<"tool.schema">>();
  readonly #hosts = new Map<string, string>();
  /** By model and server. */
  readonly #latest = new Map<string, SentRequest>();
  readonly #speeds = new Map<string, number>();
  #question = "";
  #calibration = 1;
  #found: Omit<FoundRequest, "question" | "calibration"> | undefined;

  constructor(turnId: string, eventId: string) {
    this.#turnId = turnId;
    this.#eventId = eventId;
  }

  /** Takes the next event; true once nothing more is needed. */
  take(event: TurnEvent): boolean {
    switch (event.type) {
      case "query.received":
        if (event.turnId === this.#turnId) this.#question = event.data.query;
        return false;
      case "agent.start":
        this.#hosts.set(event.id, event.data["conclave.host"] ?? "");
        return false;
      case "tool.schema":
        if (event.parentId !== null) this.#offered.set(event.parentId, event);
        return false;
      case "step.start":
        // A request stands under its step, and the step under its agent.
        if (event.parentId !== null) this.#underAgent(event.id, event.parentId);
        return false;
      case "context.budget":
        if (this.#found === undefined) this.#calibration = event.data.calibration;
        return false;
      case "model.start":
        this.#start(soundStart(event));
        return false;
      case "model.end":
        return this.#end(event);
      default:
        return event.type === "turn.end" && this.#found !== undefined && event.turnId === this.#turnId;
    }
  }

  /** The request; nothing when it is not among the events. */
  found(): FoundRequest | undefined {
    return this.#found && { ...this.#found, question: this.#question, calibration: this.#calibration };
  }

  #underAgent(stepId: string, agentId: string): void {
    const tools = this.#offered.get(agentId);
    if (tools !== undefined) this.#offered.set(stepId, tools);
    this.#hosts.set(stepId, this.#hosts.get(agentId) ?? "");
  }

  #start(start: ModelStart): void {
    const key = this.#keyOf(start);
    const before = this.#latest.get(key);
    const schema = this.#offered.get(start.parentId ?? "");
    const request: SentRequest = {
      start,
      offered: schema === undefined ? [] : soundTools(schema.data.tools),
      ...(schema && { offeredBy: schema.id }),
      known: before === undefined ? 0 : knownShare(before.start, start),
    };
    this.#latest.set(key, request);
    if (start.id !== this.#eventId || start.turnId !== this.#turnId) return;
    const readingSpeed = this.#speeds.get(key);
    this.#found = { request, ...(before && { before }), ...(readingSpeed !== undefined && { readingSpeed }) };
  }

  #end(end: ModelEnd): boolean {
    for (const [key, request] of this.#latest) {
      if (request.start.id !== end.id) continue;
      request.end = end;
      const speed = speedOf(request);
      if (speed !== undefined) this.#speeds.set(key, Math.min(speed, this.#speeds.get(key) ?? Infinity));
    }
    const isIt = this.#found?.request.start.id === end.id && end.turnId === this.#turnId;
    if (isIt && this.#found !== undefined) this.#found.request.end = end;
    return isIt;
  }

  #keyOf({ parentId, data }: ModelStart): string {
    return JSON.stringify([this.#hosts.get(parentId ?? "") ?? "", data["gen_ai.request.model"]]);
  }
}

function soundStart(start: ModelStart): ModelStart {
  const messages = start.data["conclave.messages"];
  const sound = soundMessages(messages);
  return sound === messages ? start : { ...start, data: { ...start.data, "conclave.messages": sound } };
}

/** How quickly a prompt was read, going by what was new of it. */
function speedOf({ end, known }: SentRequest): number | undefined {
  const tokens = end?.data["gen_ai.usage.input_tokens"];
  const ms = end?.data["conclave.prompt_ms"];
  if (tokens === undefined || ms === undefined || ms < MEASURABLE_MS) return undefined;
  return (tokens * Math.max(0.01, 1 - known)) / ms;
}

function knownShare(before: ModelStart, start: ModelStart): number {
  const one = before.data["conclave.messages"];
  const { sameCharacters, characters } = prefixDifference(one, start.data["conclave.messages"]);
  return characters === 0 ? 0 : sameCharacters / characters;
}
