import assert from "node:assert/strict";
import { checkMachine } from "../../../../src/memory/store/platform.ts";
import { Database } from "../../../../src/memory/store/database.ts";
import { EpisodeTable } from "../../../../src/memory/store/episodes.ts";
import { cleanUp, never, temporaryFolder } from "../support.ts";

const flags = (line: string): string => `processor\t: 0\nflags\t\t: ${line}\nbugs\t\t: none\n`;

describe("Machines that the store can't run on", () => {
  afterEach(cleanUp);

  it("are named: an Intel Mac has no build", () => {
    const checked = checkMachine({ platform: "darwin", arch: "x64" });
    assert.ok(!checked.ok);
    assert.equal(checked.failure.code, "memory_unavailable");
    assert.match(checked.failure.message, /darwin-x64.*without memory/);
  });

  it("are named: a processor without AVX2 or FMA", () => {
    const cpuInfo = flags("fpu sse4_2 avx fma");
    const checked = checkMachine({ platform: "linux", arch: "x64", cpuInfo });
    assert.ok(!checked.ok);
    assert.match(checked.failure.message, /lacks AVX2,/);
  });

  it("are named: every system that there is no build for, before anything of the store is loaded", async () => {
    for (const [platform, arch] of [
      ["darwin", "x64"],
      ["win32", "ia32"],
      ["linux", "arm"],
      ["linux", "riscv64"],
      ["freebsd", "x64"],
    ] as const) {
      let loaded = false;
      const load = (): Promise<never> => {
        loaded = true;
        return Promise.reject(new Error("loaded"));
      };
      const database = new Database({ uri: await temporaryFolder(), machine: { platform, arch }, load });
      const counted = await new EpisodeTable(database).countRows(never);
      assert.ok(!counted.ok);
      assert.match(counted.failure.message, new RegExp(`${platform}-${arch}.*go on without memory`));
      assert.equal(loaded, false);
    }
  });

  it("are named: a processor that lacks one of what is needed, under whatever like names", () => {
    for (const [has, lacks] of [
      ["avx avx2 f16c", /lacks FMA,/],
      ["avx fma fma4 avx512f", /lacks AVX2,/],
      ["avx avx2_extra xavx2 fma3", /lacks AVX2 and FMA,/],
    ] as const) {
      const checked = checkMachine({ platform: "linux", arch: "x64", cpuInfo: flags(has) });
      assert.ok(!checked.ok);
      assert.match(checked.failure.message, lacks);
    }
  });

  it("do not take in a processor that has both", () => {
    assert.ok(checkMachine({ platform: "linux", arch: "x64", cpuInfo: flags("avx avx2 f16c fma") }).ok);
  });

  it("do not take in other processors, whose flags are called otherwise or not known", () => {
    assert.ok(checkMachine({ platform: "linux", arch: "arm64", cpuInfo: "Features : fp asimd" }).ok);
    assert.ok(checkMachine({ platform: "linux", arch: "x64", cpuInfo: "nothing to read" }).ok);
    assert.ok(checkMachine({ platform: "win32", arch: "x64" }).ok);
  });

  it("never get as far as loading the native library", async () => {
    let loaded = false;
    const database = new Database({
      uri: await temporaryFolder(),
      machine: { platform: "linux", arch: "x64", cpuInfo: flags("sse2") },
      load: () => {
        loaded = true;
        return import("@lancedb/lancedb");
      },
    });
    const counted = await new EpisodeTable(database).countRows(never);
    assert.ok(!counted.ok);
    assert.equal(loaded, false);
  });

  it("are told apart from a library that is missing, with what mends it", async () => {
    const database = new Database({
      uri: await temporaryFolder(),
      load: () => Promise.reject(new Error("Cannot find module 'lancedb.node'")),
    });
    const counted = await new EpisodeTable(database).countRows(never);
    assert.ok(!counted.ok);
    assert.equal(counted.failure.code, "memory_unavailable");
    assert.match(counted.failure.message, new RegExp(`${process.platform}-${process.arch} is missing`));
  });

  it("say what stood in the way, whatever it was, and load no sooner than they are asked", async () => {
    for (const cause of [
      "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.35' not found",
      "lancedb.node: invalid ELF header",
      "Error loading shared library ld-linux-x86-64.so.2: No such file or directory",
      "A dynamic link library (DLL) initialization routine failed.",
    ]) {
      let loads = 0;
      const load = (): Promise<never> => {
        loads += 1;
        return Promise.reject(new Error(cause));
      };
      const table = new EpisodeTable(new Database({ uri: await temporaryFolder(), load }));
      assert.equal(loads, 0);
      const counted = await table.countRows(never);
      assert.ok(!counted.ok);
      assert.equal(counted.failure.code, "memory_unavailable");
      assert.match(counted.failure.cause ?? "", new RegExp(cause.slice(0, 10).replace(/[./]/g, "\\$&")));
    }
  });

  it("of two cores get threads enough for the full-text index of a large table to end", async () => {
    const before = process.env.LANCE_CPU_THREADS;
    delete process.env.LANCE_CPU_THREADS;
    try {
      await new Database({ uri: await temporaryFolder() }).loadLibrary();
      assert.ok(Number(process.env.LANCE_CPU_THREADS) >= 4);
      process.env.LANCE_CPU_THREADS = "3";
      await new Database({ uri: await temporaryFolder() }).loadLibrary();
      assert.equal(process.env.LANCE_CPU_THREADS, "3", "what the user set is left alone");
    } finally {
      if (before === undefined) delete process.env.LANCE_CPU_THREADS;
      else process.env.LANCE_CPU_THREADS = before;
    }
  });
});
