import { parseHost } from "../../src/agent/models/host.ts";
import { startScriptedOllama, type PullScript, type ScriptedOllama } from "../support/ollama/index.ts";

/** One server that the contract is checked against. */
export interface Target {
  readonly kind: "scripted" | "real";
  /** Address of the server; known once the suite runs. */
  readonly host: string;
  /** A model with tools and thinking. */
  readonly full: string;
  /** A model that can only complete. */
  readonly plain: string;
  /** The scripted server, for what only the other side can tell. */
  readonly scripted: ScriptedOllama | undefined;
  /** Lets the scripted server pull a model that a real one would find in a registry. */
  allowPull(name: string): void;
}

/** The models' own context length and the length of their embeddings. */
export const CONTEXT_LENGTH = 8_192;
export const DIMENSIONS = 576;

const FULL = "conclave-smollm2";
const PLAIN = "conclave-smollm2-plain";
/** About the pace of a small model, so that an answer can be cancelled in its middle. */
const TOKEN_DELAY_MS = 10;
/** A real model on a busy machine makes a token a second at times. */
const REAL_LIMIT_MS = 600_000;

/**
 * Defines the same tests for the scripted server and for a real one. The real one is where `CONCLAVE_REAL_OLLAMA`
 * (a server started for the tests) or `OLLAMA_HOST` says; without it its half is pending, and failed in CI.
 */
export function contract(title: string, define: (target: Target) => void): void {
  describe(`${title}, scripted server`, () => {
    const target = scriptedTarget();
    before(() => target.start());
    after(() => target.stop());
    define(target);
  });
  describe(`${title}, real server`, function () {
    this.timeout(REAL_LIMIT_MS);
    const target = realTarget();
    before(async function () {
      const absent = await target.absent();
      if (absent === undefined) return;
      if (process.env["CI"] === "true") throw new Error(absent);
      this.skip();
    });
    define(target);
  });
}

function scriptedTarget(): Target & { start(): Promise<void>; stop(): Promise<void> } {
  const pulls: Record<string, PullScript> = {};
  let server: ScriptedOllama | undefined;
  const running = () => {
    if (server === undefined) throw new Error("the scripted server is not running");
    return server;
  };
  return {
    kind: "scripted",
    full: FULL,
    plain: PLAIN,
    get host() {
      return running().host;
    },
    get scripted() {
      return running();
    },
    allowPull: (name) => {
      pulls[name] = {};
    },
    start: async () => {
      const like = { family: "llama", contextLength: CONTEXT_LENGTH, dimensions: DIMENSIONS };
      server = await startScriptedOllama({
        models: [
          { ...like, name: FULL, capabilities: ["completion", "tools", "thinking"] },
          { ...like, name: PLAIN, capabilities: ["completion"] },
        ],
        parallel: 1,
        tokenDelayMs: TOKEN_DELAY_MS,
        pulls,
      });
    },
    stop: () => running().close(),
  };
}

function realTarget(): Target & { absent(): Promise<string | undefined> } {
  const setting = process.env["CONCLAVE_REAL_OLLAMA"] ?? process.env["OLLAMA_HOST"] ?? "";
  const named = setting === "" ? undefined : parseHost(setting);
  const host = named?.ok === true ? named.value.display : "";
  return {
    kind: "real",
    host,
    full: FULL,
    plain: PLAIN,
    scripted: undefined,
    allowPull: () => undefined,
    absent: () => whatIsAbsent(host),
  };
}

async function whatIsAbsent(host: string): Promise<string | undefined> {
  if (host === "") {
    return "There is no real Ollama server: set CONCLAVE_REAL_OLLAMA (node scripts/real-models.mjs --serve).";
  }
  try {
    const response = await fetch(`${host}/api/tags`);
    const tags = await response.text();
    const missing = [FULL, PLAIN].filter((name) => !tags.includes(`"${name}:latest"`));
    if (missing.length === 0) return undefined;
    return `The server at ${host} lacks the models of scripts/models/: ${missing.join(", ")}.`;
  } catch (error) {
    return `No Ollama answers at ${host} (${String(error)}).`;
  }
}
