import assert from "node:assert/strict";
import { emptyMemory } from "./memory.ts";
import {
  answers,
  ask,
  call,
  callTools,
  end,
  engineOver,
  makeTool,
  only,
  playModel,
  toolSet,
} from "./support.ts";
import { askWith, MIDDLING } from "./small-model.ts";

describe("who searches memory: a model that is known to call tools well", () => {
  it("decides for itself, and is given nothing up front", async () => {
    const { searched, prompts, requests, events } = await askWith([answers("Let me think.")], {});
    assert.deepEqual(searched, []);
    assert.ok(!prompts[0]!.includes("Ines"));
    assert.equal(requests[0]!.tools?.length, 3);
    assert.equal(only(events, "tool.schema").data["conclave.recall"], "model");
  });

  it("is given what a search finds where the setting says so, and may still search", async () => {
    const { prompts, requests } = await askWith([answers("Ines.")], {}, { memory: { recall: "first" } });
    assert.match(prompts[0]!, /the user said: "The parser is looked after by Ines\."/);
    assert.equal(requests[0]!.tools?.length, 3);
  });
});

describe("who searches memory: a model that should call well and does not", () => {
  it("is no longer trusted after three turns with wrong calls alone, until it makes a right one", async () => {
    const wrong = [callTools(call("search_memory", { nonsense: 1 })), end()];
    const right = [callTools(call("search_memory", { query: "parser" })), end()];
    const said = answers("Well.");
    const replies = [wrong, said, wrong, said, wrong, said, said, right, said, said];
    const model = playModel(replies, {});
    const tools = toolSet(makeTool({ name: "search_memory" }));
    const engine = engineOver(model, {
      memory: emptyMemory(),
      tools,
      settings: { memory: { learning: "off" } },
    });
    const modes = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const { events } = await ask(engine, `Question ${turn}?`);
      modes.push(only(events, "tool.schema").data["conclave.recall"]);
    }
    assert.deepEqual(modes, ["model", "model", "model", "first", "first", "model"]);
  });

  it("is trusted however many questions need no tool", async () => {
    const model = playModel([answers("Fine.")], {});
    const engine = engineOver(model, {
      memory: emptyMemory(),
      tools: toolSet(makeTool({ name: "search_memory" })),
      settings: { memory: { learning: "off" } },
    });
    let last = "";
    for (let turn = 0; turn < 30; turn += 1) {
      const { events } = await ask(engine, `Question ${turn}?`);
      last = only(events, "tool.schema").data["conclave.recall"] ?? "";
    }
    assert.equal(last, "model");
  });
});

describe("an answer that only names a tool", () => {
  it("is not taken for one: memory is searched, and the model answers again, once", async () => {
    const names = answers("I would use search_memory to find out who looks after it.");
    const { searched, requests, prompts, events } = await askWith([names, answers("Ines does.")], {});
    assert.deepEqual(searched, ["Who looks after the parser?"]);
    assert.equal(requests.length, 2);
    assert.match(prompts[1]!, /looked after by Ines/);
    assert.equal(only(events, "answer.dialog").data.answer, "Ines does.");
    const again = await askWith([names, names], {});
    assert.equal(again.requests.length, 2);
    assert.match(only(again.events, "answer.dialog").data.answer, /search_memory/);
  });

  for (const [what, question, answer] of [
    [
      "speaks of the tool that was asked about",
      "What does search_memory do?",
      "search_memory looks in memory.",
    ],
    ["lists the tools", "What can you do?", "search_memory, web_fetch and read_file."],
    ["names none", "Who looks after the parser?", "I would search the memory."],
  ] as const) {
    it(`is one where it ${what}`, async () => {
      const { requests } = await askWith([answers(answer)], {}, { question });
      assert.equal(requests.length, 1);
    });
  }
});

describe("who searches memory: a model that is not known to call tools well", () => {
  it("is given what a search finds, keeps its tools, and the trace says why", async () => {
    const { searched, prompts, requests, events } = await askWith([answers("Ines.")], MIDDLING);
    assert.deepEqual(searched, ["Who looks after the parser?"]);
    assert.match(prompts[0]!, /looked after by Ines/);
    assert.equal(requests[0]!.tools?.length, 3);
    const { data } = only(events, "tool.schema");
    assert.equal(data["conclave.recall"], "first");
    assert.match(data["conclave.recall_reason"]!, /not known to call tools well/);
  });

  it("decides for itself where the setting says so", async () => {
    const { searched } = await askWith([answers("Ines.")], MIDDLING, { memory: { recall: "model" } });
    assert.deepEqual(searched, []);
  });
});
