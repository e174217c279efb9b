import assert from "node:assert/strict";
import { done, text } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { tidy } from "./user.ts";
import { askCommand, createWorld, nextEvent, set, useServer, type World } from "./world.ts";
import * as vscode from "vscode";

const HEAD = "[Recalled from memory for the next question";

describe("the context card", () => {
  let world: World;

  before(async () => {
    world = await createWorld();
    await tidy();
    await useServer(world.ollama.host, "scripted-plain:latest");
    await set("toolProtocol", "none");
  });

  after(async () => {
    await set("toolProtocol", undefined);
    await world.close();
  });

  async function ask(question: string, sessionId?: string) {
    world.ollama.enqueue([text("As you say."), done()]);
    const kept = nextEvent(world.services, "memory.ingested");
    const result = await askCommand(question, sessionId);
    await kept;
    return { ...result, messages: world.ollama.chats.at(-1)?.messages ?? [] };
  }

  it("stands just before the question for a model without tools, and not in the next turn's history", async () => {
    const { memory, identity } = world.services;
    const saved = await memory.learn(
      {
        source: { sessionId: identity.uuid(), turnId: identity.turnId(), time: Date.now() },
        ...{ agent: "conclave", scope: "", by: "user", recalled: [], entities: [], edges: [] },
        said: "My boat is painted teal.",
        facts: [
          {
            ...{ kind: "fact", subject: "user", owner: "user", confidence: 0.9 },
            text: "The user's boat is painted teal.",
            quote: "My boat is painted teal.",
          },
        ],
      },
      AbortSignal.timeout(60_000),
    );
    assert.ok(saved.ok, JSON.stringify(saved));
    const first = await ask("What colour is my boat painted?");
    const cards = first.messages.filter(({ content }) => content.includes(HEAD));
    assert.equal(cards.length, 1);
    assert.equal(first.messages.at(-1)?.content, "What colour is my boat painted?");
    assert.equal(first.messages.at(-2), cards[0]);
    assert.match(cards[0]?.content ?? "", /IS The user's boat is painted teal/);
    const told = world.events.find((event) => event.type === "memory.card" && event.turnId === first.turnId);
    assert.ok(told?.type === "memory.card" && told.data.tokens > 0 && told.data.tokens <= 300);
    const second = await ask("Thank you.", first.sessionId);
    const history = second.messages.filter(({ content }) => content.includes("boat is painted teal"));
    assert.ok(history.length <= 1, "the first card is not sent again");
    assert.equal(
      second.messages.findIndex(({ content }) => content.includes("What colour is my boat painted?")) >= 0,
      true,
    );
    const at = second.messages.findIndex(({ content }) =>
      content.includes("What colour is my boat painted?"),
    );
    assert.ok(!second.messages.slice(0, at).some(({ content }) => content.includes(HEAD)));
    if (!canDrive) return;
    await vscode.commands.executeCommand("workbench.action.closeAuxiliaryBar");
    await vscode.commands.executeCommand("conclave.openTracePanel", first);
    await window.waitForText("main", "Context card");
    await window.screenshot("memory-card");
  });

  it("is not sent to a model that looks for itself, unless the setting says always", async () => {
    await set("toolProtocol", undefined);
    await useServer(world.ollama.host);
    const plain = await ask("What colour is my boat painted, once more?");
    assert.ok(!plain.messages.some(({ content }) => content.includes(HEAD)));
    await set("memory.contextCard", "always");
    try {
      const always = await ask("What colour is my boat painted, the last time?");
      const { memoryCard } = world.services.settings().settings;
      assert.ok(
        always.messages.at(-2)?.content.includes(HEAD),
        JSON.stringify([memoryCard, always.messages]),
      );
    } finally {
      await set("memory.contextCard", undefined);
    }
  });
});
