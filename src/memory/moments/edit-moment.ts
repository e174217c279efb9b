import type { Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";
import type { MemoryEdit, Moment } from "../../agent/memory/types.ts";
import { cutAtGrapheme, wellFormed } from "../../agent/text.ts";
import { MAX_MOMENT_TURNS } from "./table.ts";

/** Longest title and text of a moment that is kept, in UTF-16 units. */
const MAX_TITLE = 200;
const MAX_TEXT = 10_000;

/** A moment's change by the user. */
export type MomentEdit = Extract<MemoryEdit, { table: "moments" }>;

/** What the user wrote, as it is kept; a failure where it is too long: their own words are never cut. */
export function readEdit({ id, title, text, pinned }: MomentEdit): Result<MomentEdit> {
  const written: MomentEdit = {
    ...{ table: "moments", id },
    ...(title !== undefined && { title: oneLine(title) }),
    ...(text !== undefined && { text: wellFormed(text).trim() }),
    ...(pinned !== undefined && { pinned }),
  };
  if ((written.title ?? "").length > MAX_TITLE)
    return failed("bad_input", `It is too long: a title has at most ${MAX_TITLE} characters.`);
  if ((written.text ?? "").length > MAX_TEXT)
    return failed("bad_input", `It is too long: a moment has at most ${MAX_TEXT} characters.`);
  if (written.title === "" || written.text === "")
    return failed("bad_input", "It can't be empty. Forget it instead.");
  return success(written);
}

/** The moment as the user changed it; undefined when nothing is different. */
export function editMoment(moment: Moment, edit: MomentEdit): Moment | undefined {
  const { title = moment.title, text = moment.text, pinned = moment.pinned === true } = edit;
  const same = title === moment.title && text === moment.text && pinned === (moment.pinned === true);
  return same ? undefined : { ...moment, title, text, pinned };
}

/** A moment whose texts and lists are of bounded length, its times in order. */
export function bounded(moment: Moment): Moment {
  const text = cutAtGrapheme(wellFormed(moment.text).trim(), MAX_TEXT);
  const title = cutAtGrapheme(oneLine(moment.title), MAX_TITLE);
  const [from, to] = [Math.min(moment.from, moment.to), Math.max(moment.from, moment.to)];
  return {
    ...moment,
    ...{ id: moment.id.toLowerCase(), title, text, from, to },
    turns: moment.turns.slice(0, MAX_MOMENT_TURNS),
  };
}

function oneLine(text: string): string {
  return wellFormed(text).replace(/\s+/g, " ").trim();
}
