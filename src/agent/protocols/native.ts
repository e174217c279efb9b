import type { ProtocolAdapter } from "../protocol.ts";
import { correctionMessages, toolMessages, withLastStepNote } from "./messages.ts";
import { catalogueOf } from "./recovery/catalogue.ts";
import { TextReader } from "./text-reader.ts";

/**
 * Tools go to the server as they are, which renders them into the model's own template and reads its calls. Calls that
 * come as text all the same are recovered. The last step is sent them too: they stand at the front of the prompt, so
 * without them the server would have to read all of it anew.
 */
export const nativeProtocol: ProtocolAdapter = {
  name: "native",
  prepare: (messages, tools, lastStep) => ({
    messages: withLastStepNote(messages, lastStep),
    ...(tools.schemas.length > 0 && { tools: tools.schemas }),
  }),
  reader: (tools, callId, lastStep) => new TextReader(catalogueOf(tools), callId, lastStep),
  results: toolMessages,
  correction: correctionMessages,
};
