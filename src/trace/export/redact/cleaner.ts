import type { TurnEvent } from "../../../agent/events.ts";
import { isJsonList, isJsonObject } from "../../../agent/json.ts";
import type { Json, JsonObject } from "../../../agent/models/types.ts";
import { HomeFolders } from "./home.ts";
import { KnownTexts } from "./known-texts.ts";
import { LeaveOut } from "./leave-out.ts";
import { LEFT_OUT, NO_CLEANING, type CleanOptions, type CleanReport } from "./options.ts";
import { SecretsOfLog } from "./secrets-of-log.ts";
import { mapTexts } from "./walk.ts";

/** What is known of the machine that exports. */
export interface CleanContext {
  readonly home?: string;
  /** Texts that are secret wherever they stand, such as keys that the user stored. */
  readonly secrets?: readonly string[];
}

/** Lines of texts that are left out are found again when they are told elsewhere; shorter ones say too little. */
const LEAST_LINE = 24;
const MAX_LINES = 100_000;

/** What stands between two such lines goes with them, up to so many units. */
const MAX_GAP = 48;

/** Names of fields that hold the messages of a request or of a conversation. */
const MESSAGES = "conclave.messages";

interface Place {
  readonly start: number;
  readonly end: number;
  readonly marker: string;
  /** What it counts as in the report; undefined: it goes with what stands beside it. */
  readonly what: string;
}

/**
 * Takes out of events what is not to leave the machine. The events are shown to it twice, first to `look`, so that a
 * secret is known before the first event is written, then to `clean`. Neither changes what it is given.
 */
export class Cleaner {
  readonly #options: CleanOptions;
  readonly #secrets: SecretsOfLog;
  readonly #leaveOut: LeaveOut;
  readonly #home: HomeFolders;
  readonly #lines = new KnownTexts<string>({
    window: LEAST_LINE,
    beginnings: true,
    most: MAX_LINES,
    alike: 256,
  });
  readonly #counts = new Map<string, number>();
  /** Requests repeat the messages of those before them, the very same objects: each is gone through once. */
  readonly #looked = new WeakSet<object>();
  readonly #cleaned = new WeakMap<object, Json>();

  constructor(options: CleanOptions, context: CleanContext = {}) {
    this.#options = options;
    this.#secrets = new SecretsOfLog(options.secrets ? context.secrets : []);
    this.#home = new HomeFolders(context.home);
    this.#leaveOut = new LeaveOut(options, ({ text, marker }) => this.#noteLines(text, marker));
  }

  /** Notes what an event says that is not to be told. */
  look(event: TurnEvent): void {
    if (!this.#isNeeded()) return;
    const { [MESSAGES]: messages, ...rest } = this.#dataOf(event);
    const data = this.#leaveOut.data(event.type, rest);
    this.#lookAt(data);
    if (!isJsonList(messages)) return;
    for (const message of messages) {
      if (isJsonObject(message) && this.#looked.has(message)) continue;
      if (isJsonObject(message)) this.#looked.add(message);
      this.#lookAt(this.#leaveOut.message(message));
    }
  }

  /** The event without it. */
  clean(event: TurnEvent): TurnEvent {
    if (!this.#isNeeded()) return event;
    const data = this.#dataOf(event);
    const { [MESSAGES]: messages } = data;
    // The messages are gone through apart, and keep their place among the fields.
    const rest = messages === undefined ? data : { ...data, [MESSAGES]: null };
    const left = this.#leaveOut.data(event.type, rest);
    this.#countLeft(rest, left);
    const head = mapTexts({ ...(event as unknown as JsonObject), data: {} }, this.#change) as JsonObject;
    const told = mapTexts(left, this.#change) as JsonObject;
    const own = messages === undefined ? {} : { [MESSAGES]: this.#messages(messages) };
    return { ...head, data: { ...told, ...own } } as unknown as TurnEvent;
  }

  /** What `clean` took out so far. */
  report(): CleanReport {
    return [...this.#counts]
      .map(([what, count]) => ({ what, count }))
      .sort((a, b) => b.count - a.count || a.what.localeCompare(b.what));
  }

  #isNeeded(): boolean {
    return Object.entries(this.#options).some(([name, on]) => on !== NO_CLEANING[name as keyof CleanOptions]);
  }

  #dataOf(event: TurnEvent): JsonObject {
    const data = event.data as unknown as Json;
    return isJsonObject(data) ? data : {};
  }

  #lookAt(value: Json): void {
    if (!this.#options.secrets) return;
    mapTexts(value, (text, name) => {
      this.#secrets.look(text, name);
      return text;
    });
  }

  #messages(messages: Json): Json {
    if (!isJsonList(messages)) return mapTexts(messages, this.#change);
    return messages.map((message) => {
      if (!isJsonObject(message)) return mapTexts(message, this.#change);
      let clean = this.#cleaned.get(message);
      if (clean === undefined) {
        const left = this.#leaveOut.message(message);
        this.#countLeft(message, left);
        clean = mapTexts(left, this.#change);
        this.#cleaned.set(message, clean);
      }
      return clean;
    });
  }

  readonly #change = (text: string, name?: string): string => {
    const places = this.#places(text, name);
    let changed = "";
    let from = 0;
    for (const { start, end, marker, what } of places) {
      changed += text.slice(from, start) + marker;
      from = end;
      this.#count(what);
    }
    changed = places.length === 0 ? text : changed + text.slice(from);
    if (!this.#options.home) return changed;
    const home = this.#home.replace(changed);
    this.#count("home folder", home.count);
    return home.text;
  };

  /** What of a text goes, in order, without overlaps: what is left out takes the secrets in it along. */
  #places(text: string, name: string | undefined): readonly Place[] {
    if (isLeftOut(text)) return [];
    const left = this.#leftOut(text);
    const secrets = this.#options.secrets ? this.#secrets.redactions(text, name) : [];
    const outside = secrets.filter(
      ({ start, end }) => !left.some((one) => start < one.end && end > one.start),
    );
    const all = [...left, ...outside.map((secret) => ({ ...secret, what: secret.kind }))];
    return all.sort((a, b) => a.start - b.start);
  }

  #leftOut(text: string): readonly Place[] {
    const places: Place[] = [];
    for (const { start, end, name: marker } of this.#lines.find(text)) {
      const last = places.at(-1);
      const isNext = last?.marker === marker && start - last.end <= MAX_GAP;
      if (isNext) places[places.length - 1] = { ...last, end };
      else places.push({ start, end, marker, what: whatOf(marker) });
    }
    return places;
  }

  #noteLines(text: string, marker: string): void {
    for (const line of text.split(/\r?\n/)) {
      const plain = line.replace(/^\s*(?:\d{1,7}(?: {2}|\t|:))?/, "").trimEnd();
      this.#lines.add(plain, marker);
    }
  }

  /** Counts the texts that went as a whole. */
  #countLeft(before: Json, after: Json): void {
    if (before === after) return;
    mapTexts(after, (text) => {
      if (isLeftOut(text)) this.#count(whatOf(text));
      return text;
    });
  }

  #count(what: string, by = 1): void {
    if (by > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }
}

const MARKERS: ReadonlySet<string> = new Set(Object.values(LEFT_OUT));

function isLeftOut(text: string): boolean {
  return MARKERS.has(text);
}

function whatOf(marker: string): string {
  return marker.slice("[left out: ".length, -1);
}
