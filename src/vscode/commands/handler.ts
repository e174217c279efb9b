import type { Container } from "../container.ts";

/** What a command does; `args` are whatever it was run with, not checked. */
export type CommandHandler = (container: Container, args: readonly unknown[]) => Promise<unknown>;
