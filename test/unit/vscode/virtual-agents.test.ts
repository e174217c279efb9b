import assert from "node:assert/strict";
import { findAgent } from "../../../src/agent/agents/definition.ts";
import { AgentFiles } from "../../../src/agent/agents/files.ts";
import { VirtualAgentFiles, type VirtualFileSystem } from "../../../src/vscode/agents/virtual-files.ts";

const BOAT = { name: "boat", address: "vscode-vfs://github/us/boat" };
const VERA = `${BOAT.address}/.conclave/agents/vera.yaml`;

/** Files by their addresses; every write counts as a later time. */
class Files implements VirtualFileSystem {
  readonly texts = new Map<string, { readonly bytes: Uint8Array; readonly mtime: number }>();
  reads = 0;
  fails: string | undefined;
  #time = 0;

  write(address: string, text: string): void {
    this.#time += 1;
    this.texts.set(address, { bytes: new TextEncoder().encode(text), mtime: this.#time });
  }

  join = (address: string, ...names: readonly string[]): string =>
    [address, ...names.map(encodeURIComponent)].join("/");

  list(address: string): Promise<readonly string[]> {
    const all = [...this.texts.keys()].filter((one) => one.startsWith(`${address}/`));
    const names = all.map((one) => decodeURIComponent(one.slice(address.length + 1)));
    return names.length === 0 ? Promise.reject(new Error("no such folder")) : Promise.resolve(names);
  }

  stat(address: string): Promise<{ readonly size: number; readonly mtime: number }> {
    const file = this.texts.get(address);
    if (file === undefined) return Promise.reject(new Error("no such file"));
    return Promise.resolve({ size: file.bytes.length, mtime: file.mtime });
  }

  read(address: string): Promise<Uint8Array> {
    this.reads += 1;
    const file = this.texts.get(address);
    if (file === undefined || this.fails === address) return Promise.reject(new Error("the line is dead"));
    return Promise.resolve(file.bytes);
  }
}

describe("agents of a folder that is not on this machine's disk", () => {
  let files: Files;
  let virtual: VirtualAgentFiles;
  let agents: AgentFiles;
  let changes: number;

  beforeEach(() => {
    files = new Files();
    changes = 0;
    virtual = new VirtualAgentFiles(files, () => {
      changes += 1;
    });
    agents = new AgentFiles({ places: () => ({ workspaces: [], given: virtual.given }) });
  });

  const job = (name: string): string | undefined => findAgent(agents.catalog(), name)?.persona?.job;

  it("are there as those of any other folder are: in all forms, with the project's rules", async () => {
    files.write(VERA, "name: Vera\njob: pilot\n");
    files.write(`${BOAT.address}/.github/agents/plan.agent.md`, "---\ndescription: x\n---\nPlan.\n");
    files.write(`${BOAT.address}/.claude/agents/my%20reader.md`, "---\ndescription: y\n---\nRead.\n");
    files.write(`${BOAT.address}/AGENTS.md`, "Obey.\n");
    files.write(`${BOAT.address}/.conclave/agents/notes.txt`, "no agent");
    await virtual.refresh([BOAT]);
    assert.equal(job("vera"), "pilot");
    const catalog = agents.catalog();
    assert.ok(findAgent(catalog, "plan") && findAgent(catalog, "my reader"));
    assert.equal(catalog.rules, "Obey.");
    assert.deepEqual(catalog.problems, []);
    assert.equal(findAgent(catalog, "Vera")?.source.path, VERA);
  });

  it("change when their files do, are gone with them, and nothing is read twice", async () => {
    files.write(VERA, "name: Vera\njob: pilot\n");
    await virtual.refresh([BOAT]);
    await virtual.refresh([BOAT]);
    assert.deepEqual([files.reads, changes], [1, 1]);
    const before = agents.catalog();
    assert.equal(agents.catalog(), before);
    files.write(VERA, "name: Vera\njob: baker\n");
    await virtual.refresh([BOAT]);
    assert.deepEqual([job("vera"), changes], ["baker", 2]);
    files.texts.delete(VERA);
    await virtual.refresh([BOAT]);
    assert.deepEqual([job("vera"), changes], [undefined, 3]);
  });

  it("are none when no folder is trusted any more", async () => {
    files.write(VERA, "name: Vera\n");
    await virtual.refresh([BOAT]);
    await virtual.refresh([]);
    assert.equal(findAgent(agents.catalog(), "vera"), undefined);
  });

  it("that can't be read are listed with the reason, and are tried again", async () => {
    files.write(VERA, "name: Vera\njob: pilot\n");
    files.write(`${BOAT.address}/.conclave/agents/large.yaml`, "x".repeat(600_000));
    files.fails = VERA;
    await virtual.refresh([BOAT]);
    const told = agents.catalog().problems.map(({ path, severity, message }) => [path, severity, message]);
    assert.equal(told.length, 2);
    assert.match(told.join("\n"), /large\.yaml,error,.*more than 512 KB/);
    assert.match(told.join("\n"), /vera\.yaml,error,.*the line is dead/);
    files.fails = undefined;
    await virtual.refresh([BOAT]);
    assert.equal(job("vera"), "pilot");
  });

  it("of many at once are those of the last wish", async () => {
    files.write(VERA, "name: Vera\n");
    const first = virtual.refresh([BOAT]);
    const last = virtual.refresh([]);
    await Promise.all([first, last]);
    assert.deepEqual(virtual.given, []);
  });
});
