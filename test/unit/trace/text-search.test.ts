import assert from "node:assert/strict";
import fc from "fast-check";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { TextSearch } from "../../../src/trace/text-search.ts";
import { SteadyIdentity } from "./support/steady-identity.ts";
import { TurnScript } from "./support/turn-script.ts";

/** Which of the words are found in a turn that asks, thinks, calls a tool and answers. */
function found(words: readonly string[], tell: (script: TurnScript) => void): ReadonlySet<string> {
  const search = new TextSearch(words);
  const sink = (event: TurnEvent): void => search.take(JSON.stringify(event));
  const script = new TurnScript(sink, { identity: new SteadyIdentity(), question: "Which cache?" });
  tell(script);
  return search.of(script.turnId);
}

describe("the search in the texts of turns", () => {
  it("looks into question, thinking, tool calls, results and answer", () => {
    const words = ["which", "pondered", "replica", "from the tool", "in process"];
    const all = found(words, (script) => {
      script.ask().reply({
        thinking: "I PONDERED it.",
        calls: [{ id: "c1", name: "search_memory", arguments: { query: "Replicas" } }],
      });
      script.call("search_memory", { query: "Replicas" })({ result: "From the tool." });
      script.ask().reply({ content: "Keep it in process." }).answered("Keep it in process.");
    });
    assert.deepEqual([...all].sort(), [...words].sort());
  });

  it("looks into what critics and people say of an answer, and into the second answer", () => {
    const words = [
      "grounded",
      "cut off",
      "unreadable",
      "names its source",
      "evidently",
      "thumbed",
      "of b alone",
    ];
    const all = found(words, (script) => {
      script.ask().reply({ content: "Yes." }).answered("Yes.");
      const place = { parentId: script.turnId };
      const judge = { "gen_ai.request.model": "judge" };
      script.emitter.emit("critique.result", place, {
        ...{ score: null, feedback: "Grounded.", ...judge },
        ...{ "conclave.ungraded": "not graded (cut off)", "conclave.raw": "Unreadable" },
      });
      script.emitter.emit("pairwise.result", place, {
        ...{ winner: "A", feedback: "", ...judge },
        "conclave.orders": [{ first: "A", winner: "A", feedback: "It names its source." }],
      });
      script.emitter.emit("user.feedback", place, {
        ...{ rating: "down", "conclave.door": "chat" },
        ...{ "conclave.implicit": "contradicted", "conclave.evidence": "Evidently not" },
      });
      script.emitter.emit("reward.event", place, { reward: 1, reason: "thumbed" });
      script.emitter.emit("shadow.answer", place, {
        ...{ answer: "of B alone", outcome: "answered", "gen_ai.request.model": "b" },
        "conclave.duration_ms": 1,
      });
    });
    assert.deepEqual([...all].sort(), [...words].sort());
  });

  it("finds no names of fields, and nothing that only the prompt carried on", () => {
    const none = found(["gen_ai", "conclave.messages", "secret of another turn"], (script) => {
      script.ask([{ role: "user", content: "secret of another turn" }]).reply({ content: "Yes." });
      script.answered("Yes.");
    });
    assert.deepEqual([...none], []);
  });

  it("finds nothing of what was forgotten", () => {
    const search = new TextSearch(["which"]);
    const sink = (event: TurnEvent): void => search.take(JSON.stringify({ ...event, forgotten: 1 }));
    const script = new TurnScript(sink, { question: "Which cache?" });
    assert.equal(search.of(script.turnId).size, 0);
  });

  it("finds any words that stand in a text, whatever signs they hold", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), (text) => {
        const word = text.toLowerCase();
        fc.pre(word.trim() !== "" && word === word.toLowerCase());
        const search = new TextSearch([word]);
        const sink = (event: TurnEvent): void => search.take(JSON.stringify(event));
        const script = new TurnScript(sink, { question: `so ${text} it is` });
        assert.ok(search.of(script.turnId).has(word), JSON.stringify(text));
      }),
      { seed: 21 },
    );
  });

  it("takes lines that are no JSON", () => {
    const search = new TextSearch(["x"]);
    for (const line of ["", "x", '{"x":', "[1,2]", '{"type":"query.received","turnId":1,"data":"x"}'])
      search.take(line);
    assert.equal(search.of("1").size, 0);
  });
});
