import type { ForkPart } from "../../agent/events-fork.ts";
import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";
import { isPrivateId } from "../../trace/private-id.ts";
import { MAX_SAVED, type SavedEdit } from "./saved.ts";
import type { Place, Target } from "./targets.ts";

/** Texts of other turns that are kept, to show what was changed. */
const MAX_TEXTS = 40;

const NO_TEXT = "The trace does not hold this text, so it can't be changed.";

/** A turn, named. */
interface TurnRef {
  readonly sessionId: string;
  readonly turnId: string;
}

/** A change on its way. */
export interface Editing {
  readonly turn: TurnRef;
  readonly place: Place;
  /** The text that is changed; left out: nothing is, it only runs again. */
  readonly target?: Target;
  /** As it was; left out while it is fetched. */
  readonly was?: string;
  readonly text: string;
  /** What was typed before the page was loaded anew. */
  readonly typed?: string;
  /** Why it can't be changed. */
  readonly problem?: string;
  /** Empty: as it was. */
  readonly model: string;
  readonly temperature: string;
  readonly think: "" | "on" | "off";
  /** Who answers a turn that is asked anew as a whole. */
  readonly who: "" | "agent" | "committee";
  /** The user is asked whether the change is to be given up. */
  readonly leaving: boolean;
  /** It was sent, and has not begun yet. */
  readonly sent: boolean;
}

/** Branching off the turn that is shown: what is changed before it runs on, and the texts that were changed before. */
export class ForkState {
  editing: Editing | undefined;
  /** Models there are; empty until they are asked for. */
  models: readonly string[] = [];
  /** Counts the changes, so that a view knows when to draw again. */
  revision = 0;
  private readonly send: (message: PanelMessage) => void;
  private readonly changed: () => void;
  private readonly texts = new Map<string, string | null>();
  private readonly requests = new Map<number, string>();
  private request = 0;

  constructor(saved: SavedEdit | null, send: (message: PanelMessage) => void, changed: () => void) {
    this.send = send;
    this.changed = changed;
    if (saved === null) return;
    this.editing = { ...saved, text: saved.typed, leaving: false, sent: false };
  }

  /** Asks for the text that was being changed when the page went. */
  start(): void {
    const { editing } = this;
    if (editing?.target === undefined || editing.was !== undefined) return;
    this.textOf(editing.turn, editing.target.part, editing.target.eventId);
  }

  /** What is being changed, as it outlives the page; null where nothing is, or it is to stay in the window. */
  saved(): SavedEdit | null {
    const { editing } = this;
    if (editing === undefined || editing.text.length > MAX_SAVED) return null;
    const { turn, place, target, model, temperature, think, who, text, typed, was } = editing;
    // A text that has not come yet is nobody's; what was typed on an earlier page is one's own all the same.
    if (target !== undefined && was === undefined && typed === undefined) return null;
    const isChosen = [model, temperature, think, who].some((chosen) => chosen !== "");
    if (!this.isChanged && typed === undefined && !isChosen) return null;
    if (isPrivateId(turn.sessionId)) return null;
    return { turn, place, ...(target && { target }), model, temperature, think, who, typed: text };
  }

  /** Opens the editor at a place, on one of its texts. What is being changed elsewhere in the turn is not given up. */
  edit(turn: TurnRef, place: Place, target: Target | undefined = place.targets[0]): void {
    const { sessionId, turnId } = turn;
    const { editing } = this;
    if (editing !== undefined && editing.turn.turnId === turnId && this.isChanged) {
      this.editing = { ...editing, leaving: true };
      this.touch();
      return;
    }
    const before = this.editing?.place.id === place.id ? this.editing : undefined;
    const text = target && this.textOf(turn, target.part, target.eventId);
    this.editing = {
      turn: { sessionId, turnId },
      place,
      ...(target && { target }),
      ...(typeof text === "string" && { was: text }),
      ...(text === null && { problem: NO_TEXT }),
      text: text ?? "",
      model: before?.model ?? "",
      temperature: before?.temperature ?? "",
      think: before?.think ?? "",
      who: before?.who ?? "",
      leaving: false,
      sent: false,
    };
    if (this.models.length === 0) this.send({ type: "models" });
    this.touch();
  }

  /** Opens the editor without a text: only the model and the like can be chosen. */
  again(turn: TurnRef, place: Place): void {
    this.edit(turn, { ...place, targets: [] });
  }

  write(part: Partial<Pick<Editing, "text" | "model" | "temperature" | "think" | "who">>): void {
    if (this.editing === undefined || this.editing.sent) return;
    this.editing = { ...this.editing, ...part, leaving: false };
    this.touch();
  }

  /** Whether the text differs from what it was. */
  get isChanged(): boolean {
    const { editing } = this;
    return editing?.was !== undefined && editing.text !== editing.was;
  }

  /** Gives the change up: at once where nothing was changed, else once that is said again. */
  leave(): void {
    if (this.editing === undefined) return;
    const ask = this.isChanged && !this.editing.leaving;
    this.editing = ask ? { ...this.editing, leaving: true } : undefined;
    this.touch();
  }

  /** Goes back to the text. */
  stay(): void {
    if (this.editing !== undefined) this.editing = { ...this.editing, leaving: false };
    this.touch();
  }

  /** Runs on from there, with what was changed and chosen. */
  run(): void {
    const { editing } = this;
    if (editing === undefined || editing.sent) return;
    if (editing.target !== undefined && editing.was === undefined) return;
    const { turn, place, target, text } = editing;
    const eventId = target === undefined ? place.eventId : target.eventId;
    this.send({
      type: "fork",
      ...turn,
      ...(eventId === undefined ? {} : { eventId }),
      edits: target !== undefined && this.isChanged ? [editOf(target, text)] : [],
      options: optionsOf(editing),
    });
    this.editing = { ...editing, leaving: false, sent: true };
    this.touch();
  }

  /** The branch has begun: what was typed is in it. */
  begun(): void {
    if (this.editing?.sent === true) this.editing = undefined;
    this.revision += 1;
  }

  /** It was not taken: what was typed stays. */
  refused(): void {
    if (this.editing?.sent === true) this.editing = { ...this.editing, sent: false };
    this.revision += 1;
  }

  /** The text of a part of a turn as it was: fetched where it is not known; null where there is none. */
  textOf(turn: TurnRef, part: ForkPart, eventId: string | undefined): string | null | undefined {
    const { sessionId, turnId } = turn;
    const key = JSON.stringify([turnId, part, eventId ?? null]);
    const known = this.texts.get(key);
    if (known !== undefined || [...this.requests.values()].includes(key)) return known;
    this.request += 1;
    this.requests.set(this.request, key);
    const at = eventId === undefined ? {} : { eventId };
    this.send({ type: "fork_text", request: this.request, sessionId, turnId, part, ...at });
    return undefined;
  }

  receive(message: HostMessage): void {
    if (message.type === "models") this.models = message.names;
    if (message.type === "fork_text") this.take(message);
    if (message.type === "models" || message.type === "fork_text") this.revision += 1;
  }

  private take(message: Extract<HostMessage, { readonly type: "fork_text" }>): void {
    const key = this.requests.get(message.request);
    this.requests.delete(message.request);
    if (key === undefined) return;
    this.texts.set(key, message.text);
    const oldest = this.texts.keys().next();
    if (this.texts.size > MAX_TEXTS && oldest.done === false) this.texts.delete(oldest.value);
    const { editing } = this;
    if (editing?.target === undefined || editing.was !== undefined) return;
    if (key !== JSON.stringify([editing.turn.turnId, editing.target.part, editing.target.eventId ?? null]))
      return;
    this.editing =
      message.text === null
        ? { ...editing, problem: message.failure?.message ?? NO_TEXT }
        : { ...editing, was: message.text, text: editing.typed ?? message.text };
  }

  private touch(): void {
    this.revision += 1;
    this.changed();
  }
}

/** What was chosen; what was not is as it was then. */
function optionsOf({ model, temperature, think, who }: Editing) {
  const degree = Number(temperature);
  const isDegree = temperature.trim() !== "" && degree >= 0 && degree <= 2;
  return {
    ...(model.trim() === "" ? {} : { model: model.trim() }),
    ...(isDegree ? { temperature: degree } : {}),
    ...(think === "" ? {} : { think: think === "on" }),
    ...(who === "" ? {} : { committee: who === "committee" }),
  };
}

function editOf({ part, eventId }: Target, text: string) {
  return { part, ...(eventId === undefined ? {} : { eventId }), text };
}
