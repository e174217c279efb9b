import assert from "node:assert/strict";
import type { Critic, CriticView } from "../../../src/agent/critic/critic.ts";
import { DEFAULT_CRITIC } from "../../../src/agent/critic/settings.ts";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { failed, success, type Failure } from "../../../src/agent/failure.ts";
import type { Annotation } from "../../../src/agent/memory/port.ts";
import { criticSettings } from "../../../src/cli/settings/critic-settings.ts";
import { readSettings } from "../../../src/cli/settings/schema.ts";
import type { CriticHostMessage } from "../../../src/trace/panel-critic.ts";
import { MAX_REFERENCE } from "../../../src/trace/panel-limits.ts";
import { parsePanelMessage } from "../../../src/trace/panel-protocol.ts";
import { gradeSentence, Grades } from "../../../src/vscode/critic/grades.ts";
import { takeAnswer } from "../../../src/vscode/critic/take-answer.ts";
import { CriticPart } from "../../../src/vscode/panel/critic-part.ts";
import { ActivityModel } from "../../../src/vscode/status-model.ts";
import { seededIdentity } from "../agent/support.ts";

const PLACE = { sessionId: "s-1", turnId: "t-1" };
const NEVER = new AbortController().signal;

function event(type: string, data: unknown, part: Partial<TurnEvent> = {}): TurnEvent {
  const base = { id: "e", parentId: "t-1", time: 1, ...PLACE, agent: "conclave", respondent: "A" };
  return { ...base, ...part, type, data } as unknown as TurnEvent;
}

const critique = (score: number | null, part: Partial<TurnEvent> = {}): TurnEvent =>
  event("critique.result", { score, feedback: "Right.", "gen_ai.request.model": "judge" }, part);

describe("the last grade", () => {
  it("is that of a turn's answer, in a number and a word", () => {
    const grades = new Grades();
    assert.equal(grades.take(critique(4)), true);
    assert.deepEqual([grades.last()?.score, grades.last()?.word], [4, "good"]);
    assert.equal(
      gradeSentence(grades.of("t-1")!),
      "The critic (judge) gave the answer: 4 of 5, good. Right.",
    );
  });

  it("is no grade of a persona's answer, or of respondent B's", () => {
    const grades = new Grades();
    assert.equal(grades.take(critique(1, { parentId: "an-agent" })), false);
    assert.equal(grades.take(critique(1, { respondent: "B" })), false);
    assert.equal(grades.last(), undefined);
  });

  it("is the one that a person gave, whatever the critic says later", () => {
    const grades = new Grades();
    grades.take(critique(4));
    grades.take(event("critique.corrected", { score: 2, reason: "It is wrong.", "conclave.by": "Kim" }));
    assert.equal(grades.take(critique(5)), false);
    assert.equal(gradeSentence(grades.last()!), "Graded by Kim: 2 of 5, weak. It is wrong.");
  });

  it("goes where there is none any more, or the turn was forgotten", () => {
    const grades = new Grades();
    grades.take(critique(4));
    assert.equal(grades.take(critique(null)), true);
    assert.equal(grades.last(), undefined);
    grades.take(critique(3));
    assert.equal(grades.forget(["t-1"]), true);
    assert.equal(grades.of("t-1"), undefined);
  });
});

describe("the status bar", () => {
  it("says nothing of what a second respondent does: nobody waits for it", () => {
    const activity = new ActivityModel();
    const asked = event("model.start", { "gen_ai.request.model": "tiny" }, { respondent: "B" });
    assert.equal(activity.take(asked), undefined);
    assert.deepEqual(activity.view(), { activity: { state: "idle" }, running: [] });
  });
});

describe("taking the second answer", () => {
  const shadow = {
    parentId: "b",
    agent: "conclave",
    respondent: "B",
    model: "tiny",
    answer: "It is.",
    time: 2,
  };
  const critic = (part: object): Pick<Critic, "material"> => ({
    material: () => Promise.resolve(success(part as never)),
  });
  const memory = (notes: Annotation[]) => ({
    annotate: (more: readonly Annotation[]) => (notes.push(...more), Promise.resolve(success({ added: 1 }))),
  });

  it("is noted on its episode, by the user, and told, so that it is known later", async () => {
    const notes: Annotation[] = [];
    const told: TurnEvent[] = [];
    const publish = (heard: TurnEvent): void => void told.push(heard);
    const deps = {
      critic: critic({ shadow: { ...shadow, episodeId: "ep" } }),
      memory: memory(notes),
      publish,
    };
    const taken = await takeAnswer(PLACE, { ...deps, identity: seededIdentity() }, NEVER);
    assert.deepEqual(taken, success("It is."));
    assert.deepEqual(
      notes.map(({ kind, value, by, episodeId }) => ({ kind, value, by, episodeId })),
      [{ kind: "taken", value: true, by: "user", episodeId: "ep" }],
    );
    assert.deepEqual(
      told.map(({ type, turnId, respondent, data }) => ({ type, turnId, respondent, data })),
      [
        {
          ...{ type: "shadow.taken", turnId: PLACE.turnId, respondent: "B" },
          data: { "conclave.episode_ids": ["ep"] },
        },
      ],
    );
  });

  it("is refused where there is none, or memory does not hold it, and nothing is told", async () => {
    const notes: Annotation[] = [];
    const publish = (): never => assert.fail("nothing was taken");
    for (const part of [{}, { shadow }]) {
      const deps = { critic: critic(part), memory: memory(notes), identity: seededIdentity(), publish };
      assert.equal((await takeAnswer(PLACE, deps, NEVER)).ok, false);
    }
    assert.deepEqual(notes, []);
  });
});

describe("the panel's part for the critic", () => {
  function made(view: Partial<CriticView> = {}) {
    const posted: CriticHostMessage[] = [];
    const noticed: Failure[] = [];
    const asked: unknown[] = [];
    let change: () => void = () => undefined;
    const part = new CriticPart(
      {
        critic: {
          grade: (wish) => (asked.push(wish), Promise.resolve(success(undefined))),
          compare: () => Promise.resolve(failed("bad_input", "Comparing is off.")),
          view: () => ({ running: null, waiting: [], dropped: 0, ...view }),
          judge: () => "judge",
          onChange: (listener) => {
            change = listener;
            return () => undefined;
          },
        },
        settings: () => DEFAULT_CRITIC,
        rubrics: () => ["helpfulness"],
        take: (turn) => (asked.push(turn), Promise.resolve(success(undefined))),
      },
      (message) => posted.push(message),
      (problem) => noticed.push(problem),
    );
    return { part, posted, noticed, asked, change: () => change() };
  }

  it("says what the critic is at when the panel is there, and whenever that changes", async () => {
    const job = { kind: "grade" as const, ...PLACE, askedBy: "user" as const, askedAt: 1, agentId: "a" };
    const { part, posted, change } = made({ running: job, waiting: [job], dropped: 3 });
    change();
    await Promise.resolve();
    assert.deepEqual(posted, []);
    part.wake();
    for (let count = 0; count < 5; count += 1) change();
    await Promise.resolve();
    assert.equal(posted.length, 2);
    const view = { kind: "grade", ...PLACE, askedBy: "user", agentId: "a" };
    const [first] = posted as readonly CriticHostMessage[];
    assert.deepEqual(first?.state, {
      ...{ mode: "all", shadow: "request", judge: "judge", rubrics: ["helpfulness"] },
      ...{ running: view, waiting: [view], dropped: 3 },
    });
    part.sleep();
    change();
    await Promise.resolve();
    assert.equal(posted.length, 2);
  });

  it("asks for what the panel wants, and says why it was not done", async () => {
    const { part, asked, noticed } = made();
    await part.receive({ type: "critic.grade", ...PLACE, rubric: "code", reference: "At noon." });
    await part.receive({ type: "critic.take", ...PLACE });
    await part.receive({ type: "critic.compare", ...PLACE, temperature: 1 });
    assert.deepEqual(asked, [{ ...PLACE, rubric: "code", reference: "At noon." }, PLACE]);
    assert.deepEqual(
      noticed.map(({ message }) => message),
      ["Comparing is off."],
    );
  });

  it("takes no message that is malformed", () => {
    const session = { sessionId: "00000000-0000-4000-8000-000000000001", turnId: "t" };
    assert.ok(parsePanelMessage({ type: "critic.grade", ...session }));
    assert.ok(parsePanelMessage({ type: "critic.compare", ...session, model: "m", temperature: 2 }));
    for (const wrong of [
      { type: "critic.grade" },
      { type: "critic.grade", ...session, agentId: "" },
      { type: "critic.grade", ...session, reference: " " },
      { type: "critic.grade", ...session, reference: "x".repeat(MAX_REFERENCE + 1) },
      { type: "critic.compare", ...session, temperature: 3 },
      { type: "critic.compare", ...session, model: "" },
      { type: "critic.take", ...session, more: 1 },
    ])
      assert.equal(parsePanelMessage(wrong), undefined, JSON.stringify(wrong));
  });
});

describe("the critic's settings", () => {
  it("are those of the product where nobody set any", () => {
    assert.deepEqual(criticSettings(readSettings(() => undefined).settings), DEFAULT_CRITIC);
  });

  it("fall back to the default where they are wrong", () => {
    const raw: Readonly<Record<string, unknown>> = {
      "critic.mode": "loud",
      "critic.samples": 9,
      "critic.share": 2,
    };
    const { settings, problems } = readSettings((key) => raw[key]);
    assert.deepEqual(criticSettings(settings), DEFAULT_CRITIC);
    assert.equal(problems.length, 3);
  });
});
