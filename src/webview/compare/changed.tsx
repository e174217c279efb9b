import type { VNode } from "preact";
import type { ForkEdit, ForkPart } from "../../agent/events-fork.ts";
import { PART_WORDS } from "../fork/targets.ts";
import type { Store } from "../store.ts";
import type { ComparedSide } from "./state.ts";
import { Texts } from "./texts.tsx";

interface Sides {
  readonly store: Store;
  readonly left: ComparedSide;
  readonly right: ComparedSide;
}

/** Parts of a prompt: no step shows them. The others stand in the question, and in the steps. */
const OF_PROMPTS: readonly ForkPart[] = ["system", "recalled", "tail"];

/** What was changed of a turn's prompt for a branch of it, beside what the other turn has there. */
export function ChangedParts(props: Sides): VNode {
  const { left, right } = props;
  const edits = [...editsOf(left), ...editsOf(right)];
  const keys = edits.map(keyOf);
  return (
    <>
      {edits
        .filter((edit, at) => keys.indexOf(keyOf(edit)) === at && isOfBoth(props, edit))
        .map((edit) => (
          <Changed key={keyOf(edit)} {...props} edit={edit} />
        ))}
    </>
  );
}

/** A change of a prompt, and the turn whose prompt it was. */
interface PromptEdit extends ForkEdit {
  readonly origin: string;
}

function editsOf({ model: { fork } }: ComparedSide): readonly PromptEdit[] {
  if (fork === undefined) return [];
  const { turnId: origin, edits } = fork;
  return edits.filter(({ part }) => OF_PROMPTS.includes(part)).map((edit) => ({ ...edit, origin }));
}

function keyOf({ origin, part, eventId = "" }: PromptEdit): string {
  return `${origin} ${part} ${eventId}`;
}

/** Whether both turns have the prompt that was changed: as it was, or changed. */
function isOfBoth({ left, right }: Sides, { origin }: PromptEdit): boolean {
  return [left, right].every(({ name, model }) => [name.turnId, model.fork?.turnId].includes(origin));
}

/** A part of a prompt as both turns have it; nothing until it is known how it was. */
function Changed({ store, left, right, edit }: Sides & { readonly edit: PromptEdit }): VNode | null {
  const [one, other] = [textOf(store, left, edit), textOf(store, right, edit)];
  if (one === undefined || other === undefined) return null;
  const title = PART_WORDS[edit.part];
  return (
    <Texts
      store={store}
      title={`${title.charAt(0).toUpperCase()}${title.slice(1)}`}
      left={{ turn: left.name, text: one }}
      right={{ turn: right.name, text: other }}
    />
  );
}

/** The part as a turn has it: as it was changed there, else as it was before. */
function textOf(store: Store, side: ComparedSide, edit: PromptEdit): string | undefined {
  const own = editsOf(side).find((one) => keyOf(one) === keyOf(edit));
  if (own !== undefined) return own.text;
  const origin = { sessionId: side.name.sessionId, turnId: edit.origin };
  const was = store.fork.textOf(origin, edit.part, edit.eventId);
  return was === null ? "What it was is no longer in the trace." : was;
}
