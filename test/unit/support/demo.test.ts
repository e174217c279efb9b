import assert from "node:assert/strict";
import { z } from "zod";
import { FIRST_RULE, ownPart, roundHead, SYNTHESIS_RULE } from "../../../src/agent/committee/words.ts";
import { startDemo, type ScriptedOllama, type WireMessage } from "../../support/ollama/index.ts";

const tool = (name: string) => ({ type: "function", function: { name, parameters: { type: "object" } } });
const QUESTION = "what did we decide about the cache?";

const Line = z.looseObject({
  message: z.looseObject({
    content: z.string(),
    thinking: z.string().optional(),
    tool_calls: z
      .array(
        z.looseObject({
          function: z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
        }),
      )
      .optional(),
  }),
  done: z.boolean(),
});

describe("the demo model", () => {
  let server: ScriptedOllama;
  before(async () => {
    server = await startDemo({ tokenMs: 0 });
  });
  after(() => server.close());

  const ask = async (messages: readonly Partial<WireMessage>[], extra: object = {}) => {
    const response = await fetch(`${server.host}/api/chat`, {
      method: "POST",
      body: JSON.stringify({ model: "conclave-demo:latest", messages, ...extra }),
    });
    const text = await response.text();
    const all = text
      .trimEnd()
      .split("\n")
      .map((line) => Line.parse(JSON.parse(line)).message);
    return {
      content: all.map((message) => message.content).join(""),
      thinking: all.map((message) => message.thinking ?? "").join(""),
      calls: all.flatMap((message) => message.tool_calls ?? []).map((call) => call.function),
      pieces: all.length,
    };
  };

  const withResult = (name: string, content: string): readonly Partial<WireMessage>[] => [
    { role: "user", content: QUESTION },
    { role: "assistant", content: "", tool_calls: [{ function: { name, arguments: {} } }] },
    { role: "tool", tool_name: name, content },
  ];

  it("thinks, then searches memory for what was decided", async () => {
    const tools = [tool("search_memory"), tool("save_memory")];
    const { thinking, calls, pieces } = await ask([{ role: "user", content: QUESTION }], { tools });
    assert.match(thinking, /memory/);
    assert.deepEqual(calls, [{ index: 0, name: "search_memory", arguments: { query: "cache" } }]);
    assert.ok(pieces > 5, "thinking is streamed");
  });

  it("answers with what memory said, and says that it is a script", async () => {
    const messages = withResult("search_memory", "[2026-11-01] Keep the cache for 24 hours.");
    const { content, calls } = await ask(messages, { tools: [tool("search_memory")] });
    assert.deepEqual(calls, []);
    assert.match(content, /> \[2026-11-01\] Keep the cache for 24 hours\./);
    assert.match(content, /demo model: a script, not a language model/);
  });

  it("shows what memory said without the tags around it", async () => {
    const result = '<untrusted_content source="memory">\n[2026-11-01] Keep it.\n</untrusted_content>';
    const { content } = await ask(withResult("search_memory", result), { tools: [tool("search_memory")] });
    assert.match(content, /> \[2026-11-01\] Keep it\./);
    assert.doesNotMatch(content, /untrusted/);
  });

  it("tells what the user had kept in words, each thing once", async () => {
    const result = [
      "[2026-11-01] [7f743f07] Noted (note): the cache lives for 24 hours",
      "IS the cache lives for 24 hours (current, since 2026-11)",
      "IS Redis is out (current)",
    ].join("\n");
    const { content } = await ask(withResult("search_memory", result), { tools: [tool("search_memory")] });
    assert.match(
      content,
      /^You told me:\n\n- the cache lives for 24 hours \*\(2026-11-01\)\*\n- Redis is out\n\n/,
    );
  });

  it("tells what the user asked to keep, in this conversation or an earlier one", async () => {
    const tools = [tool("search_memory")];
    const kept =
      "[2026-11-01] [7f743f07] Asked: Remember that the cache is small. Answered: Noted. Ask me later.";
    const { content } = await ask(withResult("search_memory", kept), { tools });
    assert.match(content, /^You told me:\n\n- the cache is small \*\(2026-11-01\)\*\n\n/);
    const before = [
      { role: "user", content: "Remember that the cache is small." },
      { role: "assistant", content: "Noted." },
    ];
    const here = withResult("search_memory", "No relevant memories found.");
    const after = await ask([...before, ...here], { tools });
    assert.match(after.content, /^You told me:\n\n- the cache is small\n\n/);
  });

  it("leaves it to rules to read for memory: it is no language model", async () => {
    const format = z.toJSONSchema(z.strictObject({ facts: z.array(z.string()) }));
    const { content } = await ask([{ role: "user", content: "My sister lives in Bergen." }], { format });
    assert.throws(() => JSON.parse(content));
  });

  it("says how to fill an empty memory", async () => {
    const messages = withResult("search_memory", "No relevant memories found.");
    const { content } = await ask(messages, { tools: [tool("search_memory")] });
    assert.match(content, /Memory holds nothing about "cache" yet.*remember that/s);
  });

  it("reads the page that memory or the question names, where it may", async () => {
    const messages = withResult("search_memory", "See http://harbour.test/cache.html.");
    const { calls } = await ask(messages, { tools: [tool("search_memory"), tool("web_fetch")] });
    assert.deepEqual(calls, [
      { index: 0, name: "web_fetch", arguments: { url: "http://harbour.test/cache.html" } },
    ]);
  });

  it("saves what it is told to remember, once", async () => {
    const told = { role: "user", content: "Remember that the cache lives for 24 hours" };
    const tools = [tool("save_memory")];
    const { calls } = await ask([told], { tools });
    assert.deepEqual(calls[0]?.arguments, { text: "the cache lives for 24 hours" });
    const call = { function: { name: "save_memory", arguments: {} } };
    const result = { role: "tool", tool_name: "save_memory", content: "Saved." };
    const after = await ask([told, { role: "assistant", content: "", tool_calls: [call] }, result], {
      tools,
    });
    assert.deepEqual(after.calls, []);
    assert.match(after.content, /^Noted/);
  });

  it("answers anything else in words that lead on", async () => {
    const { content, calls } = await ask([{ role: "user", content: "Hello there" }], {
      tools: [tool("search_memory")],
    });
    assert.deepEqual(calls, []);
    assert.match(content, /Hello there.*remember that.*trace panel/s);
  });

  it("speaks in a committee of the question, not of its own part in it", async () => {
    const part = ownPart("Architect", "You see systems.\n\nYou like few parts.");
    const first = await ask([{ role: "user", content: ["Hello there", FIRST_RULE, part].join("\n\n") }]);
    assert.match(first.content, /^Position: .*Architect.*Hello there/s);
    assert.doesNotMatch(first.content, /few parts|several members/);
    const heard = `${roundHead(1)}\n\nA: Yes.`;
    const last = [heard, SYNTHESIS_RULE, part];
    const { content } = await ask([{ role: "user", content: ["Hello there", ...last].join("\n\n") }]);
    assert.match(content, /committee: "Hello there"/);
  });

  it("does not take an earlier answer of its own for something remembered", async () => {
    const earlier =
      'Q: Hello\nA: Memory holds nothing about "cache" yet. *This answer comes from the demo model*';
    const { content } = await ask(withResult("search_memory", earlier));
    assert.match(content, /^Memory holds nothing/);
    assert.doesNotMatch(content, /> /);
  });

  it("goes on in a later turn from the new question only", async () => {
    const earlier = withResult("search_memory", "Nothing.");
    const messages = [
      ...earlier,
      { role: "assistant", content: "Answer." },
      { role: "user", content: QUESTION },
    ];
    const { calls } = await ask(messages, { tools: [tool("search_memory")] });
    assert.equal(calls[0]?.name, "search_memory");
  });

  it("keeps to a schema of tools and answer, without tools of its own", async () => {
    const Step = z.union([
      z.strictObject({
        thought: z.string(),
        tool: z.literal("search_memory"),
        arguments: z.strictObject({ query: z.string() }),
      }),
      z.strictObject({ thought: z.string(), answer: z.string() }),
    ]);
    const format = z.toJSONSchema(Step);
    const plain = { model: "conclave-demo-plain", format };
    const first = await ask([{ role: "user", content: QUESTION }], plain);
    assert.equal(first.thinking, "");
    const step = Step.parse(JSON.parse(first.content));
    assert.deepEqual("tool" in step && step.arguments, { query: "cache" });
    const second = await ask(
      [
        { role: "user", content: QUESTION },
        { role: "assistant", content: first.content },
        { role: "user", content: "[Result of search_memory]\nKeep it for 24 hours." },
      ],
      plain,
    );
    const last = Step.parse(JSON.parse(second.content));
    assert.match("answer" in last ? last.answer : "", /Keep it for 24 hours/);
  });

  it("gives a judge's reply that says it is none: nobody is graded by a script", async () => {
    const Grade = z.strictObject({ feedback: z.string(), score: z.int().min(1).max(5) });
    const Verdict = z.strictObject({ feedback: z.string(), winner: z.enum(["A", "B", "tie"]) });
    for (const form of [Grade, Verdict]) {
      const extra = { format: z.toJSONSchema(form), think: false };
      const { content } = await ask([{ role: "user", content: "Grade this." }], extra);
      assert.match(form.parse(JSON.parse(content)).feedback, /part of the demo/);
    }
  });

  it("speaks the text form of tools where the prompt teaches it", async () => {
    const system = { role: "system", content: "Use Action: search_memory with Action Input: {...}" };
    const first = await ask([system, { role: "user", content: QUESTION }], { model: "conclave-demo-plain" });
    assert.match(first.content, /^Thought: .*\nAction: search_memory\nAction Input: \{"query":"cache"\}$/);
    const second = await ask(
      [
        system,
        { role: "user", content: QUESTION },
        { role: "assistant", content: first.content },
        { role: "user", content: "Observation: Keep it for 24 hours." },
      ],
      { model: "conclave-demo-plain" },
    );
    assert.match(second.content, /Final Answer: .*Keep it for 24 hours/s);
  });
});
