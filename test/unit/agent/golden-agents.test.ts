import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { z } from "zod";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { askAgent } from "../../../src/tools/ask-agent.ts";
import { agent, catalog, reviewer } from "./agents.ts";
import {
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
  type Reply,
} from "./support.ts";

const FOLDER = new URL("./golden/", import.meta.url);

/** Turns of agents that files define; `UPDATE_GOLDEN=1` writes their events anew, to be read before they are kept. */
const TURNS: Readonly<Record<string, { readonly agent: string; readonly replies: readonly Reply[] }>> = {
  "structured-and-chained": {
    agent: "Reviewer",
    replies: [answers('{"stars":7}'), answers('{"title":"Tides","stars":4}')],
  },
  "a-delegate": {
    agent: "Pilot",
    replies: [
      [callTools(call("ask_agent", { agent: "Keeper", question: "When is high tide?" })), end()],
      answers("At 14:10."),
      answers("The keeper says 14:10."),
    ],
  },
};

/** One event a line; system messages and schemas are left out: their words are no part of what events promise. */
function lines(events: readonly TurnEvent[]): string {
  const short = (key: string, value: unknown): unknown => {
    if (key === "tools" && Array.isArray(value)) return value.map((tool: { name: string }) => tool.name);
    return Array.isArray(value) ? value.filter((item: { role?: string }) => item.role !== "system") : value;
  };
  return events
    .filter(({ type }) => type !== "context.budget")
    .map((event) => `${JSON.stringify(event, short)}\n`)
    .join("");
}

describe("the events of a turn whose agent has a file", () => {
  for (const [name, { agent: asked, replies }] of Object.entries(TURNS)) {
    it(`are the same, field by field: ${name}`, async () => {
      const shelf = makeTool<unknown>({
        name: "put_on_shelf",
        parameters: z.object({ title: z.string(), stars: z.number() }),
        readOnly: false,
        run: () => Promise.resolve(gives("It stands on the shelf.")),
      });
      const agents = catalog(
        agent({ name: "Pilot" }),
        agent({ name: "Keeper", tools: [] }),
        reviewer({ chainedTool: "put_on_shelf" }),
      );
      const tools = toolSet(shelf, askAgent());
      const engine = engineOver(playModel(replies), { tools, agents: () => agents });
      const { events } = await ask(engine, "When is high tide?", { options: { agent: asked } });
      const file = new URL(`${name}.jsonl`, FOLDER);
      if (process.env["UPDATE_GOLDEN"] === "1") await writeFile(file, lines(events));
      assert.equal(lines(events), await readFile(file, "utf8"));
    });
  }
});
