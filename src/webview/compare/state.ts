import { markInterrupted } from "../../trace/fold.ts";
import { emptyTurn, type TurnModel } from "../../trace/model.ts";
import type { Side } from "../../trace/panel-compare.ts";
import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";
import { foldPosted, type Cuts } from "../../trace/posted.ts";

/** A turn, named. */
export interface TurnName {
  readonly sessionId: string;
  readonly turnId: string;
}

/** One of the two turns, as far as its events have come. */
export interface ComparedSide {
  readonly name: TurnName;
  readonly model: TurnModel;
  readonly cuts: Cuts;
  loaded: boolean;
}

/** What a comparison needs of the panel. */
export interface CompareParts {
  readonly send: (message: PanelMessage) => void;
  /** The turn that is shown. */
  readonly selected: () => TurnName | null;
  /** Shows a view. */
  readonly show: (pane: "turn" | "compare") => void;
}

/** The two turns that are compared. */
export class CompareState {
  left: ComparedSide | undefined;
  right: ComparedSide | undefined;
  /** The turn that waits for another one to be set beside it. */
  waiting: TurnName | undefined;
  /** Whether steps that say the same are shown too. */
  showSame = false;
  /** Counts what came, so that a view knows when to draw again. */
  revision = 0;
  private request = 0;
  private readonly parts: CompareParts;

  /** @param saved what was compared before the page was made anew */
  constructor(saved: readonly [TurnName, TurnName] | null, parts: CompareParts) {
    this.parts = parts;
    if (saved === null) return;
    this.left = sideOf(saved[0]);
    this.right = sideOf(saved[1]);
  }

  /** Has the next turn that is chosen set beside the one that is shown; a second call takes that back. */
  start(): void {
    const isWaiting = this.waiting !== undefined;
    this.waiting = isWaiting ? undefined : (this.parts.selected() ?? undefined);
    this.parts.show(isWaiting ? "turn" : "compare");
  }

  /** Takes a turn that was chosen in the list; gives false when none is waited for. */
  take(right: TurnName): boolean {
    if (this.waiting === undefined) return false;
    this.begin(this.waiting, right);
    return true;
  }

  /** Goes back to the turns that were compared last. */
  showLast(): void {
    this.waiting = undefined;
    this.again();
    this.parts.show("compare");
  }

  /** What of it outlives the page. */
  saved(): readonly [TurnName, TurnName] | null {
    return this.left === undefined || this.right === undefined ? null : [this.left.name, this.right.name];
  }

  /** Shows two turns side by side; those that were compared before go. */
  begin(left: TurnName, right: TurnName): void {
    this.ask(left, right);
    this.parts.show("compare");
  }

  private ask(left: TurnName, right: TurnName): void {
    this.request += 1;
    this.revision += 1;
    this.waiting = undefined;
    this.left = sideOf(left);
    this.right = sideOf(right);
    this.parts.send({ type: "compare", request: this.request, left: nameOf(left), right: nameOf(right) });
  }

  /** Asks for the same turns once more, after the page was made anew. */
  again(): void {
    if (this.left !== undefined && this.right !== undefined) this.ask(this.left.name, this.right.name);
  }

  /** Whether both turns are there as a whole. */
  get loaded(): boolean {
    return this.left?.loaded === true && this.right?.loaded === true;
  }

  receive(message: HostMessage): void {
    if (message.type === "compare.show") this.begin(message.left, message.right);
    if (message.type !== "compare.events" && message.type !== "compare.loaded") return;
    const side = this.of(message.side);
    if (message.request !== this.request || side === undefined) return;
    this.revision += 1;
    if (message.type === "compare.events") {
      for (const posted of message.events) foldPosted(side.model, side.cuts, posted);
      return;
    }
    side.loaded = true;
    if (!message.ended) markInterrupted(side.model);
  }

  private of(side: Side): ComparedSide | undefined {
    return side === "left" ? this.left : this.right;
  }
}

function sideOf(name: TurnName): ComparedSide {
  const model = emptyTurn(name.sessionId, name.turnId, 0);
  return { name: nameOf(name), model, cuts: new Map(), loaded: false };
}

function nameOf({ sessionId, turnId }: TurnName): TurnName {
  return { sessionId, turnId };
}
