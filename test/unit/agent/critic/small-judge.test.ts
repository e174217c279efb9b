import assert from "node:assert/strict";
import { answers, ask, playModel } from "../support.ts";
import { bed } from "./critic-bed.ts";

/** A model whose server has told its size. */
function modelOf(parameters: number) {
  const info = { name: "tiny", capabilities: ["completion"], parameters } as const;
  return { ...playModel([answers("Paris.")], { parameters }), known: () => info };
}

describe("a judge that is too small", () => {
  it("grades and compares nothing by itself, since its grades are noise", async () => {
    const { engine, judge, done, of } = bed({
      model: modelOf(1.5e9),
      settings: { mode: "all", shadow: "all" },
    });
    await ask(engine);
    await done();
    assert.deepEqual([judge.graded.length, judge.compared.length], [0, 0]);
    assert.deepEqual(of("critique.result"), []);
  });

  it("grades what the user asks for", async () => {
    const { engine, critic, judge, done } = bed({ model: modelOf(1.5e9), settings: { mode: "all" } });
    const { sessionId, end } = await ask(engine);
    assert.ok((await critic.grade({ sessionId, turnId: end.turnId })).ok);
    await done();
    assert.equal(judge.graded.length, 1);
  });

  it("is no judge of 4 billion parameters", async () => {
    const { engine, judge, done, until } = bed({ model: modelOf(4e9), settings: { mode: "all" } });
    await ask(engine);
    await until(() => judge.graded.length === 1);
    await done();
  });
});
