import { STRATEGIES, type Strategy } from "../../agent/committee/settings.ts";
import type { Feature } from "../../trace/eval/report.ts";

/** Features that a configuration's name can take away or add. */
const SWITCHES = ["memory", "tools", "critic"] as const;
type Switch = (typeof SWITCHES)[number];

const BASES = ["as-written", "single", ...STRATEGIES.filter((strategy) => strategy !== "single")] as const;

/** A way in which the product is set up for a run. */
export interface Configuration {
  /** Such as `as-written`, `blind`, `single-memory`, `as-written+critic`. */
  readonly name: string;
  /** As the case has it; one agent; or a committee of this strategy. */
  readonly base: (typeof BASES)[number];
  /** Features that are off, or on, whatever the case says. */
  readonly switches: Readonly<Partial<Record<Switch, boolean>>>;
}

const NAME = new RegExp(
  `^(?<base>${[...BASES].sort((a, b) => b.length - a.length).join("|")})(?<rest>(?:[-+](?:${SWITCHES.join("|")}))*)$`,
  "u",
);

/** How every case is run where nothing else is asked for. */
export const AS_WRITTEN: Configuration = { name: "as-written", base: "as-written", switches: {} };

/** Reads a configuration's name; undefined where it is none. In whichever order features stand, it is the same one. */
export function parseConfiguration(name: string): Configuration | undefined {
  const match = NAME.exec(name.trim());
  if (match?.groups === undefined) return undefined;
  const { base, rest } = match.groups;
  const switches: Partial<Record<Switch, boolean>> = {};
  for (const [, sign, feature] of (rest ?? "").matchAll(/([-+])(memory|tools|critic)/gu)) {
    // With and without at once is neither.
    if (switches[feature as Switch] !== undefined) return undefined;
    switches[feature as Switch] = sign === "+";
  }
  return named(base as Configuration["base"], switches);
}

/** What is wrong with a configuration's name, following it in a sentence. */
export function configurationFault(name: string): string | undefined {
  return parseConfiguration(name) === undefined
    ? `names no configuration: take ${BASES.join(", ")}, with -memory, -tools, -critic or +critic behind it, each once`
    : undefined;
}

/** What a configuration is, in words. */
export function describeConfiguration({ base, switches }: Configuration): string {
  const who =
    base === "as-written"
      ? "as the case is written"
      : base === "single"
        ? "one agent"
        : `a committee, ${base}`;
  const parts = Object.entries(switches).map(([feature, on]) => `${on ? "with" : "without"} ${feature}`);
  return [who, ...parts].join(", ");
}

/** The configuration with a feature taken away; undefined where it has none of it to take. */
export function without(
  { base, switches }: Configuration,
  feature: Feature,
  hasCommittee: boolean,
): Configuration | undefined {
  if (feature === "committee") {
    const isCommittee = base === "as-written" ? hasCommittee : base !== "single";
    return isCommittee ? named("single", switches) : undefined;
  }
  return switches[feature] === false ? undefined : named(base, { ...switches, [feature]: false });
}

/** The feature that makes the difference between two configurations; undefined where it is none, or several. */
export function differenceOf(one: Configuration, other: Configuration): Feature | undefined {
  const changed = SWITCHES.filter((feature) => one.switches[feature] !== other.switches[feature]);
  if (one.base !== other.base)
    return changed.length === 0 && other.base === "single" ? "committee" : undefined;
  const [feature, ...more] = changed;
  return feature !== undefined &&
    more.length === 0 &&
    one.switches[feature] !== false &&
    other.switches[feature] === false
    ? feature
    : undefined;
}

/** The strategy of the committee that a configuration forces; `single` where it forces none. */
export function forcedStrategy({ base }: Configuration): Strategy | "single" | undefined {
  return base === "as-written" ? undefined : base;
}

function named(base: Configuration["base"], switches: Configuration["switches"]): Configuration {
  const parts = SWITCHES.filter((feature) => switches[feature] !== undefined).map(
    (feature) => `${switches[feature] === true ? "+" : "-"}${feature}`,
  );
  return { name: `${base}${parts.join("")}`, base, switches };
}
