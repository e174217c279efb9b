import assert from "node:assert/strict";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { systemIdentity } from "../../../src/agent/ids.ts";
import type { PanelMessage } from "../../../src/trace/panel-protocol.ts";
import type { AnswerPort } from "../../../src/vscode/panel/answer-port.ts";
import { AnswerUse } from "../../../src/vscode/panel/answer-use.ts";

const PLACE = { sessionId: "5e5510aa-0000-4000-8000-000000000001", turnId: "a".repeat(32) };

/** A panel whose user does something with an answer. */
async function uses(message: PanelMessage, port: Partial<AnswerPort> = {}) {
  const told: TurnEvent[] = [];
  const done: string[] = [];
  const answers: AnswerPort = {
    copy: (text) => {
      done.push(`copied ${text}`);
      return Promise.resolve();
    },
    insert: (text) => {
      done.push(`inserted ${text}`);
      return Promise.resolve(true);
    },
    concludes: () => true,
    ...port,
  };
  const engine = { publish: (event: TurnEvent) => void told.push(event) };
  await new AnswerUse({ engine: engine as never, answers }, systemIdentity).receive(message);
  const signs = told.flatMap((event) =>
    event.type === "user.feedback"
      ? [[event.turnId, event.data["conclave.implicit"], event.data.rating] as const]
      : [],
  );
  return { done, signs };
}

describe("What the user does with an answer in the panel", () => {
  it("is done, and told as a conclusion about that answer", async () => {
    const copied = await uses({ type: "use", ...PLACE, how: "copied", text: "All of it." });
    assert.deepEqual(copied, { done: ["copied All of it."], signs: [[PLACE.turnId, "copied", "up"]] });
    const applied = await uses({ type: "use", ...PLACE, how: "applied", text: "let a = 1;" });
    assert.deepEqual(applied, { done: ["inserted let a = 1;"], signs: [[PLACE.turnId, "applied", "up"]] });
  });

  it("is only told where a part was copied by hand", async () => {
    const { done, signs } = await uses({ type: "use", ...PLACE, how: "copied" });
    assert.deepEqual([done, signs.length], [[], 1]);
  });

  it("tells nothing where no editor took the code", async () => {
    const insert = () => Promise.resolve(false);
    const { signs } = await uses({ type: "use", ...PLACE, how: "applied", text: "x" }, { insert });
    assert.deepEqual(signs, []);
  });

  it("is done, and tells nothing, where nothing may be concluded", async () => {
    const { done, signs } = await uses(
      { type: "use", ...PLACE, how: "copied", text: "All." },
      { concludes: () => false },
    );
    assert.deepEqual([done, signs], [["copied All."], []]);
  });
});
