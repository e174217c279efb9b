import type { TraceFile } from "../../trace/files/trace-file.ts";
import type { PanelSource, SourceAction } from "../../trace/panel-source.ts";
import type { PanelSourcePort, SourceChange, TurnRef } from "../panel/deps.ts";

/** The list is drawn anew each time so much more of a large file was read. */
const GROWTH = 1.5;

/** What the panel is told of a file. */
export class FilePort implements PanelSourcePort {
  private readonly file: TraceFile;
  private readonly name: string;
  private readonly doAct: PanelSourcePort["act"];

  constructor(file: TraceFile, name: string, act: PanelSourcePort["act"]) {
    this.file = file;
    this.name = name;
    this.doAct = act;
  }

  get(): PanelSource {
    const { state, progress, events, notes } = this.file.status();
    const isForeign = state === "read" && events === 0;
    return { kind: "file", name: this.name, state: isForeign ? "foreign" : state, progress, notes };
  }

  act(action: SourceAction, sessionId?: string): Promise<void> {
    return this.doAct(action, sessionId);
  }

  async first(chosen: TurnRef | null): Promise<TurnRef | undefined> {
    if (chosen !== null && (await this.file.holds(chosen.sessionId, chosen.turnId))) return chosen;
    return await this.file.firstTurn();
  }

  onChange(listener: (change: SourceChange) => void): () => void {
    const changes = new Changes(this.file);
    return this.file.onChange(() => listener(changes.next()));
  }
}

/** What each change of a file is to one who listens. */
class Changes {
  private readonly file: TraceFile;
  /** Events that were there when the list was drawn last. */
  private drawn = 0;
  /** Which reading of the file is drawn. */
  private reading = 0;

  constructor(file: TraceFile) {
    this.file = file;
  }

  next(): SourceChange {
    const { state, events, reading } = this.file.status();
    const isAnew = this.reading !== 0 && reading !== this.reading;
    if (state === "reading" && (isAnew || events < Math.max(1, this.drawn * GROWTH))) return "state";
    this.drawn = events;
    if (state !== "reading") this.reading = reading;
    return isAnew ? "all" : "turns";
  }
}
