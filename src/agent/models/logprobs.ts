import { isJsonObject } from "../json.ts";
import type { PlacedLogprob, TokenLogprob } from "./types.ts";

/** Reads the `logprobs` of a line of a chat; what is malformed is left out. */
export function readLogprobs(told: unknown): readonly PlacedLogprob[] {
  return list(told).flatMap((value) => {
    const own = tokenLogprob(value);
    if (own === undefined || !isJsonObject(value)) return [];
    const top = list(value["top_logprobs"]).flatMap((one) => tokenLogprob(one) ?? []);
    return [{ ...own, top }];
  });
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function tokenLogprob(value: unknown): TokenLogprob | undefined {
  if (!isJsonObject(value)) return undefined;
  const { token, logprob } = value;
  return typeof token === "string" && typeof logprob === "number" ? { token, logprob } : undefined;
}
