/** Running programs and telling the user about it. */
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Prints one line for the user. */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * A word as Windows' shell takes it: in quotes where it holds more than plain signs.
 *
 * @param {string} word
 * @returns {string}
 */
function quoted(word) {
  if (/^[\w.:\\/=@-]+$/.test(word)) return word;
  return `"${word.replace(/"/g, '""').replace(/\\+$/, "$&$&")}"`;
}

/**
 * How a program is started. On Windows `npm`, `npx` and `code` are scripts that only a shell runs, and Node joins the
 * words for it as they are; a program proper is started without one.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.Platform} platform
 */
export function startOf(command, args, platform = process.platform) {
  if (platform !== "win32" || /\.exe$/i.test(command)) return { command, args: [...args], shell: false };
  return { command: quoted(command), args: args.map(quoted), shell: true };
}

/**
 * Runs a program to its end; its output goes to ours, or is collected with `quiet`.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean}} [options]
 * @returns {Promise<{code: number, output: string}>} never rejects; a program that can't be started has code 127
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const chunks = [];
    const start = startOf(command, args);
    const child = spawn(start.command, start.args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ["ignore", options.quiet ? "pipe" : "inherit", options.quiet ? "pipe" : "inherit"],
      shell: start.shell,
    });
    child.stdout?.on("data", (chunk) => chunks.push(chunk));
    child.stderr?.on("data", (chunk) => chunks.push(chunk));
    child.on("error", (error) => resolve({ code: 127, output: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString("utf8") }));
  });
}

/** As `run`, but a failure throws an error with the end of the program's output. */
export async function mustRun(command, args, options = {}) {
  const result = await run(command, args, options);
  if (result.code !== 0) {
    throw new Error(`${command} ${args.join(" ")} ended with ${result.code}\n${result.output.slice(-3000)}`);
  }
  return result.output;
}

/** The full path of a program on the PATH, or undefined. */
export function which(name) {
  const suffixes = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const suffix of suffixes) {
      const candidate = join(folder, name + suffix);
      try {
        accessSync(candidate, constants.X_OK);
        if (statSync(candidate).isFile()) return candidate;
      } catch {
        // Not here: the next folder may have it.
      }
    }
  }
  return undefined;
}
