import type { Capability } from "../../agent/models/types.ts";
import { sizeText } from "../chat/words.ts";

/** A model as the pickers show it; what the server did not say is left out. */
export interface ModelEntry {
  readonly name: string;
  /** On disk. */
  readonly sizeBytes?: number;
  /** Such as `8.2B`. */
  readonly parameterSize?: string;
  /** Such as `Q4_K_M`. */
  readonly quantization?: string;
  readonly family?: string;
  readonly capabilities?: readonly Capability[];
  /** The model's own maximum, in tokens. */
  readonly contextLength?: number;
  /** True while the server holds it in memory. */
  readonly loaded?: boolean;
}

/** How a model stands in a pick list. */
export interface ModelItem {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** What a model can do, in the words of the list. */
const CAPABILITY_WORDS: Partial<Record<Capability, string>> = {
  tools: "tools",
  thinking: "thinking",
  vision: "pictures",
};

/** Whether a model answers questions; one that only embeds does not. Unknown capabilities count as yes. */
export function canChat(entry: ModelEntry): boolean {
  return entry.capabilities === undefined || entry.capabilities.includes("completion");
}

/** The line for a model; `chosen` gets the mark. */
export function modelItem(entry: ModelEntry, chosen: string): ModelItem {
  const can = (entry.capabilities ?? []).flatMap((one) => CAPABILITY_WORDS[one] ?? []);
  const facts = [
    entry.parameterSize,
    entry.quantization,
    entry.contextLength === undefined
      ? undefined
      : `${entry.contextLength.toLocaleString("en")} tokens of context`,
  ].filter((fact) => fact !== undefined);
  const abilities = entry.capabilities === undefined ? "" : can.length > 0 ? can.join(", ") : "answers only";
  return {
    name: entry.name,
    label: `${entry.name === chosen ? "$(check) " : ""}${entry.name}`,
    description: [
      entry.sizeBytes === undefined ? undefined : sizeText(entry.sizeBytes),
      abilities === "" ? undefined : abilities,
      entry.loaded === true ? "loaded" : undefined,
    ]
      .filter((part) => part !== undefined)
      .join(" · "),
    detail: facts.join(" · "),
  };
}

/** The lines of the pick list: what is loaded first, then by name; models that only embed are left out. */
export function modelItems(entries: readonly ModelEntry[], chosen: string): readonly ModelItem[] {
  return entries
    .filter(canChat)
    .toSorted((a, b) => Number(b.loaded === true) - Number(a.loaded === true) || a.name.localeCompare(b.name))
    .map((entry) => modelItem(entry, chosen));
}

/** The model in VS Code's picker that stands for "whatever `conclave.model` says"; it is there while Ollama is down. */
export const STAND_IN_ID = "conclave-default";

/** A model as VS Code's picker takes it. */
export interface PickerModel {
  readonly id: string;
  readonly name: string;
  readonly family: string;
  readonly version: string;
  readonly tooltip: string;
  readonly detail: string;
  /** Tokens. */
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  readonly capabilities: { readonly toolCalling: boolean; readonly imageInput: boolean };
}

/** The lengths that the settings allow, in tokens. */
export interface PickerLimits {
  readonly contextLength: number;
  readonly maxOutputTokens: number;
}

/**
 * The models for VS Code's picker. The stand-in is always the first: VS Code calls no participant without a model, and
 * ours has to say what is wrong when Ollama is not there. Every model counts as able to call tools, because the loop
 * offers tools to any model by constrained output.
 *
 * @param chosen the value of `conclave.model`, perhaps empty
 */
export function pickerModels(
  entries: readonly ModelEntry[],
  chosen: string,
  limits: PickerLimits,
): readonly PickerModel[] {
  const standIn: PickerModel = {
    id: STAND_IN_ID,
    name: chosen === "" ? "Conclave" : `Conclave (${chosen})`,
    family: "conclave",
    version: "1",
    tooltip:
      chosen === ""
        ? "The model you select with Conclave: Select Model."
        : `The model of the settings: ${chosen}.`,
    detail: "Ollama",
    ...lengths(limits.contextLength, limits),
    capabilities: { toolCalling: true, imageInput: false },
  };
  const others = entries.filter(canChat).map((entry): PickerModel => {
    const { description, detail } = modelItem(entry, "");
    return {
      id: entry.name,
      name: entry.name,
      family: entry.family ?? entry.name.split(":")[0] ?? entry.name,
      version: entry.name.split(":")[1] ?? "latest",
      tooltip: [`${entry.name} on Ollama`, description, detail].filter((part) => part !== "").join(" · "),
      detail: entry.parameterSize ?? "Ollama",
      ...lengths(Math.min(limits.contextLength, entry.contextLength ?? limits.contextLength), limits),
      capabilities: { toolCalling: true, imageInput: false },
    };
  });
  return [standIn, ...others];
}

/** Prompt and answer share the context: what the answer may take is not there for the prompt. */
function lengths(
  context: number,
  limits: PickerLimits,
): Pick<PickerModel, "maxInputTokens" | "maxOutputTokens"> {
  const maxOutputTokens = Math.min(limits.maxOutputTokens, Math.floor(context / 2));
  return { maxInputTokens: context - maxOutputTokens, maxOutputTokens };
}
