import type { Part } from "../part.ts";
import { MAIN_JOB } from "./main-job.ts";

/** All parts, in the order in which they are listed. */
export const PARTS: readonly Part[] = [MAIN_JOB];
