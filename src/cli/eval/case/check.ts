import { closestName } from "../../../agent/agents/closest.ts";
import { EVENT_TYPES } from "../../../trace/event-schema.ts";
import type { Path } from "../../../agent/agents/yaml-tree.ts";
import { ALL_SETTINGS, CASE_SETTINGS, settingFault } from "../../settings/case-settings.ts";
import { configurationFault } from "../configurations.ts";
import type { CaseFields, Expect } from "./schema.ts";

/** What is wrong with a case whose fields are right one by one. */
export interface CaseFault {
  readonly path: Path;
  /** Follows the field's name in a sentence. */
  readonly message: string;
}

/** Checks what fields say together, and names against what there is. */
export function checkCase(fields: CaseFields): readonly CaseFault[] {
  return [
    ...shapeFaults(fields),
    ...eventFaults(fields),
    ...pageFaults(fields),
    ...settingFaults(fields),
    ...(fields.episodes ?? []).flatMap(({ score }, at) =>
      fault(["episodes", at, "score", "from"], isTurned(score) ? "must not be above `to`" : undefined),
    ),
    ...(fields.configurations ?? []).flatMap((name, at) =>
      fault(["configurations", at], configurationFault(name)),
    ),
  ];
}

function fault(path: Path, message: string | undefined): readonly CaseFault[] {
  return message === undefined ? [] : [{ path, message }];
}

function shapeFaults({ question, dialogue, expect, reference, then }: CaseFields): readonly CaseFault[] {
  if (question === undefined && dialogue === undefined)
    return [{ path: [], message: "must ask something: `question`, or `dialogue`" }];
  if (dialogue === undefined) return [];
  if (question !== undefined)
    return [{ path: ["question"], message: "can't stand beside `dialogue`; make it a turn of that" }];
  if (dialogue.length === 0) return [{ path: ["dialogue"], message: "must have at least one turn" }];
  const single = { expect, reference, then };
  const stray = Object.entries(single).filter(([, value]) => value !== undefined);
  return stray.map(([name]) => ({
    path: [name],
    message: "belongs to a turn: put it below the turn of `dialogue` that it is about",
  }));
}

function eventFaults({ expect, dialogue = [] }: CaseFields): readonly CaseFault[] {
  const turns = dialogue.flatMap((turn, at) => [
    ...expectFaults(turn.expect, ["dialogue", at, "expect"]),
    ...fault(["dialogue", at, "cancel_after"], eventFault(turn.cancel_after)),
  ]);
  return [...expectFaults(expect, ["expect"]), ...turns];
}

function expectFaults(expect: Expect | undefined, path: Path): readonly CaseFault[] {
  const named = (["events", "no_events"] as const).flatMap((field) =>
    (expect?.[field] ?? []).flatMap((written, at) => fault([...path, field, at], eventFault(written))),
  );
  return [...named, ...rangeFaults(expect, path)];
}

/** Ranges that nothing is in: such a case could never pass, whoever answers. */
function rangeFaults(expect: Expect | undefined, path: Path): readonly CaseFault[] {
  const { grade, tools } = expect ?? {};
  const { at_least: least = 0, at_most: most = Infinity, calls = [] } = tools ?? {};
  const [tooLow, tooFew] = [least > most, calls.length > most];
  return [
    ...fault([...path, "grade", "from"], isTurned(grade) ? "must not be above `to`" : undefined),
    ...fault([...path, "tools", "at_least"], tooLow ? "must not be above `at_most`" : undefined),
    ...fault(
      [...path, "tools", "at_most"],
      !tooLow && tooFew ? "must not be below the number of calls that are expected" : undefined,
    ),
  ];
}

function isTurned(range: { readonly from: number; readonly to: number } | undefined): boolean {
  return range !== undefined && range.from > range.to;
}

function eventFault(written: string | undefined): string | undefined {
  const [type = ""] = (written ?? "").split(/\s+/u);
  if (written === undefined || EVENT_TYPES.includes(type)) return undefined;
  const near = closestName(type, EVENT_TYPES);
  return `names no kind of event: \`${type.slice(0, 60)}\`${near === undefined ? "" : `; do you mean \`${near}\`?`}`;
}

function pageFaults({ pages = {} }: CaseFields): readonly CaseFault[] {
  return Object.entries(pages).flatMap(([path, { html, text, file }]) => {
    if (!path.startsWith("/") || /[\s?#]/u.test(path))
      return fault(["pages", path], "must be a path that begins with `/`, without spaces and `?`");
    if (path === "/search")
      return fault(["pages", path], "is where the search engine answers; take another path");
    const bodies = [html, text, file].filter((body) => body !== undefined).length;
    return bodies > 1 ? fault(["pages", path], "must have only one of `html`, `text` and `file`") : [];
  });
}

function settingFaults({ settings = {} }: CaseFields): readonly CaseFault[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (CASE_SETTINGS.includes(name)) return fault(["settings", name], settingFault(name, value));
    if (ALL_SETTINGS.includes(name))
      return fault(["settings", name], "is for whoever runs the case to decide; leave it out here");
    const near = closestName(name, CASE_SETTINGS);
    const hint = near === undefined ? "" : `; do you mean \`${near}\`?`;
    return fault(["settings", name], `is no setting that there is${hint}`);
  });
}
