import { pastTokens, roomBehindQuestion } from "../budget/room.ts";
import type { AgentDefinition } from "../agents/definition.ts";
import { textTokens, toolTokens } from "../context.ts";
import { contextLengthFor } from "../models/capabilities.ts";
import type { ChatModel, ModelInfo } from "../models/types.ts";
import { oncePer } from "../once-per.ts";
import { systemMessage } from "../prompt.ts";
import type { ToolSet } from "../tool.ts";
import type { TurnDeps, TurnInput } from "../turn-types.ts";
import type { Cast, Member } from "./cast.ts";
import type { CommitteeSettings } from "./settings.ts";
import { excerptTokens } from "./material.ts";
import { LATER_RULE, SYNTHESIS_RULE } from "./words.ts";
import { within } from "./within.ts";

/** How long a server is waited for to say what a model can do, before the wanted context is taken for granted. */
const DESCRIBE_MS = 10_000;

/** How much room there is for what others said. Estimated tokens. */
export interface Rooms {
  /** The tools that all speakers are told of. */
  readonly tools: ToolSet;
  /** One excerpt of a speech; the same for all members and rounds, so that what was said once never changes. */
  readonly excerpt: number;
  /** All positions in full, for whoever sums up, ranks or judges with this model. */
  readonly positions: (member: Member) => number;
  /** What the committee will send at most. */
  readonly estimate: number;
}

/** Asks what the models can hold and shares the room behind the question out. Never fails. */
export async function roomsFor(
  cast: Cast,
  settings: CommitteeSettings,
  tools: ToolSet,
  input: TurnInput,
  deps: TurnDeps,
): Promise<Rooms> {
  const lengths = await contextLengths([...cast.members, cast.synthesizer], input, deps);
  const contextOf = (member: Member): number => lengths.get(keyOf(member)) ?? input.settings.contextLength;
  const calibrationOf = ({ model }: Member): number => deps.lessons.calibration(model);
  const behind = new Map<string, number>();
  const behindOf = (member: Member): number => {
    const [contextLength, calibration] = [contextOf(member), calibrationOf(member)];
    const room =
      behind.get(keyOf(member)) ?? roomBehindQuestion(input, { contextLength, tools, calibration });
    behind.set(keyOf(member), room);
    return room;
  };
  const roomOf = (member: Member, rule: string): number =>
    Math.max(0, behindOf(member) - textTokens(rule) - promptTokens(member.definition) - 50);
  const smallest = Math.min(...cast.members.map((member) => roomOf(member, LATER_RULE)));
  const heardRounds = settings.rounds - 1 + Number(settings.strategy === "sequential");
  const excerpt = excerptTokens(smallest, cast.members.length * Math.max(1, heardRounds));
  const positions = (member: Member): number => roomOf(member, SYNTHESIS_RULE);
  const rooms = { tools, excerpt, positions };
  return { ...rooms, estimate: estimateOf(cast, settings, rooms, input, contextOf, calibrationOf) };
}

const promptTokens = oncePer(({ prompt }: AgentDefinition) => textTokens(prompt));

async function contextLengths(
  members: readonly Member[],
  input: TurnInput,
  deps: TurnDeps,
): Promise<ReadonlyMap<string, number>> {
  const lengths = new Map<string, number>();
  const distinct = new Map(members.map((member) => [keyOf(member), member]));
  const looks = [...distinct].map(async ([key, { model, host }]) => {
    const found = deps.model(model, host);
    if ("code" in found) return;
    const info = found.known?.() ?? (await describedInTime(found, deps));
    if (info !== undefined) lengths.set(key, contextLengthFor(input.settings.contextLength, info));
  });
  await Promise.all(looks);
  return lengths;
}

async function describedInTime(model: ChatModel, deps: TurnDeps): Promise<ModelInfo | undefined> {
  const described = await within(DESCRIBE_MS, deps, (signal) => model.describe(signal));
  return described?.ok === true ? described.value : undefined;
}

function keyOf({ model, host = "" }: Member): string {
  return `${host} ${model}`;
}

/** Tokens around a speech in a prompt: its letter, its fence. */
const AROUND_SPEECH = 12;

/**
 * An upper bound of the prompt tokens of all requests: each speaker once, and once more with the whole of its context
 * after each of its tool steps. No request is larger than its model's context.
 */
function estimateOf(
  cast: Cast,
  settings: CommitteeSettings,
  rooms: Omit<Rooms, "estimate">,
  input: TurnInput,
  contextOf: (member: Member) => number,
  calibrationOf: (member: Member) => number,
): number {
  const shared = sharedTokens(input, rooms.tools);
  const { members, synthesizer } = cast;
  const { rounds, strategy, steps, agreement } = settings;
  const rule = textTokens(LATER_RULE) + 50;
  const cost = (member: Member, heard: number, hasTools: boolean): number => {
    const own = rule + promptTokens(member.definition);
    const most = contextOf(member);
    const tries = member.definition.limits.steps ?? steps;
    const more = hasTools && rooms.tools.schemas.length > 0 ? tries * most : 0;
    return Math.min(most, (shared + own + heard) * calibrationOf(member)) + more;
  };
  const speeches = members.length * (rooms.excerpt + AROUND_SPEECH);
  const isAlone = strategy === "self-consistency";
  const full = (member: Member): number => (rounds - 1) * speeches + rooms.positions(member);
  let sum = isAlone ? 0 : 2 * cost(synthesizer, full(synthesizer), mayUse(synthesizer));
  for (let round = 0; round < rounds; round += 1) {
    // Where members hear those before them, the last one has heard nearly all of the round.
    const heard = isAlone ? 0 : (round + Number(strategy === "sequential")) * speeches;
    for (const member of members) sum += cost(member, heard, mayUse(member));
    if (agreement === "model" && round > 0) sum += cost(synthesizer, heard, false);
  }
  if (strategy === "council") for (const member of members) sum += cost(member, full(member), false);
  const { tokenBudget } = input.settings;
  return Math.ceil(tokenBudget > 0 ? Math.min(sum, tokenBudget) : sum);
}

function mayUse({ definition }: Member): boolean {
  return definition.tools === undefined || definition.tools.length > 0;
}

function sharedTokens(input: TurnInput, tools: ToolSet): number {
  const { request, agents, settings } = input;
  const attached = (request.references ?? []).reduce((sum, { text }) => sum + textTokens(text), 0);
  return (
    textTokens(systemMessage(settings.systemPrompt, agents.rules).content) +
    toolTokens(tools.schemas) +
    pastTokens(input) +
    attached +
    textTokens(request.question)
  );
}
