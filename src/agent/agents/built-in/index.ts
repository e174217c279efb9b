import type { AgentDefinition } from "../definition.ts";
import { DREAMING } from "./dreaming.ts";
import { ENGINEERING_PERSONAS } from "./engineering.ts";
import { INNER_PERSONAS } from "./inner.ts";
import { THE_SELF } from "./self.ts";

/** The agents that come with the product; files of the same name take their place. */
export const BUILT_IN_AGENTS: readonly AgentDefinition[] = [
  ...ENGINEERING_PERSONAS,
  ...INNER_PERSONAS,
  THE_SELF,
  DREAMING,
];
