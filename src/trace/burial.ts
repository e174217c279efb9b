import { MAX_COMPACTED_TURNS } from "../agent/events-context.ts";
import { isJsonList, isJsonObject } from "../agent/json.ts";
import type { Json, JsonObject } from "../agent/models/types.ts";
import { Mention } from "./mentions.ts";
import { NOTEBOOK_TYPES } from "./notebook/cell-lines.ts";
import { TextSet } from "./text-set.ts";
import { buriedEvent, cleanCompaction, cleanMessage, cleanResult, tombstoneText } from "./tombstone.ts";

const MAX_DEPTH = 40;

/** A turn, named. */
export interface BuriedTurn {
  readonly sessionId: string;
  readonly turnId: string;
}

/** What is to be buried. */
export interface BurialOf {
  /** Turns whose text goes. */
  readonly turns: readonly BuriedTurn[];
  /** Ids of memories that are gone: what recalled them goes too. */
  readonly memoryIds?: readonly string[];
  /**
   * What tools and prompts of other turns hold goes too where it mentions these words; in the sessions of `turns` only,
   * or everywhere.
   */
  readonly about?: { readonly words: string; readonly everywhere: boolean };
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/**
 * What is to be taken out of the logs: the texts of some turns, wherever they stand. A log is looked through twice,
 * first by `look`, then by `bury`, event by event.
 *
 * Of the turns themselves no text is left. Other turns lose what they carried of them: as messages of the conversation
 * so far, as what their tools and context cards recalled, and as what a branch took over.
 */
export class Burial {
  readonly time: number;
  readonly turnIds: ReadonlySet<string>;
  readonly sessionIds: ReadonlySet<string>;
  /** Memories that are gone: those named, and the episodes of the turns as far as they were met. */
  readonly memoryIds: Set<string>;
  /** What the turns said. */
  readonly said = new TextSet();
  readonly #about: Mention;
  readonly #everywhere: boolean;
  readonly #tombstone: string;
  /** What other turns were given of it. */
  readonly #recalled = new TextSet();
  /** What the turns asked of tools. Ids of calls tell nothing: servers give the same ones in every turn. */
  readonly #asked = new Set<string>();
  /** Events of other turns that gave something forgotten. */
  readonly #tainted = new Set<string>();
  /** Turns that branch off one that goes, by whatever way: what they took over from it goes too. */
  readonly #branches = new Set<string>();

  constructor({ turns, memoryIds = [], about, time }: BurialOf) {
    this.turnIds = new Set(turns.map(({ turnId }) => turnId));
    this.sessionIds = new Set(turns.map(({ sessionId }) => sessionId.toLowerCase()));
    this.memoryIds = new Set(memoryIds);
    this.time = time;
    this.#about = new Mention(about?.words ?? "");
    this.#everywhere = about?.everywhere === true;
    this.#tombstone = tombstoneText(time);
  }

  /** Whether a line of a log may speak of what goes, wherever that matters: a quick look, which misses none. */
  mayConcern(line: string): boolean {
    return this.#everywhere && this.#about.mayBeIn(line);
  }

  /** Notes what an event says that has to go. */
  look(event: JsonObject): void {
    const { type, id, turnId, data, sessionId } = event;
    if (!isJsonObject(data) || typeof turnId !== "string" || typeof id !== "string") return;
    if (type === "turn.start") this.#lookAtBranch(turnId, data);
    if (this.turnIds.has(turnId)) this.#lookAtOwn(type, data);
    else if (
      (type === "tool.result" || type === "memory.card") &&
      this.#isTainted(data, this.#mentionsIn(sessionId), 0)
    ) {
      this.#tainted.add(id);
      this.#recalled.add(data[type === "tool.result" ? "result" : "text"]);
    } else if (type === "context.compacted" && this.#summarises(data, this.#mentionsIn(sessionId))) {
      // The prompts of later turns hold it in the place of the turns that it sums up.
      this.#recalled.add(data["summary"]);
    }
  }

  /**
   * The event, or the line of a notebook's cell, as the log goes on to hold it; the same object when it holds nothing of
   * what goes.
   *
   * @param sessionId whose log it is
   */
  bury(event: JsonObject, sessionId: string): JsonObject {
    const { type, id, turnId, data } = event;
    if (typeof type === "string" && type.startsWith(NOTEBOOK_TYPES))
      return this.#withoutCellText(event, this.#mentionsIn(sessionId));
    if (typeof turnId === "string" && this.turnIds.has(turnId)) return buriedEvent(event, this.time);
    if (!isJsonObject(data) || typeof id !== "string") return event;
    const isBranch = typeof turnId === "string" && this.#branches.has(turnId);
    if (isBranch && typeof event["replays"] === "string") return buriedEvent(event, this.time);
    const own = isBranch ? this.#withoutTaken(type, data) : data;
    const changed = this.#without(type, id, own, this.#mentionsIn(event["sessionId"]));
    return changed === data ? event : { ...event, data: changed };
  }

  /** A cell of a notebook: its turn's question as it was changed goes with the turn, any other text by what it says. */
  #withoutCellText(line: JsonObject, mentions: (text: string) => boolean): JsonObject {
    const { text, turn, ...rest } = line;
    if (text === undefined) return line;
    // Without a text of its own it shows what became of the turn's question.
    if (typeof turn === "string" && this.turnIds.has(turn)) return { ...rest, turn };
    const goes = this.said.isIn(text) || (typeof text === "string" && mentions(text));
    return goes ? { ...line, text: this.#tombstone } : line;
  }

  /** What the words are looked for with in a session: not at all where they don't matter. */
  #mentionsIn(sessionId: Json | undefined): (text: string) => boolean {
    const matters =
      this.#everywhere || (typeof sessionId === "string" && this.sessionIds.has(sessionId.toLowerCase()));
    return matters ? (text) => this.#about.isIn(text) : () => false;
  }

  #lookAtBranch(turnId: string, data: JsonObject): void {
    const fork = data["conclave.fork"];
    const from = isJsonObject(fork) ? fork["turnId"] : undefined;
    if (!isJsonObject(fork) || typeof from !== "string") return;
    if (!this.turnIds.has(from) && !this.#branches.has(from)) return;
    this.#branches.add(turnId);
    // What was changed is what was there, in all but a few words; another question is the branch's own.
    for (const edit of list(fork["edits"]))
      if (isJsonObject(edit) && edit["part"] !== "question") this.said.add(edit["text"]);
  }

  /** What a branch says without what it took over: what was changed of it, calls and results. */
  #withoutTaken(type: Json | undefined, data: JsonObject): JsonObject {
    if (type === "turn.end")
      return replaced(data, "conclave.messages", (message) =>
        isJsonObject(message) && (this.#asksIt(message) || this.#isTakenResult(message))
          ? cleanMessage(message, this.#tombstone)
          : message,
      );
    if (type === "turn.start") return this.#withoutEdits(data);
    if (type !== "response.generation") return data;
    return replaced(data, "tool_calls", (call) => {
      if (!isJsonObject(call)) return call;
      const asked = this.#asked.has(askedBy(call) ?? "") ? { ...call, arguments: {} } : call;
      return this.said.isIn(call["result"]) ? { ...asked, result: this.#tombstone } : asked;
    });
  }

  #isTakenResult({ role, content }: JsonObject): boolean {
    return role === "tool" && this.said.isIn(content);
  }

  #withoutEdits(data: JsonObject): JsonObject {
    const fork = data["conclave.fork"];
    if (!isJsonObject(fork)) return data;
    const left = replaced(fork, "edits", (edit) =>
      isJsonObject(edit) && edit["part"] !== "question" ? { ...edit, text: this.#tombstone } : edit,
    );
    return left === fork ? data : { ...data, "conclave.fork": left };
  }

  #lookAtOwn(type: Json | undefined, data: JsonObject): void {
    if (type === "query.received") this.said.add(data["query"]);
    else if (type === "answer.dialog" || type === "response.generation") this.said.add(data["answer"]);
    else if (type === "shadow.answer") {
      this.said.add(data["answer"]);
      for (const episode of list(data["conclave.episode_ids"])) this.#idGoes(episode);
    } else if (type === "model.end") {
      this.said.add(data["content"]);
      for (const call of list(data["tool_calls"])) this.#ask(call);
    } else if (type === "tool.request") this.#ask(data);
    else if (type === "tool.result") this.said.add(data["result"]);
    else if (type === "turn.end") {
      for (const message of list(data["conclave.messages"]))
        if (isJsonObject(message)) this.said.add(message["content"]);
    } else if (type === "memory.ingested") {
      for (const episode of list(data["conclave.episode_ids"])) this.#idGoes(episode);
    } else if (type === "memory.learned" && isJsonObject(data["conclave.learned"])) {
      for (const fact of list(data["conclave.learned"]["added"]))
        if (isJsonObject(fact)) this.#idGoes(fact["id"]);
    }
  }

  #idGoes(id: Json | undefined): void {
    if (typeof id === "string") this.memoryIds.add(id);
  }

  #ask(call: Json): void {
    const asked = askedBy(call);
    if (asked !== undefined) this.#asked.add(asked);
  }

  /** Whether a message asks of tools what the turns asked of them. */
  #asksIt({ toolCalls }: JsonObject): boolean {
    return list(toolCalls).some((call) => this.#asked.has(askedBy(call) ?? ""));
  }

  /** Whether it names a memory or a turn that goes, or speaks of what goes. */
  #isTainted(value: Json | undefined, mentions: (text: string) => boolean, depth: number): boolean {
    if (typeof value === "string") {
      const id = value.startsWith("memory:") ? value.slice("memory:".length) : value;
      return this.memoryIds.has(id) || this.turnIds.has(id) || mentions(value);
    }
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return false;
    const parts: readonly Json[] = Object.values(value);
    return parts.some((part) => this.#isTainted(part, mentions, depth + 1));
  }

  #without(
    type: Json | undefined,
    id: string,
    data: JsonObject,
    mentions: (text: string) => boolean,
  ): JsonObject {
    switch (type) {
      case "model.start":
        return this.#messages(
          data,
          (text) => this.said.isIn(text) || this.#recalled.isIn(text) || mentions(text),
        );
      case "turn.end":
        // What the turn itself said stays its own, even where it says the same.
        return this.#messages(data, (text) => this.#recalled.isIn(text));
      case "tool.result":
        return this.#tainted.has(id) ? cleanResult(data, this.#tombstone) : data;
      case "memory.card":
        return this.#tainted.has(id) ? { ...data, text: this.#tombstone, parts: [] } : data;
      case "response.generation":
        return replaced(data, "tool_calls", (call) =>
          isJsonObject(call) && this.#recalled.isIn(call["result"])
            ? { ...call, result: this.#tombstone }
            : call,
        );
      case "context.compacted":
        return this.#summarises(data, mentions) ? cleanCompaction(data, this.#tombstone) : data;
      case "memory.learned":
        return this.#forgetRows(data, mentions, 0) as JsonObject;
      default:
        return data;
    }
  }

  /** Whether a summary stands for a turn that goes, or speaks of what goes. */
  #summarises({ turns, summary }: JsonObject, mentions: (text: string) => boolean): boolean {
    const named = list(turns);
    // A full list has lost its oldest: whether one that goes was among them can't be told any more.
    const standsFor =
      named.length >= MAX_COMPACTED_TURNS ||
      named.some((id) => typeof id === "string" && this.turnIds.has(id));
    return standsFor || (typeof summary === "string" && (this.said.isIn(summary) || mentions(summary)));
  }

  #messages(data: JsonObject, goes: (text: string) => boolean): JsonObject {
    return replaced(data, "conclave.messages", (message) => {
      if (!isJsonObject(message) || message["role"] === "system") return message;
      const { content } = message;
      return this.#asksIt(message) || (typeof content === "string" && goes(content))
        ? cleanMessage(message, this.#tombstone)
        : message;
    });
  }

  /** Rows of memory that an event lists, such as what was learnt: those that are gone lose their text. */
  #forgetRows(value: Json, mentions: (text: string) => boolean, depth: number): Json {
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
    if (isJsonList(value)) {
      const left = value.map((item) => this.#forgetRows(item, mentions, depth + 1));
      return left.every((item, at) => item === value[at]) ? value : left;
    }
    const row = value;
    const isGone = typeof row["id"] === "string" && this.memoryIds.has(row["id"]);
    if (isGone || (typeof row["text"] === "string" && mentions(row["text"])))
      return { ...(row["id"] === undefined ? {} : { id: row["id"] }), text: this.#tombstone };
    const entries = Object.entries(row);
    const left = entries.map(([key, part]) => [key, this.#forgetRows(part, mentions, depth + 1)] as const);
    return left.every(([, part], at) => part === entries[at]?.[1]) ? value : Object.fromEntries(left);
  }
}

/** What a call asks for, to be told from others; undefined when it asks for nothing. */
function askedBy(call: Json): string | undefined {
  if (!isJsonObject(call)) return undefined;
  const { name, arguments: args } = call;
  return isJsonObject(args) && Object.keys(args).length > 0 ? JSON.stringify([name, args]) : undefined;
}

function list(value: Json | undefined): readonly Json[] {
  return isJsonList(value) ? value : [];
}

/** Data with the items of one of its lists changed; the same object when none was. */
function replaced(data: JsonObject, key: string, change: (item: Json) => Json): JsonObject {
  const items = list(data[key]);
  const left = items.map(change);
  return left.every((item, at) => item === items[at]) ? data : { ...data, [key]: left };
}
