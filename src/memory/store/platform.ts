import { readFileSync } from "node:fs";
import type { Failure, Result } from "../../agent/failure.ts";
import { failed, success } from "../../agent/failure.ts";

/** The machine as far as the native store cares. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** The text of `/proc/cpuinfo` where there is one. */
  readonly cpuInfo?: string;
}

/** Pairs of platform and architecture that the store has a native library for. */
const BUILDS = new Set(["darwin-arm64", "linux-x64", "linux-arm64", "win32-x64", "win32-arm64"]);

/** What the library's machine code uses; without them the process dies by SIGILL, which nothing can catch. */
const NEEDED_FLAGS = ["avx2", "fma"];

const STILL_WORKS = "Chat, tools and traces go on without memory.";

/** The machine this runs on. */
export function thisMachine(): Machine {
  const machine = { platform: process.platform, arch: process.arch };
  if (process.platform !== "linux" || process.arch !== "x64") return machine;
  try {
    return { ...machine, cpuInfo: readFileSync("/proc/cpuinfo", "utf8") };
  } catch {
    return machine;
  }
}

/**
 * Says whether the native store can be loaded here, to be asked before it is. The failure `memory_unavailable` names
 * what the machine lacks.
 */
export function checkMachine(machine: Machine): Result<void> {
  const build = `${machine.platform}-${machine.arch}`;
  if (!BUILDS.has(build)) {
    return failed("memory_unavailable", `Memory is off: its store has no build for ${build}. ${STILL_WORKS}`);
  }
  const missing = missingFlags(machine);
  if (missing.length > 0) {
    const flags = missing.map((flag) => flag.toUpperCase()).join(" and ");
    return failed(
      "memory_unavailable",
      `Memory is off: this processor lacks ${flags}, which the store needs. ${STILL_WORKS}`,
    );
  }
  return success(undefined);
}

function missingFlags(machine: Machine): string[] {
  if (machine.platform !== "linux" || machine.arch !== "x64" || machine.cpuInfo === undefined) return [];
  const line = /^flags\s*:(.*)$/m.exec(machine.cpuInfo)?.[1];
  if (line === undefined) return [];
  const flags = new Set(line.trim().split(/\s+/));
  return NEEDED_FLAGS.filter((flag) => !flags.has(flag));
}

/** The failure for a native library that can't be loaded, whatever the reason. */
export function loadFailure(
  machine: Machine,
  cause: string,
): { readonly ok: false; readonly failure: Failure } {
  return failed(
    "memory_unavailable",
    `Memory is off: the library of its store for ${machine.platform}-${machine.arch} is missing or can't be loaded. ${STILL_WORKS} Installing the extension again mends it.`,
    { action: "check_setup", cause },
  );
}
