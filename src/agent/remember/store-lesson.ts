import type { Failure } from "../failure.ts";
import type { Identity } from "../ids.ts";
import type { MemoryPort } from "../memory/port.ts";
import type { Learned } from "../memory/types.ts";
import type { Extraction } from "./extraction-schema.ts";
import { annotationsOf, learntOf, type Lesson } from "./lesson.ts";
import type { Proposal } from "./propose.ts";
import { safely } from "./safely.ts";

/** What a lesson is stored with. */
export interface StoreLessonDeps {
  readonly memory: MemoryPort;
  readonly identity: Identity;
}

/** Hands over to memory what a lesson taught, and how its turn was classified. Never throws. */
export async function storeLesson(
  lesson: Lesson,
  extraction: Extraction | undefined,
  proposal: Proposal | undefined,
  { memory, identity }: StoreLessonDeps,
  signal: AbortSignal,
): Promise<{ readonly learned?: Learned; readonly error?: Failure }> {
  const notes = annotationsOf(lesson, extraction, identity);
  const noted = await safely(signal, () => memory.annotate(notes, signal));
  const learnt = proposal === undefined ? undefined : learntOf(lesson, proposal);
  if (learnt === undefined) return noted.ok ? {} : { error: noted.failure };
  const learned = await safely(signal, () => memory.learn(learnt, signal));
  return learned.ok ? { learned: learned.value } : { error: learned.failure };
}
