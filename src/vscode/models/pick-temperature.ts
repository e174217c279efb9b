import { pickOne } from "../pickers.ts";

/** What a pick list calls the choice that changes nothing. */
export const AS_BEFORE = "As before";
const TEMPERATURES = ["0", "0.3", "0.7", "1", "1.5"];

/** Lets the user pick a temperature; an empty choice for that of before, undefined where they back out. */
export async function pickTemperature(title: string): Promise<{ readonly temperature?: number } | undefined> {
  const pick = await pickOne(
    [AS_BEFORE, ...TEMPERATURES].map((label) => ({ label })),
    {
      title,
      placeHolder: "0 gives the likeliest words, more gives others",
    },
  );
  if (pick === undefined) return undefined;
  return pick.label === AS_BEFORE ? {} : { temperature: Number(pick.label) };
}
