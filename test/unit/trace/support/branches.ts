import type { Identity } from "../../../../src/agent/ids.ts";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { branch } from "../../agent/fork/bed.ts";
import { castModel, committeeEngine, convene, persona } from "../../agent/committee/bed.ts";
import {
  all,
  answers,
  ask,
  call,
  callTools,
  end,
  engineOver,
  gives,
  makeTool,
  playModel,
  seededIdentity,
  toolSet,
  type WholeTurn,
} from "../../agent/support.ts";

/** What a test's turns are written to. */
interface Log {
  append(event: TurnEvent): void;
  flush(): Promise<void>;
}

/** What the tool of the turn gave. */
export const RESULT = "The cache is in process.\nIt lives ten minutes.";
/** What it gave in the branch. */
export const OTHER_RESULT = "The cache is in Redis.\nIt lives ten minutes.";

/** Writes a turn that read a file, and two branches of it: with another result, and asked once more from its last step. */
export async function writeBranches(
  log: Log,
  identity: Identity = fresh(),
): Promise<{ readonly turn: WholeTurn; readonly fork: WholeTurn }> {
  const model = playModel([
    [callTools(call("read_file", { query: "docs/cache.md" })), end()],
    answers("The cache is **in process** and lives ten minutes."),
    answers("The cache is **in Redis** and lives ten minutes."),
    answers("In process, for ten minutes."),
  ]);
  const path = { name: "read_file", run: () => Promise.resolve(gives(RESULT)) };
  const engine = engineOver(model, { tools: toolSet(makeTool(path)), identity });
  const turn = await ask(engine, "Where is the cache, and how long does it live?");
  const [result] = all(turn.events, "tool.result");
  const at = result?.id ?? "";
  const fork = await branch(engine, turn, {
    eventId: at,
    edits: [{ part: "tool_result", eventId: at, text: OTHER_RESULT }],
  });
  const last = all(turn.events, "step.start").at(-1);
  const again = await branch(engine, turn, {
    eventId: all(turn.events, "model.start").find(({ stepId }) => stepId === last?.id)?.id ?? "",
    chosen: { temperature: 0.9 },
  });
  await write(log, turn, fork, again);
  return { turn, fork };
}

/** Writes a turn, and two branches of it that were given other rules; gives the rules as they were. */
export async function writeRulesBranches(log: Log, rules: readonly [string, string]): Promise<string> {
  const model = playModel([
    answers("The cache is in process."),
    answers("In process."),
    answers("Nobody knows."),
  ]);
  const engine = engineOver(model, { identity: fresh() });
  const turn = await ask(engine, "Where is the cache?");
  const [request] = all(turn.events, "model.start");
  const eventId = request?.id ?? "";
  const branches: WholeTurn[] = [];
  for (const text of rules)
    branches.push(await branch(engine, turn, { eventId, edits: [{ part: "system", eventId, text }] }));
  await write(log, turn, ...branches);
  return request?.data["conclave.messages"].find(({ role }) => role === "system")?.content ?? "";
}

/** Writes a committee's turn, and a branch of it in which one member says something else. */
export async function writeCommitteeBranch(
  log: Log,
  identity: Identity = fresh(),
): Promise<{ readonly fork: WholeTurn }> {
  const model = castModel({
    Skeptic: ["Position: Tuesday. It is early in the week."],
    Pragmatist: ["Position: Thursday. Then all are there."],
    "The Self": ["On Tuesday, when all have read it.", "On Sunday."],
  });
  const team = ["Skeptic", "Pragmatist"].map((name) => persona(name));
  const engine = committeeEngine({ personas: team, models: [model], identity });
  const turn = await convene(engine);
  const at = all(turn.events, "agent.start").find(({ agent }) => agent === "Pragmatist")?.id ?? "";
  const text = "Position: Sunday. Then nobody is disturbed.";
  const fork = await branch(engine, turn, { eventId: at, edits: [{ part: "answer", eventId: at, text }] });
  await write(log, turn, fork);
  return { fork };
}

/** The clock of today: a list of turns says when. */
function fresh(): Identity {
  const began = Date.now() - 600_000;
  const identity = seededIdentity();
  const since = identity.now();
  return { ...identity, now: () => began + (identity.now() - since) * 40 };
}

async function write(log: Log, ...turns: readonly WholeTurn[]): Promise<void> {
  for (const { events } of turns)
    for (const event of events) if (event.type !== "model.delta") log.append(event);
  await log.flush();
}
