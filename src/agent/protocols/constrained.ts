import { oncePer } from "../once-per.ts";
import type { ProtocolAdapter } from "../protocol.ts";
import { constrainedInstructions, constrainedMessage } from "./constrained-prompt.ts";
import { ConstrainedReader } from "./constrained-reader.ts";
import { answerSchema, stepSchema } from "./grammar-schema.ts";
import { correctionMessages, toolMessages, withLastStepNote } from "./messages.ts";
import { nativeProtocol } from "./native.ts";
import { catalogueOf } from "./recovery/catalogue.ts";
import { withSystemText } from "./tool-text.ts";

/** Each request of a turn repeats the one before it object by object: the log then holds only what it adds. */
const putMessage = oncePer(constrainedMessage);

/**
 * Tools for a model that knows none: its output is constrained to a JSON object that either calls a tool or answers.
 * The instructions stand at the end of the system message and stay the same on every step, the last one included.
 */
export const constrainedProtocol: ProtocolAdapter = {
  name: "constrained",
  prepare: (messages, tools, lastStep, form) => {
    if (tools.schemas.length === 0) return nativeProtocol.prepare(messages, tools, lastStep);
    const told = withSystemText(messages, constrainedInstructions(tools.schemas));
    return {
      messages: withLastStepNote(told.flatMap(putMessage), lastStep),
      format: lastStep ? answerSchema() : stepSchema(tools.schemas, form),
    };
  },
  reader: (tools, callId, lastStep) =>
    tools.schemas.length === 0
      ? nativeProtocol.reader(tools, callId, lastStep)
      : new ConstrainedReader(catalogueOf(tools), callId, lastStep),
  results: toolMessages,
  correction: correctionMessages,
};
