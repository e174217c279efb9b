import type { Critic } from "../../agent/critic/critic.ts";
import type { RubricCatalog } from "../../agent/critic/types.ts";
import type { GradeBadge } from "./badge.ts";
import type { Grades } from "./grades.ts";

/** Where the critic's jobs are kept, in the extension's own folder. */
export const JOBS_FOLDER = "critic";

/** The critic of a window, and what it gave. */
export interface WindowCritic {
  readonly critic: Critic;
  readonly grades: Grades;
  readonly badge: Pick<GradeBadge, "text">;
  readonly rubrics: () => RubricCatalog;
  /** Stops what is judged; the next window takes it up. */
  dispose(): Promise<void>;
}
