import type { Figure } from "../frame.ts";
import { activation } from "./activation.ts";
import { criticAnswerDelay } from "./critic-answer-delay.ts";
import { committeeOverhead } from "./committee-overhead.ts";
import { committeePrefillReal } from "./committee-prefill-real.ts";
import { committeePrefill, committeePrefillSteps } from "./committee-prefill.ts";
import { criticOverhead } from "./critic-overhead.ts";
import { criticParsed } from "./critic-parsed.ts";
import { locomo } from "./locomo.ts";
import { loopConstrained } from "./loop-constrained.ts";
import { loopCancel } from "./loop-cancel.ts";
import { loopFirstEvent } from "./loop-first-event.ts";
import { loopOverhead } from "./loop-overhead.ts";
import { loopRecovery } from "./loop-recovery.ts";
import { memoryEmbed } from "./memory-embed.ts";
import { memoryGrowthDisk, memoryGrowthSearch } from "./memory-growth.ts";
import { memoryHostDelay } from "./memory-host.ts";
import { memoryIngestDelay } from "./memory-ingest.ts";
import { memoryCold, memoryDisk, memoryResident } from "./memory-process.ts";
import { memoryRecall, memorySearch, memorySearchNamed } from "./memory-search.ts";
import { panelFirstRow } from "./panel-first-row.ts";
import { panelScroll } from "./panel-scroll.ts";
import { panelSize } from "./panel-size.ts";
import { panelMessage, panelStreamGrowth, panelStreamLag } from "./panel-stream.ts";
import { traceAppend } from "./trace-append.ts";
import { traceOpen, traceOpenMemory } from "./trace-open.ts";
import { traceRead } from "./trace-read.ts";
import { vscode } from "./vscode.ts";

/** All figures, in the order of the table. */
export const FIGURES: readonly Figure[] = [
  loopOverhead,
  loopFirstEvent,
  loopCancel,
  loopRecovery,
  loopConstrained,
  activation,
  panelFirstRow,
  panelScroll,
  panelStreamLag,
  panelStreamGrowth,
  panelMessage,
  panelSize,
  traceAppend,
  traceRead,
  traceOpen,
  traceOpenMemory,
  ...vscode,
  memorySearch,
  memorySearchNamed,
  memoryRecall,
  memoryCold,
  memoryResident,
  memoryDisk,
  memoryGrowthSearch,
  memoryGrowthDisk,
  memoryIngestDelay,
  memoryHostDelay,
  memoryEmbed,
  ...locomo,
  committeePrefill,
  committeePrefillSteps,
  committeePrefillReal,
  committeeOverhead,
  criticOverhead,
  criticParsed,
  criticAnswerDelay,
];
