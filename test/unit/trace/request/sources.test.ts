import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { protocolAdapter } from "../../../../src/agent/protocols/index.ts";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { segmentsOf } from "../../../../src/trace/request/segments.ts";
import { castModel, committeeEngine, convene, persona } from "../../agent/committee/bed.ts";
import {
  all,
  answers,
  ask,
  call,
  callTools,
  end,
  engineOver,
  makeTool,
  playModel,
  toolSet,
} from "../../agent/support.ts";

const FOLDER = new URL("./golden/", import.meta.url);

/** Each request of a turn: who was asked, and each piece of each message with its source and how it begins. */
function rendered(events: readonly TurnEvent[]): string {
  const requests = all(events, "model.start").map(({ agent, data }) => {
    const messages = data["conclave.messages"];
    const lines = messages.map((message, index) => {
      const pieces = (segmentsOf(messages)[index] ?? []).map(({ source, start, length }) => {
        const text = message.content
          .slice(start, start + length)
          .replace(/\s+/g, " ")
          .trim();
        return `    ${source}: ${text.slice(0, 60)}`;
      });
      return [`  ${message.role}`, ...pieces].join("\n");
    });
    return [agent, ...lines].join("\n");
  });
  return `${requests.join("\n\n")}\n`;
}

async function isGolden(name: string, events: readonly TurnEvent[]): Promise<void> {
  const file = new URL(`${name}.txt`, FOLDER);
  if (process.env["UPDATE_GOLDEN"] === "1") await writeFile(file, rendered(events));
  assert.equal(rendered(events), await readFile(file, "utf8"));
}

/** Where each piece of a prompt came from; `UPDATE_GOLDEN=1` writes it anew, to be read before it is kept. */
describe("where the pieces of a prompt come from", () => {
  it("is told of every agent of a committee, and of its judges", async () => {
    const model = castModel({
      Ana: ["Position: early.\nIt is calm.", "Position: early.\nPosition kept."],
      Bo: ["Position: late.\nIt is warm.", "Position: early.\nPosition changed because: calm."],
      Agreement: ['{"agree":false,"positions":["early","late"]}'],
      "Ana ranks": ['{"ranking":["A","B"]}'],
      "Bo ranks": ['{"ranking":["A","B"]}'],
      single: ["Early."],
    });
    const engine = committeeEngine({ personas: [persona("Ana"), persona("Bo")], models: [model] });
    const { events } = await convene(engine, { strategy: "council", rounds: 2, agreement: "model" });
    await isGolden("committee", events);
  });

  for (const protocol of ["native", "constrained", "react", "none"] as const) {
    it(`is told under the protocol ${protocol}: rules, references, earlier turns, results`, async () => {
      const step = { native: [callTools(call("look_up", { query: "tide" })), end()] };
      const worded = {
        constrained: answers('{"thought":"look","tool":"look_up","arguments":{"query":"tide"}}'),
        react: answers('Thought: look\nAction: look_up\nAction Input: {"query":"tide"}'),
      };
      const last = { constrained: answers('{"answer":"14:10."}'), react: answers("Final Answer: 14:10.") };
      const first = { ...step, ...worded };
      const replies =
        protocol === "none"
          ? [answers("Yes."), answers("14:10.")]
          : protocol === "native"
            ? [answers("Yes."), first.native, answers("14:10.")]
            : [last[protocol], first[protocol], last[protocol]];
      const engine = engineOver(playModel(replies), {
        tools: toolSet(makeTool({ name: "look_up" })),
        adapter: () => protocolAdapter(protocol),
        settings: { toolProtocol: protocol === "none" ? "auto" : protocol },
      });
      const { sessionId } = await ask(engine, "Earlier?");
      const references = [{ label: "a.md", uri: "file:///a.md", text: "Tides." }];
      const { events } = await ask(engine, "When is high tide?", { sessionId, references });
      await isGolden(protocol, events);
    });
  }
});
