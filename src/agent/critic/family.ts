import type { ModelInfo } from "../models/types.ts";

/** A model as far as it is known. */
export type KnownModel = Pick<ModelInfo, "name" | "family">;

/** What names of models tell of whose they are; the name of the family first. */
const NAMES: readonly (readonly [family: string, names: RegExp])[] = [
  ["llama", /llama|vicuna|nemotron|tulu|hermes-?[34]/u],
  ["qwen", /qwen|qwq|qvq|marco-o1/u],
  [
    "mistral",
    /mistral|mixtral|codestral|devstral|magistral|ministral|mathstral|pixtral|prometheus|zephyr|openhermes/u,
  ],
  ["gemma", /gemma|medgemma/u],
  ["phi", /(?:^|[^a-z])phi/u],
  ["deepseek", /deepseek/u],
  ["gpt-oss", /gpt-?oss/u],
  ["granite", /granite/u],
  ["command", /command-?[ra]|aya/u],
  ["smollm", /smollm/u],
  ["glm", /(?:^|[^a-z])(?:chat)?glm/u],
  ["yi", /(?:^|[^a-z])yi(?:[^a-z]|$)/u],
  ["falcon", /falcon/u],
  ["olmo", /olmo/u],
  ["exaone", /exaone/u],
  ["kimi", /kimi/u],
];
/** A model of this architecture is often of another house; those distilled from a larger one are of both. */
const COMMON_ARCHITECTURE = "llama";
const DISTILLED = ["deepseek", "nemotron"];

/**
 * The family that two models have in common, such as `qwen`, by their names and by what the server says; nothing when
 * they have none. A judge may like its own family's answers better.
 */
export function judgeFamily(judge: KnownModel, writer: KnownModel): string | undefined {
  const own = familiesOf(judge);
  const shared = familiesOf(writer).find((family) => own.includes(family));
  if (shared !== undefined) return shared;
  const name = plainName(judge.name);
  return name !== "" && name === plainName(writer.name) ? name : undefined;
}

function familiesOf({ name, family = "" }: KnownModel): readonly string[] {
  const plain = plainName(name);
  const named = NAMES.filter(([, names]) => names.test(plain)).map(([own]) => own);
  const architecture = family.toLowerCase();
  const built = NAMES.find(([, names]) => names.test(architecture))?.[0];
  if (built === undefined || named.includes(built)) return named;
  // Mistral and many others are built like Llama and are none.
  const telling = built !== COMMON_ARCHITECTURE || named.every((own) => DISTILLED.includes(own));
  return telling ? [...named, built] : named;
}

/** A model's name without its owner and its tag. */
function plainName(name: string): string {
  return name.toLowerCase().split("/").at(-1)?.split(":")[0]?.trim() ?? "";
}

/** Whether a model is a Prometheus, which is trained to judge in a form of its own. */
export function isPrometheus({ name, family = "" }: KnownModel): boolean {
  return /prometheus/iu.test(name) || /prometheus/iu.test(family);
}
