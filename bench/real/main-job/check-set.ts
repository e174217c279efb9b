import type { Path } from "../../../src/agent/agents/yaml-tree.ts";
import { isOfMemory, type Question, type QuestionSet } from "./schema.ts";

/** What is wrong with a set whose fields are right one by one. */
export interface SetFault {
  readonly path: Path;
  /** Follows the field's name in a sentence. */
  readonly message: string;
}

/** What stands for the address of the pages. */
const PAGES = /\{\{\s*pages\s*\}\}/u;

/** Checks what the fields of a set say together. */
export function checkSet(set: QuestionSet): readonly SetFault[] {
  const said = set.sessions.flatMap(({ says }, at) =>
    says.map(({ id }, inner) => ({ id, path: ["sessions", at, "says", inner, "id"] as Path })),
  );
  const asked = set.questions.map(({ id }, at) => ({ id, path: ["questions", at, "id"] as Path }));
  const known = new Set(said.map(({ id }) => id));
  return [
    ...repeated(said),
    ...repeated(asked),
    ...orderFaults(set),
    ...set.questions.flatMap((question, at) =>
      questionFaults(question, known, set).map((fault) => ({
        ...fault,
        path: ["questions", at, ...fault.path],
      })),
    ),
    ...pageFaults(set),
  ];
}

function repeated(ids: readonly { readonly id: string; readonly path: Path }[]): readonly SetFault[] {
  const seen = new Set<string>();
  return ids.flatMap(({ id, path }) => {
    // File systems that know no case of letters must hold them all.
    const key = id.toLowerCase();
    if (seen.has(key)) return [{ path, message: `is taken already: \`${id}\`` }];
    seen.add(key);
    return [];
  });
}

function orderFaults({ sessions }: QuestionSet): readonly SetFault[] {
  return sessions.flatMap(({ days_ago: days }, at) =>
    days > (sessions[at - 1]?.days_ago ?? Infinity)
      ? [
          {
            path: ["sessions", at, "days_ago"],
            message: "must not be above that of the conversation before: the oldest stands first",
          },
        ]
      : [],
  );
}

function questionFaults(
  question: Question,
  said: ReadonlySet<string>,
  { pages }: QuestionSet,
): readonly SetFault[] {
  const { kind, ask, evidence, expect } = question;
  const strays = evidence.flatMap((id, at) =>
    said.has(id)
      ? []
      : [{ path: ["evidence", at], message: `must be something that is said, not \`${id}\`` }],
  );
  const isRefusal = kind === "never_said";
  const needs = [
    [isOfMemory(question) && evidence.length === 0, "evidence", "must name what was said that answers it"],
    [isRefusal && !expect.refuses, "expect", "must have `refuses: true`, for what was never said"],
    [!isRefusal && expect.refuses, "expect", "must not have `refuses`, which is for what was never said"],
    [!isRefusal && expect.all.length === 0, "expect", "must say in `all` what a right answer holds"],
    [
      kind === "page" && !(PAGES.test(ask) && Object.keys(pages).length > 0),
      "ask",
      "must name a page of `pages`, as in `{{pages}}/harbour.html`",
    ],
  ] as const;
  return [
    ...strays,
    ...needs.flatMap(([holds, field, message]) => (holds ? [{ path: [field], message }] : [])),
  ];
}

function pageFaults({ pages }: QuestionSet): readonly SetFault[] {
  return Object.keys(pages).flatMap((path) =>
    /^\/[^\s?#]*$/u.test(path)
      ? []
      : [{ path: ["pages", path], message: "must be a path that begins with `/`, without spaces and `?`" }],
  );
}
