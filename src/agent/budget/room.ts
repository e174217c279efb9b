import { listTokens, messageTokens, textTokens, toolTokens } from "../context.ts";
import { systemMessage } from "../prompt.ts";
import type { ToolSet } from "../tool.ts";
import type { TurnInput } from "../turn-types.ts";
import { budgetSettings } from "./settings.ts";
import { partLimits } from "./shares.ts";

/** What is asked for: a model's context, and the tools that its agents share. */
export interface RoomOf {
  /** In tokens, as the model is really used with (`contextLengthFor`). */
  readonly contextLength: number;
  readonly tools: ToolSet;
  /** `lessons.calibration(model)`; 1 where nothing is known. */
  readonly calibration?: number;
}

/**
 * How many plain estimated tokens (`textTokens`) may stand behind the question for one agent: what others said and its
 * own instruction. The history keeps its share, and as much again is left for the agent's own calls and results.
 */
export function roomBehindQuestion(
  input: TurnInput,
  { contextLength, tools, calibration = 1 }: RoomOf,
): number {
  const { settings, request, agents } = input;
  const { shares } = budgetSettings(settings);
  const { maxOutputTokens } = settings;
  const limits = partLimits({ contextLength, maxOutputTokens, calibration, shares });
  const attached = (request.references ?? []).reduce((sum, { text }) => sum + textTokens(text), 0);
  // Only rules of the project are cut to the share; what stands around them is always sent whole.
  const base = messageTokens(systemMessage(settings.systemPrompt));
  const taken =
    Math.max(
      base,
      Math.min(messageTokens(systemMessage(settings.systemPrompt, agents.rules)), limits.system),
    ) +
    Math.min(toolTokens(tools.schemas), limits.tools) +
    Math.min(pastTokens(input), limits.history) +
    Math.min(attached, limits.memory) +
    textTokens(request.question);
  return Math.max(0, Math.floor((limits.prompt - taken) / 2));
}

/** Estimated tokens of all that went before a turn. */
export function pastTokens({ request, conversation }: TurnInput): number {
  let tokens = request.history === undefined ? 0 : listTokens(request.history);
  for (const { messages } of conversation.turns) tokens += listTokens(messages);
  return tokens;
}
