import type { CliServices } from "../../../src/cli/services.ts";
import { EventWatch } from "../../../src/cli/eval/watch.ts";
import { criticSettings } from "../../../src/cli/settings/critic-settings.ts";
import type { Settings } from "../../../src/cli/settings/schema.ts";
import { isAhead } from "../../../src/agent/critic/jobs.ts";
import { CANCELLED, success, type Result } from "../../../src/agent/failure.ts";
import { systemIdentity, type Identity } from "../../../src/agent/ids.ts";
import { delay } from "../../../src/agent/timer.ts";
import { openProduct, type ProductDeps } from "./product.ts";
import { playTurn } from "./play-turn.ts";
import type { QuestionSet, Session } from "./schema.ts";
import { hashOf, settingsHash } from "./stamp.ts";
import type { Said, Told, ToldFolder } from "./told.ts";

const DAY_MS = 86_400_000;
/** Between two looks at whether memory has embedded all, in milliseconds. */
const LOOK_MS = 500;

/** What is told, and to whom. */
export interface Telling {
  readonly set: Pick<QuestionSet, "sessions">;
  /** The product's defaults with a model. */
  readonly settings: Settings;
  readonly folder: ToldFolder;
  /** Git commit of the product. */
  readonly commit: string;
  readonly onSaid: (said: Said, number: number, of: number) => void;
}

/** A folder of data that was told everything. */
export interface ToldData extends Told {
  readonly data: string;
}

/** A hash of what is told, and of the settings: what the same data is known by. */
export function toldHash({ set, settings }: Pick<Telling, "set" | "settings">): string {
  return hashOf([set.sessions, settingsHash(settings)]);
}

/**
 * Says all that the earlier conversations say, as turns that the product answers, remembers and learns from, each at its
 * time. What was told before needs not be told again. Stops with the signal, and goes on from there the next time.
 */
export async function tell(
  telling: Telling,
  deps: ProductDeps,
  signal: AbortSignal,
): Promise<Result<ToldData>> {
  const { settings, set, folder } = telling;
  const told = await folder.begin(telling.commit, systemIdentity.now());
  if (told.whole) return success({ ...told, data: folder.data });
  const clock = new MovedClock();
  const critic = criticSettings(settings);
  const services = openProduct({ folder: folder.data, settings, critic, identity: clock }, deps);
  const watch = new EventWatch(services.engine, deps.timer);
  try {
    for (const session of set.sessions) {
      clock.goBack(session.days_ago);
      const failure = await tellSession(session, { told, telling, services, watch, deps }, signal);
      if (failure !== undefined) return failure;
    }
    await embedded(services, deps, signal);
    const { episodes = 0, facts = 0 } = await services.memory.status(signal);
    told.holds = { episodes, facts };
  } finally {
    watch.dispose();
    await services.dispose();
  }
  if (signal.aborted) return { ok: false, failure: CANCELLED };
  const whole = { ...told, whole: true };
  await folder.write(whole);
  return success({ ...whole, data: folder.data });
}

interface Teller {
  /** Grows with what is said. */
  readonly told: Told;
  readonly telling: Telling;
  readonly services: CliServices;
  readonly watch: EventWatch;
  readonly deps: ProductDeps;
}

/** Says what a conversation says; gives the failure that ends the telling. */
async function tellSession(
  { says }: Session,
  teller: Teller,
  signal: AbortSignal,
): Promise<Extract<Result<never>, { ok: false }> | undefined> {
  const { told, telling } = teller;
  const of = telling.set.sessions.reduce((sum, session) => sum + session.says.length, 0);
  let sessionId: string | undefined;
  for (const { id, text } of says) {
    const before = told.said.find((one) => one.id === id);
    if (before !== undefined) {
      sessionId = before.sessionId;
      continue;
    }
    const said = await say({ id, text, sessionId }, teller, signal);
    if (!said.ok) return said;
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    ({ sessionId } = said.value);
    told.said.push(said.value);
    await telling.folder.write(told);
    telling.onSaid(said.value, told.said.length, of);
  }
  return undefined;
}

async function say(
  {
    id,
    text,
    sessionId,
  }: { readonly id: string; readonly text: string; readonly sessionId: string | undefined },
  { services, watch, deps, telling }: Teller,
  signal: AbortSignal,
): Promise<Result<Said>> {
  const began = systemIdentity.now();
  const request = { question: text, ...(sessionId !== undefined && { sessionId }) };
  const limit = { ms: deps.tellMs, timer: deps.timer };
  const played = await playTurn(services.engine, request, limit, signal);
  if (!played.ok) return played;
  const { turnId, outcome, error } = played.value;
  if (outcome === "answered") await afterTurn(turnId, { services, watch, deps, telling }, signal);
  const events = watch.of(turnId);
  const ingested = events.find((event) => event.type === "memory.ingested");
  const learned = events.find((event) => event.type === "memory.learned");
  const {
    "conclave.by": by,
    "conclave.extracted": added = 0,
    "conclave.updated": updated = 0,
  } = learned?.data ?? {};
  return success({
    ...{ id, sessionId: played.value.sessionId, ended: outcome },
    ...(error !== undefined && { error: error.message }),
    stored: (ingested?.data["conclave.episode_ids"] ?? []).length > 0,
    ...(by !== undefined && { learntBy: by }),
    facts: added + updated,
    seconds: (systemIdentity.now() - began) / 1_000,
  });
}

/** Waits for what the product does after an answer: it is remembered, read for what it teaches, and graded. */
async function afterTurn(
  turnId: string,
  { services, watch, deps, telling }: Pick<Teller, "services" | "watch" | "deps" | "telling">,
  signal: AbortSignal,
): Promise<void> {
  const wait = (type: string): Promise<boolean> =>
    watch.until((event) => event.type === type && event.turnId === turnId, deps.patienceMs, signal);
  const { settings } = telling;
  if (settings.memoryEnabled) {
    await wait("memory.ingested");
    const isStored = watch
      .of(turnId)
      .some((event) => event.type === "memory.ingested" && event.data["conclave.episode_ids"].length > 0);
    if (isStored && settings.memoryExtraction !== "off") await wait("memory.learned");
  }
  if (isAhead(services.critic.view(), "grade", turnId)) await wait("critique.result");
  await services.settled();
}

/** Waits until memory has embedded what it holds, so that no copy has to. */
async function embedded(services: CliServices, { timer, patienceMs }: ProductDeps, signal: AbortSignal) {
  const until = systemIdentity.now() + patienceMs;
  while (!signal.aborted && systemIdentity.now() < until) {
    const { state, waiting = 0 } = await services.memory.status(signal);
    if (state !== "ready" || waiting === 0) return;
    await delay(LOOK_MS, signal, timer);
  }
}

/** The real clock, so many days ago. */
class MovedClock implements Identity {
  readonly turnId = () => systemIdentity.turnId();
  readonly spanId = () => systemIdentity.spanId();
  readonly uuid = () => systemIdentity.uuid();
  #days = 0;

  goBack(days: number): void {
    this.#days = days;
  }

  now(): number {
    return systemIdentity.now() - this.#days * DAY_MS;
  }
}
