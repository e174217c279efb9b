import assert from "node:assert/strict";
import { failed } from "../../../../src/agent/failure.ts";
import { all, broken, hangs, only, playModel, type PlayedModel } from "../support.ts";
import { castModel, committeeEngine, convene, persona, speakers, type Script } from "./bed.ts";

const NAMES = ["Ana", "Bo", "Cy", "Dee"];
const SCRIPT: Script = {
  Ana: ["one", "two"],
  Bo: ["three", "four"],
  Cy: ["five", "six"],
  Dee: ["seven", "eight"],
};

function team(models: Readonly<Record<string, string>> = {}) {
  return NAMES.map((name) => persona(name, { ...(models[name] !== undefined && { model: models[name] }) }));
}

/** A model whose calls wait for `together` of them to be there at once; more than that is noted. */
function meeting(together: number, name = "tiny"): PlayedModel & { most: number } {
  let inside = 0;
  let open: () => void = () => undefined;
  const met = new Promise<void>((resolve) => {
    open = resolve;
  });
  const model = playModel(
    [
      async function* () {
        inside += 1;
        meeter.most = Math.max(meeter.most, inside);
        if (inside >= together) open();
        await met;
        yield { type: "content", text: `${inside}` };
        inside -= 1;
        yield { type: "end", finishReason: "stop", usage: {}, model: name };
      },
    ],
    { name },
  );
  const meeter = Object.assign(model, { most: 0 });
  return meeter;
}

describe("where the members of a committee speak", () => {
  it("is one after the other on a server that works on one request at a time", async () => {
    const model = meeting(1);
    await convene(committeeEngine({ personas: team(), models: [model] }));
    assert.equal(model.most, 1);
  });

  it("is side by side where the server works on several at once", async () => {
    const model = meeting(3);
    await convene(committeeEngine({ personas: team(), models: [model], settings: { parallelRequests: 3 } }));
    assert.equal(model.most, 3);
  });

  it("is one after the other in the sequential strategy, however much room there is", async () => {
    const model = castModel(SCRIPT);
    const engine = committeeEngine({ personas: team(), models: [model], settings: { parallelRequests: 4 } });
    await convene(engine, { strategy: "sequential" });
    assert.deepEqual(speakers(model), [...NAMES, "The Self"]);
  });

  it("has those of one model together, and begins the next round with the model that is loaded", async () => {
    const order: string[] = [];
    const noting = (name: string): PlayedModel => {
      const model = castModel(SCRIPT, name);
      return { ...model, chat: (request, signal) => (order.push(name), model.chat(request, signal)) };
    };
    const personas = team({ Ana: "m1", Bo: "m2", Cy: "m1", Dee: "m2" });
    const engine = committeeEngine({ personas, models: [noting("m1"), noting("m2"), noting("tiny")] });
    await convene(engine, { rounds: 2 });
    assert.deepEqual(order, ["m1", "m1", "m2", "m2", "m2", "m2", "m1", "m1", "tiny"]);
  });

  it("takes the models of the settings over those of the files, and the turn's own for those that name none", async () => {
    const models = ["m1", "m2", "m3"].map((name) => castModel(SCRIPT, name));
    const engine = committeeEngine({ personas: team({ Ana: "m1", Bo: "m1" }), models });
    const { events } = await convene(engine, { models: { bo: "m2" } }, { model: "m3" });
    const used = only(events, "committee.start").data["conclave.personas"].map(
      ({ name, model }) => `${name} ${model}`,
    );
    assert.deepEqual(used, ["Ana m1", "Bo m2", "Cy m3", "Dee m3"]);
  });

  it("is spread over several servers by model, and each server's share is even", async () => {
    const models = new Map<string, PlayedModel>();
    for (const host of ["", "http://b "]) {
      for (const name of ["m1", "m2", "tiny"]) models.set(`${host}${name}`, castModel(SCRIPT, name));
    }
    const personas = team({ Ana: "m1", Bo: "m2", Cy: "m1", Dee: "m2" });
    const engine = committeeEngine({ personas, models, settings: { hosts: ["http://b"] } });
    const { events } = await convene(engine);
    const at = all(events, "agent.start").map(({ data }) => [
      data["gen_ai.agent.name"],
      data["conclave.host"] ?? "first",
    ]);
    assert.deepEqual(Object.fromEntries(at), {
      Ana: "first",
      Cy: "first",
      Bo: "http://b",
      Dee: "http://b",
      "The Self": "first",
    });
  });

  it("leaves out a server that does not answer or lacks the model", async () => {
    const dead = playModel([[broken("server_unreachable")]], {
      describe: () => Promise.resolve(failed("server_unreachable", "Nobody is there.")),
    });
    const models = new Map<string, PlayedModel>([
      ["tiny", castModel(SCRIPT)],
      ["http://b tiny", dead],
    ]);
    const engine = committeeEngine({
      personas: team(),
      models,
      settings: { hosts: ["http://b", "http://c"] },
    });
    const { end } = await convene(engine);
    assert.equal(end.data.outcome, "answered");
    assert.equal(dead.requests.length, 0);
  });

  it("is cancelled everywhere at once", async () => {
    const models = new Map<string, PlayedModel>([
      ["tiny", playModel([hangs()])],
      ["http://b tiny", playModel([hangs()])],
    ]);
    const engine = committeeEngine({ personas: team(), models, settings: { hosts: ["http://b"] } });
    const asked = await engine.ask({ question: "When?", door: "test", options: { committee: {} } });
    assert.ok(asked.ok);
    let started = 0;
    for await (const event of asked.value.events) {
      if (event.type === "model.start" && ++started === 2) asked.value.cancel();
    }
    assert.equal((await asked.value.done).outcome, "cancelled");
    assert.deepEqual(
      [...models.values()].map(({ requests }) => requests.length),
      [1, 1],
    );
  });
});
