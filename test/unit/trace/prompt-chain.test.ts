import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { TurnEvent } from "../../../src/agent/events.ts";
import type { ChatMessage } from "../../../src/agent/models/types.ts";
import { TraceLog } from "../../../src/trace/log.ts";
import { logPath } from "../../../src/trace/log-writer.ts";

const SESSION = "00000000-0000-4000-8000-000000000001";

function request(turnId: string, id: string, messages: readonly ChatMessage[]): TurnEvent {
  return {
    type: "model.start",
    ...{ id, parentId: turnId, time: 1, sessionId: SESSION, turnId, agent: "a", respondent: "A" },
    data: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "ollama",
      "gen_ai.request.model": "m",
      "gen_ai.request.max_tokens": 1,
      "conclave.context_length": 1,
      "conclave.think": "off",
      "conclave.messages": messages,
    },
  };
}

function say(content: string): ChatMessage {
  return { role: "user", content };
}

describe("the requests of a log", () => {
  let folder: string;
  let log: TraceLog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-chain-"));
    log = new TraceLog({ folder });
  });

  afterEach(async () => {
    await log.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function append(events: readonly TurnEvent[]): Promise<void> {
    for (const event of events) log.append(event);
    await log.flush();
  }

  async function read(): Promise<{ requests: TurnEvent[]; problems: string[] }> {
    const requests: TurnEvent[] = [];
    const problems: string[] = [];
    for await (const item of log.read(SESSION)) {
      if (item.type === "event") requests.push(item.event);
      if (item.type === "problem") problems.push(item.message);
    }
    return { requests, problems };
  }

  it("stand there with each message once, and are read whole", async () => {
    const messages = Array.from({ length: 30 }, (_, index) => say(`message number ${index}`));
    const events = messages.map((_, index) => request("t1", `r${index}`, messages.slice(0, index + 1)));
    await append(events);
    const text = await readFile(logPath(folder, SESSION), "utf8");
    assert.equal(text.match(/message number 0"/g)?.length, 1);
    assert.deepEqual(await read(), { requests: events, problems: [] });
  });

  it("are read as they were sent, whatever was added, cut or sent by another turn in between", async () => {
    const pool = Array.from({ length: 6 }, (_, index) => say(`m${index}`));
    const plan = fc.array(
      fc.record({ turn: fc.constantFrom("t1", "t2"), picks: fc.array(fc.nat(5), { maxLength: 6 }) }),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(plan, async (steps) => {
        await log.delete(SESSION);
        const events = steps.map(({ turn, picks }, index) =>
          request(
            turn,
            `r${index}`,
            picks.map((pick) => pool[pick]!),
          ),
        );
        await append(events);
        assert.deepEqual(await read(), { requests: events, problems: [] });
      }),
      { numRuns: 60, seed: 20_261_128 },
    );
  });

  it("go on after a damaged one with what they added, and say so; the next turn is whole", async () => {
    const [one, two, three] = [say("one"), say("two"), say("three")];
    await append([
      request("t1", "r1", [one]),
      request("t1", "r2", [one, two]),
      request("t1", "r3", [one, two, three]),
      request("t2", "r4", [one, two]),
    ]);
    const path = logPath(folder, SESSION);
    const lines = (await readFile(path, "utf8")).split("\n");
    lines[2] = lines[2]!.slice(0, 40);
    await writeFile(path, lines.join("\n"));
    const { requests, problems } = await read();
    const shown = requests.map((event) =>
      event.type === "model.start" ? event.data["conclave.messages"] : [],
    );
    assert.deepEqual(shown, [[one], [three], [one, two]]);
    assert.equal(problems.length, 2);
    assert.match(problems[1]!, /without the messages of the request before it/);
  });
});
