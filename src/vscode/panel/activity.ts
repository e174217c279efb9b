import type { TurnEvent } from "../../agent/events.ts";
import type { ActivityHostMessage, ActivityStanding } from "../../trace/panel-activity.ts";
import { MAX_MESSAGE_BYTES } from "../../trace/panel-limits.ts";
import type { PanelMessage } from "../../trace/panel-protocol.ts";
import {
  callFigures,
  gradeFigures,
  isFailure,
  memoryFigures,
  saysAll,
  toolLines,
  toolNames,
} from "../../trace/activity/figures.ts";
import { ActivityLedger } from "../../trace/activity/ledger.ts";
import { rewardsByAgent } from "../../trace/activity/reward-fold.ts";
import type {
  ActivityFigures,
  ActivityRecord,
  CallRecord,
  GradeRecord,
  MemoryRecord,
  ToolInfo,
  ToolLine,
  VerdictRecord,
} from "../../trace/activity/records.ts";
import type { PanelHostDeps } from "./deps.ts";
import { Outside } from "./outside.ts";
import type { HostPart } from "./part.ts";

type MessageOf<Type extends PanelMessage["type"]> = Extract<PanelMessage, { readonly type: Type }>;
type Watch = MessageOf<"activity.watch">;

/** What changed is told so often, in milliseconds. */
const TELL_MS = 300;
/** Rows of a page. */
const PAGE = 100;

/** A reading of the log. */
class Loading {
  readonly stop = new AbortController();
  done = Promise.resolve();
  private isStale = false;

  /** The log changed meanwhile: it is read once more. */
  stale(): void {
    this.isStale = true;
  }

  /** Whether it has to be read once more; says so once. */
  takeStale(): boolean {
    const { isStale } = this;
    this.isStale = false;
    return isStale;
  }
}

/** What the activity of a panel works with. */
export interface ActivityDeps {
  readonly deps: Pick<
    PanelHostDeps,
    "engine" | "log" | "source" | "tools" | "onForgotten" | "onDeleted" | "onLogChange"
  >;
  readonly post: (message: ActivityHostMessage) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * What tools, critics and memory did over all sessions: read from the log once it is asked for, newest session first,
 * told as it is read, and kept up to date by what happens in this window and in others.
 */
export class Activity implements HostPart {
  private readonly host: ActivityDeps;
  private readonly ledger: ActivityLedger | undefined;
  private readonly outside = new Outside();
  private readonly stops: readonly (() => void)[];
  /** What is shown. */
  private watch: Watch | undefined;
  /** The records that fit what is shown; made anew after each change. */
  private fitting: readonly ActivityRecord[] | undefined;
  /** The reading of the log that is under way. */
  private loading: Loading | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ActivityDeps) {
    this.host = host;
    const { engine, log, source, onForgotten, onDeleted, onLogChange } = host.deps;
    const { lines } = log;
    if (lines !== undefined)
      this.ledger = new ActivityLedger({
        log: {
          sessions: (page) => log.sessions(page),
          lines: (sessionId) => lines.call(log, sessionId),
          flush: () => log.flush(),
        },
        isRunning: (sessionId, turnId) => engine.running(sessionId)?.turnId === turnId,
      });
    const stops = [
      onForgotten?.(() => this.again(true)),
      onDeleted?.(() => this.again(true)),
      source?.onChange((change) => {
        if (change !== "state") this.again(change === "all");
      }),
      onLogChange?.((change) => {
        if (this.outside.of(change).sessionIds.length > 0) this.again(false);
      }),
    ];
    this.stops = stops.flatMap((stop) => stop ?? []);
  }

  async receive(message: PanelMessage): Promise<void> {
    switch (message.type) {
      case "activity.watch": {
        const isFirst = this.watch === undefined;
        this.watch = message;
        const read = isFirst ? this.load() : undefined;
        this.tell();
        await read;
        return;
      }
      case "activity.page":
        this.page(message);
        return;
      case "activity.leave":
        this.sleep();
        return;
      default:
        // The other parts' messages.
        return;
    }
  }

  hear(event: TurnEvent): void {
    this.outside.hear(event);
    if (this.watch === undefined) return;
    const isEnd = event.type === "turn.end";
    if (this.ledger?.take(event) === true || isEnd) this.changed();
  }

  sleep(): void {
    this.watch = undefined;
    this.fitting = undefined;
    this.loading?.stop.abort();
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  dispose(): void {
    this.sleep();
    this.ledger?.clear();
    for (const stop of this.stops) stop();
  }

  /** Something may be gone from the log, or somebody else wrote to it. */
  private again(isGone: boolean): void {
    if (isGone) {
      this.loading?.stop.abort();
      this.ledger?.clear();
      this.fitting = undefined;
    }
    if (this.watch === undefined) return;
    void this.load();
    if (isGone) this.tell();
  }

  /** Reads the log; where it is read already, once more after that. Never rejects. */
  private async load(): Promise<void> {
    const { ledger, loading: before } = this;
    if (ledger === undefined) return;
    if (before !== undefined && !before.stop.signal.aborted) {
      before.stale();
      await before.done;
      return;
    }
    const loading = new Loading();
    loading.done = this.read(ledger, loading, before);
    this.loading = loading;
    await loading.done;
  }

  private async read(ledger: ActivityLedger, loading: Loading, before: Loading | undefined): Promise<void> {
    const { signal } = loading.stop;
    await before?.done;
    do await ledger.load(signal, () => this.changed());
    while (loading.takeStale() && !signal.aborted);
    if (this.loading !== loading) return;
    this.loading = undefined;
    if (!signal.aborted) this.tell();
  }

  /** Something changed: it is told in a moment. */
  private changed(): void {
    this.fitting = undefined;
    this.timer ??= setTimeout(() => this.tell(), TELL_MS);
  }

  private tell(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.fitting = undefined;
    const { watch, ledger } = this;
    if (watch === undefined || ledger === undefined) return;
    const { request } = watch;
    const standing: ActivityStanding = { reading: this.loading !== undefined, older: ledger.older };
    if (watch.of === "tools") {
      this.host.post({ type: "activity.tools", request, tools: this.lines(), standing });
      return;
    }
    const tool = this.lines().find(({ name }) => `tool:${name}` === watch.of);
    const figures = this.figures(watch);
    const total = this.rows(watch).length;
    this.host.post({ type: "activity.summary", request, total, figures, standing, ...(tool && { tool }) });
  }

  private page({ request, from }: MessageOf<"activity.page">): void {
    const { watch } = this;
    if (watch?.request !== request) return;
    const rows: ActivityRecord[] = [];
    let bytes = 0;
    for (const row of this.rows(watch).slice(from, from + PAGE)) {
      bytes += Buffer.byteLength(JSON.stringify(row));
      // The rest is asked for as a page of its own.
      if (bytes > MAX_MESSAGE_BYTES / 2) break;
      rows.push(row);
    }
    this.host.post({ type: "activity.page", request, from, rows });
  }

  private lines(): readonly ToolLine[] {
    return toolLines(this.tools(), this.calls(), this.now());
  }

  /** A file's last days are those before its latest record: it may be from long ago. */
  private now(): number {
    const { deps, now } = this.host;
    return deps.source === undefined ? now() : (this.ledger?.all()[0]?.time ?? now());
  }

  private tools(): readonly ToolInfo[] {
    return this.host.deps.tools?.() ?? [];
  }

  private calls(): readonly CallRecord[] {
    return (this.ledger?.all() ?? []).filter((record): record is CallRecord => record.kind === "call");
  }

  /** All that what is shown is about. */
  private about({ of }: Watch): readonly ActivityRecord[] {
    if (of.startsWith("tool:")) {
      const named = toolNames(this.tools());
      return this.calls().filter(({ tool }) => `tool:${named(tool)}` === of);
    }
    const all = this.ledger?.all() ?? [];
    return of === "memory" ? all.filter(isMemory) : all.filter(isJudgement);
  }

  private rows(watch: Watch): readonly ActivityRecord[] {
    const words = watch.filter.toLowerCase().split(/\s+/u).filter(Boolean);
    const part = watch.of.startsWith("critic:") ? PARTS[watch.of.slice("critic:".length)] : undefined;
    this.fitting ??= this.about(watch).filter(
      (record) =>
        (part === undefined || part(record)) && (!watch.only || standsOut(record)) && saysAll(record, words),
    );
    return this.fitting;
  }

  private figures(watch: Watch): ActivityFigures {
    const records = this.about(watch);
    const now = this.now();
    if (watch.of.startsWith("critic")) {
      const rewards = rewardsByAgent(this.ledger?.rewards() ?? []);
      return { ...gradeFigures(records.filter(isJudgement), now), ...(rewards.length > 0 && { rewards }) };
    }
    if (watch.of === "memory") return memoryFigures(records.filter(isMemory));
    return callFigures(records.filter(isCall), now);
  }
}

/** What is left when only failures, or only corrected grades, are to be seen. */
function standsOut(record: ActivityRecord): boolean {
  if (record.kind === "call") return isFailure(record);
  if (record.kind === "grade") return record.corrected !== undefined;
  return false;
}

/** What of the critic's is shown, by the part after the colon. */
const PARTS: { readonly [part: string]: (record: ActivityRecord) => boolean } = {
  graded: (record) => record.kind === "grade" && record.score !== null,
  ungraded: (record) => record.kind === "grade" && record.score === null,
  compared: (record) => record.kind === "verdict",
};

function isCall(record: ActivityRecord): record is CallRecord {
  return record.kind === "call";
}

function isMemory(record: ActivityRecord): record is MemoryRecord {
  return record.kind === "memory";
}

function isJudgement(record: ActivityRecord): record is GradeRecord | VerdictRecord {
  return record.kind === "grade" || record.kind === "verdict";
}
