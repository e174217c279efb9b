import type { CommitteeSettings } from "../committee/settings.ts";
import { STRATEGIES } from "../committee/settings.ts";
import type { AskOptions } from "../ask-types.ts";
import type { ForkOptions } from "../events-fork.ts";
import type { EventOf, TurnEvent } from "../events.ts";
import type { Think } from "../models/types.ts";

const THINKING: Readonly<Record<string, Think>> = {
  on: true,
  off: false,
  low: "low",
  medium: "medium",
  high: "high",
  max: "max",
};

/** The options of a turn as its events tell them, with what the user chose over them. */
export function optionsOf(events: readonly TurnEvent[], chosen: ForkOptions): AskOptions {
  const committee = events.find(
    (event): event is EventOf<"committee.start"> => event.type === "committee.start",
  );
  const was = committee !== undefined;
  const isCommittee = chosen.agent === undefined && (chosen.committee ?? was);
  const { model, temperature, think } = chosen;
  const wish = {
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
    ...(think !== undefined && { think }),
  };
  if (isCommittee) {
    if (committee === undefined) return { ...wish, committee: {} };
    const sampled = committee.data["conclave.strategy"] === "self-consistency" ? sampledOf(events) : {};
    return { ...sampled, ...wish, committee: seatsOf(committee, events, model) };
  }
  return was
    ? { ...wish, ...(chosen.agent !== undefined && { agent: chosen.agent }) }
    : { ...aloneOf(events, chosen), ...wish };
}

function startsOf(events: readonly TurnEvent[]): readonly EventOf<"agent.start">[] {
  return events.filter((event): event is EventOf<"agent.start"> => event.type === "agent.start");
}

/** Who answered alone, with which model, and how. */
function aloneOf(events: readonly TurnEvent[], chosen: ForkOptions): AskOptions {
  const start = startsOf(events).find(({ parentId, turnId }) => parentId === turnId);
  if (start === undefined) return {};
  const name = chosen.agent ?? start.data["gen_ai.agent.name"];
  const isSame = chosen.model === undefined && name === start.data["gen_ai.agent.name"];
  const request = events.find(
    (event): event is EventOf<"model.start"> => event.type === "model.start" && event.agent === start.agent,
  );
  const temperature = request?.data["gen_ai.request.temperature"];
  const think = THINKING[request?.data["conclave.think"] ?? ""];
  return {
    agent: name,
    ...(name === start.data["gen_ai.agent.name"] && { model: start.data["gen_ai.request.model"] }),
    ...(temperature !== undefined && { temperature }),
    // Another model may think in other ways, or not at all.
    ...(isSame && think !== undefined && { think }),
  };
}

/** Of which agent samples were drawn. */
function sampledOf(events: readonly TurnEvent[]): AskOptions {
  const start = startsOf(events).find((one) => one.data["conclave.sample"] !== undefined);
  if (start === undefined) return {};
  return { agent: start.data["gen_ai.agent.name"], model: start.data["gen_ai.request.model"] };
}

/** Who sat in a committee, with which models, and by which rules; all with one model where that was chosen. */
function seatsOf(
  { data }: EventOf<"committee.start">,
  events: readonly TurnEvent[],
  model: string | undefined,
): Partial<CommitteeSettings> {
  const strategy = STRATEGIES.find((one) => one === data["conclave.strategy"]);
  const summedUp = startsOf(events).findLast((start) => start.data["conclave.role"] === "synthesizer");
  const personas = data["conclave.personas"];
  const synthesizer = data["conclave.synthesizer"];
  const models = [
    ...personas.map(({ name, model: own }) => [name, model ?? own] as const),
    ...(synthesizer !== "" && summedUp !== undefined
      ? [[synthesizer, model ?? summedUp.data["gen_ai.request.model"]] as const]
      : []),
  ];
  const isSampled = strategy === "self-consistency";
  return {
    ...(strategy !== undefined && { strategy }),
    ...(isSampled ? { samples: personas.length } : { personas: personas.map(({ name }) => name) }),
    ...(!isSampled && { models: Object.fromEntries(models), synthesizer }),
    rounds: data["conclave.rounds"],
  };
}
