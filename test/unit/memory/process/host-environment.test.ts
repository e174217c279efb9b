import assert from "node:assert/strict";
import { hostEnvironment } from "../../../../src/memory/process/host-process.ts";

describe("the environment of the memory process", () => {
  const before = { ...process.env };
  afterEach(() => {
    for (const name of Object.keys(process.env))
      if (!(name in before)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, before);
  });

  it("keeps the store's threads from having a heap each and gives large pieces back, unless the user chose otherwise", () => {
    for (const [name, own] of [
      ["MALLOC_ARENA_MAX", "1"],
      ["MALLOC_MMAP_THRESHOLD_", "4194304"],
    ] as const) {
      Reflect.deleteProperty(process.env, name);
      assert.equal(hostEnvironment()[name], own);
      process.env[name] = "8";
      assert.equal(hostEnvironment()[name], "8");
    }
  });

  it("is ours without what would load the window's hooks, and makes Electron plain Node", () => {
    process.env["NODE_OPTIONS"] = "--inspect-brk";
    const environment = hostEnvironment();
    assert.equal(environment["NODE_OPTIONS"], undefined);
    assert.equal(environment["ELECTRON_RUN_AS_NODE"], "1");
    assert.equal(environment["PATH"], process.env["PATH"]);
  });
});
