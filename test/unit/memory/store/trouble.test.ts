import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { openStore } from "../store-support.ts";
import { cleanUp, episode, later, never, temporaryFolder, valueOf } from "../support.ts";

const run = promisify(execFile);

/** Mounts something on a folder until the test is over; says when this machine does not let us. */
async function mounted(context: Mocha.Context, args: readonly string[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const done = await run("mount", [...args, folder]).then(
    () => true,
    () => false,
  );
  if (!done) {
    process.stdout.write("Left out: a full disk and a read-only one: nothing can be mounted here.\n");
    context.skip();
  }
  later(async () => {
    await run("umount", ["-l", folder]);
  });
}

describe("A store in trouble", function () {
  this.timeout(60_000);
  afterEach(cleanUp);

  it("on a full disk says so, keeps what it has, and writes again once there is room", async function () {
    const folder = join(await temporaryFolder(), "small");
    await mounted(this, ["-t", "tmpfs", "-o", "size=1m", "tmpfs"], folder);
    const { add, episodes } = await openStore({ folder });
    const kept = episode();
    await add([kept]);
    const noise = Array.from({ length: 60_000 }, (_, index) => (index * 7_919) % 104_729)
      .join(" ")
      .slice(0, 90_000);
    let refused;
    for (let index = 0; refused === undefined && index < 60; index += 1) {
      const added = await episodes.append([episode({ answer: `${index} ${noise}` })], never);
      if (!added.ok) refused = added.failure;
    }
    assert.equal(refused?.code, "memory_unavailable");
    assert.match(refused.message, /could not be written: the disk that holds .* is full/);
    const before = valueOf(await episodes.countRows(never));
    assert.ok(before >= 1);
    assert.deepEqual(valueOf(await episodes.byIds([kept.id], never)), [kept]);
    await run("mount", ["-o", "remount,size=50m", folder]);
    await add([episode()]);
    assert.equal(valueOf(await episodes.countRows(never)), before + 1);
  });

  it("on a read-only disk is searched and listed, and refuses changes with a sentence", async function () {
    const folder = await temporaryFolder();
    const before = await openStore({ folder });
    const kept = episode();
    await before.add([kept]);
    valueOf(await before.episodes.matching(["cache"], { limit: 5 }, never));
    await before.add([episode()]);
    before.database.close();
    await mounted(this, ["--bind", folder], folder);
    await run("mount", ["-o", "remount,bind,ro", folder]);
    const { episodes } = await openStore({ folder });
    assert.equal(valueOf(await episodes.list({ offset: 0, limit: 5 }, never)).total, 2);
    assert.ok(valueOf(await episodes.matching(["cache"], { limit: 5 }, never)).length >= 1);
    for (const refused of [
      await episodes.append([episode()], never),
      await episodes.forget([kept.id], never),
    ]) {
      assert.ok(!refused.ok);
      assert.match(refused.failure.message, /could not be written: .* is read-only/);
    }
  });

  it("in a folder that can't be made says where", async () => {
    const file = join(await temporaryFolder(), "a-file");
    await writeFile(file, "");
    const { episodes } = await openStore({ folder: join(file, "memory") });
    const refused = await episodes.append([episode()], never);
    assert.ok(!refused.ok);
    assert.equal(refused.failure.code, "memory_unavailable");
    assert.ok(refused.failure.message.includes(join(file, "memory")));
  });
});
