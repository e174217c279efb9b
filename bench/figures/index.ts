import type { Figure } from "../frame.ts";
import { activation } from "./activation.ts";
import { loopFirstEvent } from "./loop-first-event.ts";
import { loopOverhead } from "./loop-overhead.ts";
import { panelSize } from "./panel-size.ts";
import { traceAppend } from "./trace-append.ts";

/** All figures, in the order of the table. */
export const FIGURES: readonly Figure[] = [loopOverhead, loopFirstEvent, activation, panelSize, traceAppend];
