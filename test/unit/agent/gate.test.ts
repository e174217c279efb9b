import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { createGate } from "../../../src/agent/gate.ts";

const calm = new AbortController().signal;

describe("the gate before a busy server", () => {
  it("lets in as many as it has places, then in the order they came", async () => {
    const gate = createGate(1);
    const order: string[] = [];
    const leave = await gate.enter(calm);
    const waiting = ["a", "b"].map(async (name) => {
      const out = await gate.enter(calm);
      order.push(name);
      out?.();
    });
    await Promise.resolve();
    assert.deepEqual(order, []);
    leave?.();
    await Promise.all(waiting);
    assert.deepEqual(order, ["a", "b"]);
  });

  it("lets who enters low wait until nobody else does, whoever came first", async () => {
    const gate = createGate(1);
    const order: string[] = [];
    const leave = await gate.enter(calm);
    const enter = async (name: string, priority: "normal" | "low"): Promise<void> => {
      const out = await gate.enter(calm, priority);
      order.push(name);
      out?.();
    };
    const waiting = [enter("low", "low"), enter("a", "normal"), enter("b", "normal")];
    leave?.();
    await Promise.all(waiting);
    assert.deepEqual(order, ["a", "b", "low"]);
  });

  it("frees a place once, however often its holder leaves", async () => {
    const gate = createGate(1);
    const leave = await gate.enter(calm);
    leave?.();
    leave?.();
    const next = await gate.enter(calm);
    assert.ok(next);
    let entered = false;
    void gate.enter(calm).then(() => (entered = true));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(entered, false);
  });

  it("lets one who gives up go, without a listener left behind", async () => {
    const gate = createGate(1);
    const leave = await gate.enter(calm);
    const impatient = new AbortController();
    const waiting = gate.enter(impatient.signal);
    impatient.abort();
    assert.equal(await waiting, undefined);
    assert.equal(await gate.enter(AbortSignal.abort()), undefined);
    leave?.();
    const patient = new AbortController();
    assert.ok(await gate.enter(patient.signal));
    assert.equal(getEventListeners(patient.signal, "abort").length, 0);
  });

  it("lets more in at once when it is widened, and has one place at least", async () => {
    const gate = createGate(0);
    await gate.enter(calm);
    const waiting = gate.enter(calm);
    gate.resize(2);
    assert.ok(await waiting);
  });
});
