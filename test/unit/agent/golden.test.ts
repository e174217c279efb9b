import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import type { TurnEvent } from "../../../src/agent/events.ts";
import type { ProtocolAdapter } from "../../../src/agent/protocol.ts";
import { protocolAdapter } from "../../../src/agent/protocols/index.ts";
import {
  answers,
  ask,
  broken,
  call,
  callTools,
  end,
  engineOver,
  makeTool,
  muse,
  playModel,
  say,
  toolSet,
  type Reply,
} from "./support.ts";

const FOLDER = new URL("./golden/", import.meta.url);

/** Turns whose events are kept beside this file; `UPDATE_GOLDEN=1` writes them anew, to be read before they are kept. */
const TURNS: Readonly<Record<string, readonly Reply[]>> = {
  "a-tool-call": [
    [muse("I should look."), callTools(call("look_up", { query: "tide", Limit: "3" })), end()],
    [say("High tide "), say("14:10."), end()],
  ],
  "another-protocol": [
    [broken("tools_unsupported", '"tiny" does not support tools')],
    answers('{"answer":"Yes."}'),
  ],
  "broken-off": [[say("The tide is"), broken("stream_broken", "The stream broke off.")]],
};

/** One event a line; the system message is left out, because its words are no part of what events promise. */
function lines(events: readonly TurnEvent[]): string {
  const short = (_key: string, value: unknown): unknown =>
    Array.isArray(value) ? value.filter((item: { role?: string }) => item.role !== "system") : value;
  return events.map((event) => `${JSON.stringify(event, short)}\n`).join("");
}

describe("the events of a turn", () => {
  for (const [name, replies] of Object.entries(TURNS)) {
    it(`are the same, field by field: ${name}`, async () => {
      const tools = toolSet(makeTool({ name: "look_up" }), makeTool({ name: "save", readOnly: false }));
      const adapter = (): ProtocolAdapter => protocolAdapter("native");
      const { events } = await ask(engineOver(playModel(replies), { tools, adapter }), "When is high tide?");
      const file = new URL(`${name}.jsonl`, FOLDER);
      if (process.env["UPDATE_GOLDEN"] === "1") await writeFile(file, lines(events));
      assert.equal(lines(events), await readFile(file, "utf8"));
    });
  }
});
