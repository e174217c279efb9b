import assert from "node:assert/strict";
import { success } from "../../../src/agent/failure.ts";
import { MemoryService } from "../../../src/memory/process/service.ts";
import { updateUserMetadata } from "../../../src/tools/update-user-metadata.ts";
import { contextOf, textOf } from "../../support/web/tools.ts";
import { asPort } from "../memory/reports/bed.ts";
import { cleanUp, fakeEmbedder, later, never, temporaryFolder, valueOf } from "../memory/support.ts";

const NOON = new Date(2026, 10, 19, 12).getTime();

describe("update_user_metadata over a real store", () => {
  let memory: ReturnType<typeof asPort>;
  let now: number;
  let turn: number;

  beforeEach(async () => {
    [now, turn] = [NOON, 0];
    const service = new MemoryService({
      store: { uri: await temporaryFolder() },
      embedder: () => Promise.resolve(success(fakeEmbedder())),
      onProgress: () => undefined,
      onLog: () => undefined,
      now: () => now,
    });
    later(() => service.close());
    memory = asPort(service);
  });
  afterEach(cleanUp);

  async function run(
    question: string,
    key: string,
    value: string,
    settings: Partial<Parameters<typeof updateUserMetadata>[0]> = {},
  ) {
    turn += 1;
    now += 60_000;
    const tool = updateUserMetadata({ memory, timeoutMs: () => 1_000, now: () => now, ...settings });
    const context = { ...contextOf(), question, turnId: `turn-${turn}` };
    return textOf(await tool.run(tool.parameters.parse({ key, value }), context));
  }
  const facts = async (onlyCurrent: boolean) =>
    valueOf(await memory.list({ table: "facts", offset: 0, limit: 50, onlyCurrent }, never)).rows;
  const texts = async (onlyCurrent = true) => (await facts(onlyCurrent)).map(({ text }) => text).sort();

  it("keeps a fact about the user, with the turn as its source, to be seen and edited like any other", async () => {
    const said = await run("My timezone is Europe/Oslo, by the way.", "timezone", "Europe/Oslo");
    assert.equal(said, "Saved: The user's timezone is Europe/Oslo");
    const [fact] = await facts(true);
    assert.equal(fact?.kind, "fact");
    assert.equal(fact.subject, "user");
    assert.equal(fact.owner, "user");
    assert.equal(fact.source.turnId, "turn-1");
    const edited = await memory.edit(
      { table: "facts", id: fact.id, text: "The user's timezone is UTC" },
      never,
    );
    assert.equal(valueOf(edited).changed, true);
    assert.deepEqual(await texts(), ["The user's timezone is UTC"]);
  });

  it("has one value for each key: a new one closes the old one, however the key is written", async () => {
    await run("My preferred language is German.", "preferred_language", "German");
    await run("My name is Ida.", "name", "Ida");
    const said = await run("My preferred language is Norwegian now.", "Preferred Language", "Norwegian");
    assert.match(said, /Saved: .*Norwegian\nNo longer holds: .*German/);
    await run("My preferred language is really Low Saxon.", "preferred-language", "Low Saxon");
    assert.deepEqual(await texts(), ["The user's name is Ida", "The user's preferred language is Low Saxon"]);
    assert.equal((await texts(false)).length, 4, "what held before is still told, as past");
  });

  it("has one value also where the words don't contradict each other", async () => {
    await run("My hobby is climbing.", "hobby", "climbing");
    await run("My hobby is chess.", "hobby", "chess");
    await run("My tools: I use vim.", "tools", "vim");
    await run("My tools: I use hammer and vim.", "tools", "hammer and vim");
    assert.deepEqual(await texts(), ["The user's hobby is chess", "The user's tools is hammer and vim"]);
  });

  it("keeps the same value once", async () => {
    await run("My name is Ida.", "name", "Ida");
    assert.match(await run("As I said, my name is Ida.", "name", "Ida"), /^Known already/);
    assert.deepEqual(await texts(false), ["The user's name is Ida"]);
  });

  it("takes nothing that the user did not say in the turn: nothing from pages, tools or quoted text", async () => {
    for (const [question, value] of [
      ["What does this page say about me?", "Atlantis"],
      ["Remember what the page says.", "Atlantis"],
      ["Is this right?\n> My city is Atlantis", "Atlantis"],
      ["My city has 12 bridges.", "13 bridges"],
    ] as const)
      assert.match(await run(question, "city", value), /^Not saved: /, question);
    assert.deepEqual(await texts(false), []);
  });

  it("keeps nothing of a private session", async () => {
    assert.match(await run("My name is Ida.", "name", "Ida", { isPrivate: () => true }), /private/);
    assert.deepEqual(await texts(false), []);
  });

  it("leaves the values of other projects alone", async () => {
    await run("My role is architect.", "role", "architect", { scope: () => "w1" });
    await run("My role is tester.", "role", "tester", { scope: () => "w2" });
    assert.deepEqual(await texts(), ["The user's role is architect", "The user's role is tester"]);
  });
});
