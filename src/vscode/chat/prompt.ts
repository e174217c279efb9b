import { PARTICIPANT } from "../contributions.ts";

/** A request as it is meant. */
export interface Prompt {
  readonly prompt: string;
  readonly command?: string;
}

const NAMED = new RegExp(`^(?:\\s*@${PARTICIPANT.name}(?!\\S))+\\s*`, "i");
const COMMAND = new RegExp(`^/(${PARTICIPANT.slashCommands.join("|")})(?!\\S)\\s*`, "i");

/**
 * Reads what was typed. A chat that is already with us has our name before the text, so that a pasted
 * `@conclave /recall cache` comes as plain text: the name goes, and the command counts.
 *
 * @param command what VS Code read itself; then the text is the user's own, word for word
 */
export function readPrompt(prompt: string, command?: string): Prompt {
  if (command !== undefined) return { prompt, command };
  const named = NAMED.exec(prompt);
  if (named === null) return { prompt };
  const rest = prompt.slice(named[0].length);
  const found = COMMAND.exec(rest);
  return found?.[1] === undefined
    ? { prompt: rest }
    : { prompt: rest.slice(found[0].length), command: found[1].toLowerCase() };
}
