import type { ProtocolAdapter } from "../protocol.ts";
import { correctionMessages, toolMessages, withLastStepNote } from "./messages.ts";
import { PlainReader } from "./plain-reader.ts";

/** Tools go to the server as they are, which renders them into the model's own template and reads its calls. */
export const nativeProtocol: ProtocolAdapter = {
  name: "native",
  prepare: (messages, tools, lastStep) => ({
    messages: withLastStepNote(messages, lastStep),
    ...(lastStep || tools.schemas.length === 0 ? {} : { tools: tools.schemas }),
  }),
  reader: () => new PlainReader(),
  results: toolMessages,
  correction: correctionMessages,
};
