import assert from "node:assert/strict";
import {
  all,
  answers,
  ask,
  call,
  callTools,
  end,
  engineOver,
  gives,
  makeTool,
  playModel,
  toolSet,
} from "../support.ts";

const LONG = "The pier reopens on 3 May. ".repeat(40);

const read = (query: string, id = `id-${query}`) => ({ ...call("read_page", { query }), id });

describe("the same call again in one turn", () => {
  let runs: string[];
  const page = (text: string) =>
    makeTool({
      name: "read_page",
      run: ({ query }: { query: string }) => {
        runs.push(query);
        return Promise.resolve(gives(text));
      },
    });

  beforeEach(() => {
    runs = [];
  });

  it("is not made again: the model is told where its result stands", async () => {
    const model = playModel([
      [callTools(read("a", "first")), end()],
      [callTools(read("a", "second")), end()],
      answers("x"),
    ]);
    const { events } = await ask(engineOver(model, { tools: toolSet(page(LONG)) }));
    assert.deepEqual(runs, ["a"]);
    const results = all(events, "tool.result").map(({ data }) => data.result);
    assert.equal(results[0], LONG);
    assert.match(results[1]!, /same call was made before.*call first/);
    assert.ok(results[1]!.length < 200);
  });

  it("is made once when a message holds it twice", async () => {
    const model = playModel([
      [callTools(read("a", "1"), read("b", "2"), read("a", "3")), end()],
      answers("x"),
    ]);
    const { events } = await ask(engineOver(model, { tools: toolSet(page(LONG)) }));
    assert.deepEqual(runs, ["a", "b"]);
    assert.equal(all(events, "tool.result").length, 2);
  });

  it("still counts as one call too many after the third time", async () => {
    const model = playModel([
      ...["1", "2", "3"].map((id) => [callTools(read("a", id)), end()]),
      answers("x"),
    ]);
    const { events } = await ask(engineOver(model, { tools: toolSet(page(LONG)) }));
    assert.deepEqual(
      all(events, "warning").map(({ data }) => data.code),
      ["repeated_call"],
    );
  });

  it("is made again after something was written, and in the next turn", async () => {
    const write = makeTool({ name: "write_note", readOnly: false });
    const model = playModel([
      [callTools(read("a", "1")), end()],
      [callTools(call("write_note", { query: "n" })), end()],
      [callTools(read("a", "2")), end()],
      answers("x"),
      [callTools(read("a", "3")), end()],
      answers("y"),
    ]);
    const engine = engineOver(model, { tools: toolSet(page(LONG), write) });
    const { sessionId } = await ask(engine);
    assert.deepEqual(runs, ["a", "a"]);
    await ask(engine, "Again?", { sessionId });
    assert.deepEqual(runs, ["a", "a", "a"]);
  });

  it("is made again when the first one failed, or its result was cut or is short", async () => {
    const failing = makeTool({
      name: "read_page",
      readOnly: true,
      run: ({ query }: { query: string }) => {
        runs.push(query);
        return Promise.resolve({
          ok: false as const,
          failure: { code: "tool_failed" as const, message: LONG },
          retryable: false,
        });
      },
    });
    const twice = [[callTools(read("a", "1")), end()], [callTools(read("a", "2")), end()], answers("x")];
    await ask(engineOver(playModel(twice), { tools: toolSet(failing) }));
    await ask(engineOver(playModel(twice), { tools: toolSet(page("short")) }));
    const cut = playModel(twice, { contextLength: 2_048 });
    await ask(engineOver(cut, { tools: toolSet(page(LONG.repeat(20))) }));
    assert.equal(runs.length, 6);
  });
});
