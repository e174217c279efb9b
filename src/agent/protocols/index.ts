import type { ToolProtocol } from "../events.ts";
import type { ProtocolAdapter } from "../protocol.ts";
import { constrainedProtocol } from "./constrained.ts";
import { nativeProtocol } from "./native.ts";
import { noneProtocol } from "./none.ts";
import { reactProtocol } from "./react.ts";

const ADAPTERS: Readonly<Record<ToolProtocol, ProtocolAdapter>> = {
  native: nativeProtocol,
  constrained: constrainedProtocol,
  react: reactProtocol,
  none: noneProtocol,
};

/** The adapter of a protocol. Adapters are stateless and shared. */
export function protocolAdapter(name: ToolProtocol): ProtocolAdapter {
  return ADAPTERS[name];
}
