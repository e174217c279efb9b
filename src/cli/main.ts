import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describeError } from "../agent/failure.ts";
import { shippedParts } from "./places.ts";
import { runCli } from "./run-cli.ts";
import { EXIT } from "./terminal.ts";

declare const CONCLAVE_VERSION: string;

/** The folder that the product is installed in: the bundle lies in its `dist`, behind whatever link it was started by. */
function installed(): string {
  return resolve(dirname(realpathSync(process.argv[1] ?? ".")), "..");
}

/** All of standard input. */
async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

async function main(): Promise<void> {
  const stop = new AbortController();
  // The second one ends the process at once, as people expect.
  process.once("SIGINT", () => stop.abort());
  process.once("SIGTERM", () => stop.abort());
  // A reader that has gone, as `head` does, is no fault of ours: there is nobody to say anything to.
  const gone = new AbortController();
  process.stdout.on("error", () => {
    gone.abort();
    stop.abort();
  });
  process.stderr.on("error", () => undefined);
  const write = (stream: NodeJS.WriteStream, text: string): void => {
    if (!gone.signal.aborted) stream.write(text);
  };
  try {
    const code = await runCli(
      process.argv.slice(2),
      {
        out: (text) => write(process.stdout, text),
        err: (text) => write(process.stderr, text),
        env: process.env,
        cwd: process.cwd(),
        input: readInput,
      },
      shippedParts(installed(), CONCLAVE_VERSION),
      stop.signal,
    );
    process.exitCode = gone.signal.aborted ? EXIT.readerGone : code;
  } catch (error) {
    process.stderr.write(`Something broke inside Conclave: ${describeError(error)}\n`);
    process.exitCode = EXIT.failed;
  }
}

void main();
