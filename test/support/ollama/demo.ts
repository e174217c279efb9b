/**
 * A program that stands in for Ollama so that Conclave can be tried without one: a scripted conversation, labelled as
 * such. `tsx test/support/ollama/demo.ts [--port N] [--token-ms N]` prints its address and runs until it is ended.
 */
import { parseArgs } from "node:util";
import { DEMO_TOKEN_MS, startDemo } from "./demo-server.ts";

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: "string" }, "token-ms": { type: "string" } } });
  const server = await startDemo({
    port: Number(values.port ?? 0),
    tokenMs: Number(values["token-ms"] ?? DEMO_TOKEN_MS),
  });
  process.stdout.write(`The demo model (a script, not a language model) answers at ${server.host}\n`);
  const end = () => void server.close();
  process.once("SIGINT", end).once("SIGTERM", end);
}

main().catch((error: unknown) => {
  process.stderr.write(`The demo model could not start: ${String(error)}\n`);
  process.exitCode = 1;
});
