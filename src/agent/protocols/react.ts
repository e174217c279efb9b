import { oncePer } from "../once-per.ts";
import type { ProtocolAdapter } from "../protocol.ts";
import { correctionMessages, toolMessages, withLastStepNote } from "./messages.ts";
import { nativeProtocol } from "./native.ts";
import { reactInstructions, reactMessage } from "./react-prompt.ts";
import { ReactReader } from "./react-reader.ts";
import { catalogueOf } from "./recovery/catalogue.ts";
import { withSystemText } from "./tool-text.ts";

/** Each request of a turn repeats the one before it object by object: the log then holds only what it adds. */
const putMessage = oncePer(reactMessage);

/** The text protocol for back ends that can't constrain output. The stop sequence ends a step behind its one action. */
export const reactProtocol: ProtocolAdapter = {
  name: "react",
  prepare: (messages, tools, lastStep) => {
    if (tools.schemas.length === 0) return nativeProtocol.prepare(messages, tools, lastStep);
    const told = withSystemText(messages, reactInstructions(tools.schemas));
    return {
      messages: withLastStepNote(told.flatMap(putMessage), lastStep),
      stop: ["Observation:"],
    };
  },
  reader: (tools, callId, lastStep) =>
    tools.schemas.length === 0
      ? nativeProtocol.reader(tools, callId, lastStep)
      : new ReactReader(catalogueOf(tools), callId, lastStep),
  results: toolMessages,
  correction: correctionMessages,
};
