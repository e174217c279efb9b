import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { Database } from "../../src/memory/store/database.ts";
import { EPISODES } from "../../src/memory/store/episodes.ts";
import { Maintenance } from "../../src/memory/store/maintenance.ts";
import type { Store } from "../unit/memory/store-support.ts";
import { openStore } from "../unit/memory/store-support.ts";
import { cleanUp, episode, fakeEmbedder, never, valueOf } from "../unit/memory/support.ts";

const startedSchema = z.union([
  z.object({ endpoint: z.url(), bucket: z.string() }),
  z.object({ absent: z.string() }),
]);

/** A store in object storage by its address alone, on a server that speaks S3. */
describe("A store in S3-style object storage", function () {
  this.timeout(300_000);
  let stop = (): Promise<unknown> => Promise.resolve();
  let options: Readonly<Record<string, string>> = {};
  let bucket = "";
  let prefix = 0;

  before(async function () {
    const script = resolve(import.meta.dirname, "../../scripts/s3-server.mjs");
    const server = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
    const gone = once(server, "exit");
    stop = () => {
      server.stdin.end();
      return gone;
    };
    const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
    const started = startedSchema.parse(JSON.parse(line));
    if ("absent" in started) {
      process.stdout.write(`Left out: the store in object storage: ${started.absent}.\n`);
      this.skip();
    } else {
      ({ bucket } = started);
      options = {
        endpoint: started.endpoint,
        region: "us-east-1",
        access_key_id: "key",
        secret_access_key: "secret",
        allow_http: "true",
      };
    }
  });
  after(() => stop());
  afterEach(cleanUp);

  function open(uri: string, storageOptions = options): Promise<Store> {
    return openStore({ uri, storageOptions });
  }

  function freshUri(): string {
    prefix += 1;
    return `s3://${bucket}/store-${prefix}`;
  }

  it("keeps, finds, lists and forgets", async () => {
    const { add, episodes, vectors, annotations } = await open(freshUri());
    assert.equal(valueOf(await episodes.countRows(never)), 0);
    const boat = episode({ question: "Where is the boat?", answer: "In Oban." });
    await add([boat, episode()], fakeEmbedder());
    assert.deepEqual(
      valueOf(await episodes.matching(["boat"], { limit: 5 }, never)).map(({ place }) => place.id),
      [boat.id],
    );
    const [asked] = valueOf(await fakeEmbedder().embed(["boat"], "query", never));
    assert.equal(valueOf(await vectors.near("fake", "episode", asked!, { limit: 1 }, never))[0]?.id, boat.id);
    assert.deepEqual(valueOf(await annotations.fold([boat.id], never)), new Map());
    assert.equal(valueOf(await episodes.forget([boat.id], never)), 1);
    assert.equal(valueOf(await vectors.wipe([boat.id], never)), 1);
    assert.equal(valueOf(await episodes.list({ offset: 0, limit: 5 }, never)).total, 1);
  });

  it("loses no row and doubles none when two machines write to it at once", async () => {
    const uri = freshUri();
    const [one, two] = [await open(uri), await open(uri)];
    await one.add([episode()]);
    await Promise.all(
      [one, two].map(async (store) => {
        for (let index = 0; index < 12; index += 1) {
          await store.add([episode({ question: `Question ${index}` })]);
        }
      }),
    );
    assert.equal(valueOf(await one.episodes.countRows(never)), 25);
    assert.equal(valueOf(await two.episodes.countRows(never)), 25);
    assert.equal(valueOf(await new Maintenance(one.database).run(never)), true);
    assert.equal(valueOf(await two.episodes.list({ offset: 0, limit: 50 }, never)).rows.length, 25);
  });

  it("changes the same row of three machines at the same moment, each on what the others wrote", async () => {
    const uri = freshUri();
    const machines = [await open(uri), await open(uri), await open(uri)];
    const kept = episode({ model: "0" });
    await machines[0]?.add([kept]);
    const raise = (store: Store): Promise<number> =>
      store.database
        .table(EPISODES)
        .change(async (table) => {
          const [row] = z.array(z.object({ model: z.string() })).parse(await table.query().toArray());
          await table.update({ values: { model: String(Number(row?.model) + 1) } });
          return 1;
        }, never)
        .then(valueOf);
    await Promise.all(
      machines.map(async (store) => {
        for (let time = 0; time < 10; time += 1) await raise(store);
      }),
    );
    for (const { episodes } of machines) {
      assert.equal(valueOf(await episodes.byIds([kept.id], never))[0]?.model, "30");
    }
  });

  it("takes keys and region from the environment", async () => {
    const { access_key_id: key, secret_access_key: secret, region, ...rest } = options;
    const saved = { ...process.env };
    Object.assign(process.env, {
      AWS_ACCESS_KEY_ID: key,
      AWS_SECRET_ACCESS_KEY: secret,
      AWS_DEFAULT_REGION: region,
    });
    try {
      const { add, episodes } = await open(freshUri(), rest);
      await add([episode()]);
      assert.equal(valueOf(await episodes.countRows(never)), 1);
    } finally {
      process.env = saved;
    }
  });

  it("that can't be reached is said with its address, soon", async () => {
    const database = new Database({
      uri: `s3://${bucket}/away`,
      storageOptions: { ...options, endpoint: "http://127.0.0.1:9", client_max_retries: "0" },
    });
    const counted = await database.table(EPISODES).count(undefined, never);
    database.close();
    assert.ok(!counted.ok);
    assert.match(counted.failure.message, /s3:\/\/conclave\/away can't be reached/);
  });

  it("does not look like a folder of this machine", async () => {
    const { database } = await open(freshUri());
    assert.equal(database.folder, undefined);
    assert.ok(!database.uri.startsWith(join(process.cwd())));
  });
});
