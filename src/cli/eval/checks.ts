import type { TurnEvent } from "../../agent/events.ts";
import type { EvalCheck } from "../../trace/eval/report.ts";
import { find } from "./case/pattern.ts";
import type { Expect, ExpectedText } from "./case/schema.ts";
import { describeCall, describeExpected, type CallMatch } from "./calls.ts";
import { eventsOf } from "./measure.ts";
import { isNamed } from "./watch.ts";

/** A turn that was run, and what is to be said of it. */
export interface PlayedTurn {
  readonly sessionId: string;
  readonly turnId: string;
  readonly question: string;
  readonly answer: string;
  readonly outcome: "answered" | "failed" | "cancelled";
  /** The failure's sentence. */
  readonly error?: string;
  /** All events of the turn, those after its end too. */
  readonly events: readonly TurnEvent[];
}

/** Text of an answer that stands in a report. */
const SHOWN = 300;

/** Checks a turn against what is expected of it. */
export function checkTurn(expect: Expect, turn: PlayedTurn, calls: CallMatch): readonly EvalCheck[] {
  const { events } = turn;
  return [
    outcomeCheck(expect, turn),
    ...textChecks("answer", expect.answer, turn.answer),
    ...thinkingChecks(expect, events),
    ...toolChecks(expect, calls),
    ...eventChecks(expect, events),
    ...textChecks("prompt", expect.prompt, promptsOf(events), "the prompts"),
    ...textChecks("error", expect.error, turn.error ?? ""),
    ...gradeChecks(expect, events),
    ...pairwiseChecks(expect, events),
  ];
}

/** A check with its reason. */
export function check(name: string, passed: boolean, reason: string): EvalCheck {
  return { name, passed, reason };
}

function outcomeCheck({ outcome }: Expect, turn: PlayedTurn): EvalCheck {
  const why = turn.error === undefined ? "" : `: ${turn.error}`;
  return check("outcome", turn.outcome === outcome, `wanted ${outcome}, was ${turn.outcome}${why}`);
}

/** Checks what a text must hold and must not hold. */
export function textChecks(
  name: string,
  expected: ExpectedText | undefined,
  text: string,
  shown?: string,
): readonly EvalCheck[] {
  const where = shown ?? (text === "" ? "nothing" : `"${cut(text)}"`);
  const wanted = (expected?.contains ?? []).map((pattern) => {
    const found = find(pattern, text);
    return check(`${name} contains`, found === true, said(found, pattern.source, where));
  });
  const unwanted = (expected?.not_contains ?? []).map((pattern) => {
    const found = find(pattern, text);
    return check(`${name} does not contain`, found === false, said(found, pattern.source, where));
  });
  return [...wanted, ...unwanted];
}

function said(found: ReturnType<typeof find>, source: string, where: string): string {
  if (typeof found === "object") return found.problem;
  return found ? `${source} is in ${where}` : `${source} is not in ${where}`;
}

function thinkingChecks({ thinking }: Expect, events: readonly TurnEvent[]): readonly EvalCheck[] {
  if (thinking === undefined) return [];
  const { present } = thinking;
  const thought = eventsOf(events, "model.end")
    .map(({ data }) => data.thinking)
    .join("\n")
    .trim();
  const there =
    present === undefined
      ? []
      : [
          check(
            "thinking",
            present === (thought !== ""),
            thought === "" ? "it did not think" : `it thought "${cut(thought)}"`,
          ),
        ];
  return [...there, ...textChecks("thinking", thinking, thought)];
}

function toolChecks({ tools }: Expect, { expected, made, wrong, missing }: CallMatch): readonly EvalCheck[] {
  if (tools === undefined) return [];
  const { at_least: least, at_most: most } = tools;
  const lacking = missing.map(describeExpected).join("; ");
  const stray = wrong.map(describeCall).join("; ");
  const bounds = [
    ...(least === undefined
      ? []
      : [check("tool calls at least", made >= least, `wanted ${least}, were ${made}`)]),
    ...(most === undefined
      ? []
      : [check("tool calls at most", made <= most, `wanted ${most}, were ${made}`)]),
  ];
  const calls =
    expected === 0
      ? []
      : [
          check(
            "tool calls",
            missing.length === 0,
            missing.length === 0 ? `all ${expected} were made` : `not made: ${lacking}`,
          ),
        ];
  const others =
    tools.others && wrong.length === 0
      ? []
      : [
          check(
            "no other tool calls",
            wrong.length === 0,
            wrong.length === 0 ? "none was made" : `made: ${stray}`,
          ),
        ];
  return [...calls, ...others, ...bounds];
}

function eventChecks(
  { events: wanted = [], no_events: unwanted = [] }: Expect,
  events: readonly TurnEvent[],
): readonly EvalCheck[] {
  const checks: EvalCheck[] = [];
  if (wanted.length > 0) {
    let at = 0;
    const reached = wanted.findIndex((name) => {
      const found = events.findIndex((event, index) => index >= at && isNamed(event, name));
      at = found + 1;
      return found < 0;
    });
    const reason =
      reached < 0
        ? `all ${wanted.length} came in their order`
        : `${wanted[reached] ?? ""} did not come after ${wanted[reached - 1] ?? "the start"}`;
    checks.push(check("events in order", reached < 0, reason));
  }
  for (const name of unwanted) {
    const came = events.some((event) => isNamed(event, name));
    checks.push(check("event does not come", !came, `${name} ${came ? "came" : "did not come"}`));
  }
  return checks;
}

/** Whoever was to answer must have been there: a committee that lacks members, or is none, would be another test. */
export function castChecks(events: readonly TurnEvent[]): readonly EvalCheck[] {
  return eventsOf(events, "warning")
    .filter(({ data: { code } }) => code === "agent_unknown" || code === "committee_too_small")
    .map(({ data }) => check("who answers", false, data.message));
}

/** All that the models of the turn were sent. */
function promptsOf(events: readonly TurnEvent[]): string {
  const messages = eventsOf(events, "model.start").flatMap(({ data }) => data["conclave.messages"]);
  return [...new Set(messages.map(({ content }) => content))].join("\n\n");
}

function gradeChecks({ grade }: Expect, events: readonly TurnEvent[]): readonly EvalCheck[] {
  if (grade === undefined) return [];
  const graded = eventsOf(events, "critique.result").at(-1);
  const score = graded?.data.score ?? null;
  const fits = score !== null && score >= grade.from && score <= grade.to;
  const why = graded === undefined ? "nobody graded it" : (graded.data["conclave.ungraded"] ?? "no grade");
  return [check("grade", fits, `wanted ${grade.from} to ${grade.to}, was ${score ?? why}`)];
}

function pairwiseChecks({ pairwise }: Expect, events: readonly TurnEvent[]): readonly EvalCheck[] {
  if (pairwise === undefined) return [];
  const verdict = events.findLast((event) => event.type === "pairwise.result");
  if (verdict?.type !== "pairwise.result") return [check("pairwise", false, "nothing was compared")];
  const problem = verdict.data.error?.message;
  const winner = verdict.data.winner ?? "tie";
  const fits = problem === undefined && (pairwise === "any" || pairwise === winner);
  return [check("pairwise", fits, `wanted ${pairwise}, was ${problem ?? winner}`)];
}

function cut(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 3).toWellFormed()}...` : line;
}
