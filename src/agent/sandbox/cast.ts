import { z } from "zod";
import { findAgent, type AgentCatalog, type AgentDefinition } from "../agents/definition.ts";
import { failed, success, type Result } from "../failure.ts";
import { nearestName } from "../nearest-name.ts";
import type { EngineSettings } from "../settings.ts";
import { DEFAULT_SANDBOX, sandboxRequestSchema, type SandboxSettings } from "./settings.ts";
import type { SandboxRequest, Speaker } from "./types.ts";

/** A talk that can begin. */
export interface SandboxPlan {
  readonly speakers: readonly Speaker[];
  readonly opening: string;
  readonly scenario: string;
  readonly settings: SandboxSettings;
  readonly door: SandboxRequest["door"];
}

/** Checks what a talk is to begin with and finds its personas. The failure `bad_input` says what to change. */
export function planSandbox(
  request: SandboxRequest,
  agents: AgentCatalog,
  settings: Pick<EngineSettings, "model">,
): Result<SandboxPlan> {
  const parsed = sandboxRequestSchema.safeParse(request);
  if (!parsed.success) {
    return failed("bad_input", `This talk can't begin: ${z.prettifyError(parsed.error)}`);
  }
  const { personas, opening, scenario = "", door } = parsed.data;
  const speakers: Speaker[] = [];
  for (const { name, model, host } of personas) {
    const definition = findAgent(agents, name);
    if (definition === undefined) return unknown(name, agents);
    if (speakers.some((speaker) => speaker.name === definition.name)) {
      return failed("bad_input", `${definition.name} can't talk to itself: name each persona once.`);
    }
    speakers.push({
      name: definition.name,
      definition: asSpeaker(definition),
      model: model ?? definition.model ?? settings.model,
      ...(host !== undefined && { host }),
    });
  }
  return success({
    speakers,
    opening,
    scenario,
    door,
    settings: { ...DEFAULT_SANDBOX, ...parsed.data.settings },
  });
}

function unknown(name: string, { agents }: AgentCatalog): Result<never> {
  const near = nearestName(
    name,
    agents.map((agent) => agent.name),
  );
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return failed("bad_input", `There is no agent "${name}".${hint}`, { target: name });
}

/** What its file says of tools and of the form of an answer is not for a talk: it only speaks. */
function asSpeaker({
  properties: _properties,
  chainedTool: _chained,
  ...plain
}: AgentDefinition): AgentDefinition {
  return { ...plain, tools: [], required: [], structuredOutput: false };
}
