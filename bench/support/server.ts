import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * What the server answers: tool calls and then text, a text that begins with the time it was made, or what the members
 * of a committee say.
 */
export type ServerPlan =
  | { readonly kind: "loop"; readonly steps: number }
  | { readonly kind: "stamp" }
  | { readonly kind: "committee" }
  /** Grades are never done. */
  | { readonly kind: "critic" };

/** A scripted server in a process of its own. */
export interface BenchServer {
  readonly host: string;
  close(): Promise<void>;
}

/** Starts a scripted server in a process of its own. */
export async function startServer(plan: ServerPlan): Promise<BenchServer> {
  const file = fileURLToPath(new URL("./scripted-process.ts", import.meta.url));
  const child = fork(file, [JSON.stringify(plan)], { execArgv: ["--import", "tsx"] });
  const [host] = (await once(child, "message")) as [string];
  return {
    host,
    close: async () => {
      child.send("close");
      await once(child, "exit");
    },
  };
}
