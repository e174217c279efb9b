import type { EventSink } from "../../../../src/agent/events.ts";
import type { Json, ToolCall } from "../../../../src/agent/models/types.ts";
import { TurnScript } from "./turn-script.ts";

/** The turn of the drawing, as one agent tells it: recall, a page, an answer. */
export function cacheTurn(
  sink: EventSink,
  options: ConstructorParameters<typeof TurnScript>[1] = {},
): TurnScript {
  const script = new TurnScript(sink, options);
  const fetchCall: ToolCall = {
    id: "call_1",
    name: "web_fetch",
    arguments: { url: "https://docs.example.org/cache/invalidation" },
  };
  const searchCall: ToolCall = {
    id: "call_2",
    name: "search_memory",
    arguments: { query: "cache decision" },
  };
  const thinking =
    "The user wants to know about the cache. I should look into memory first, then at the page.";
  script.wait(20).ask().wait(900).stream("thinking", thinking).wait(1400);
  script.reply({
    thinking,
    calls: [searchCall, fetchCall],
    usage: {
      inputTokens: 1610,
      outputTokens: 212,
      loadMs: 0,
      promptMs: 820,
      generationMs: 1480,
      firstChunkMs: 900,
    },
  });
  const search = script.call("search_memory", searchCall.arguments);
  const page = script.call("web_fetch", fetchCall.arguments);
  script.wait(18);
  search({
    result: "[2026-03-12] Asked: which cache? Answered: LRU in process, 10 minutes, no Redis for now",
    details: {
      summary: "2 of 41 memories given",
      data: {
        query: "cache decision",
        searched: 41,
        hits: [
          hit(script, "LRU in process, 10 minutes, no Redis for now", 12, 0.91, { vector: 0.62, text: 0.29 }),
          hit(script, "Two replicas behind the balancer from the 20th", 18, 0.67, {
            vector: 0.27,
            text: 0.4,
          }),
        ],
      },
    },
  });
  script.wait(394);
  page({
    result: "Drop an entry when the row changes.",
    details: { summary: "html, characters 0-2140 of 6300", data: { status: 200, bytes: 18_220 } },
  });
  const second = "Two of three agree that the decision is out of date because of the second replica.";
  const answer =
    "On 12 March you chose an **in-process LRU with a 10-minute lifetime** and ruled Redis out for latency. " +
    "It no longer fully holds: since the 20th there are two replicas, so a write on one leaves the other stale for up " +
    "to ten minutes. Keep the cache and drop entries on the `row.changed` event.";
  script.stepEnd().ask().wait(600).stream("thinking", second).wait(2100);
  for (const word of answer.split(/(?<= )/)) script.stream("answer", word).wait(40);
  script.reply({
    thinking: second,
    content: answer,
    usage: {
      inputTokens: 2118,
      outputTokens: 318,
      loadMs: 0,
      promptMs: 410,
      generationMs: 5200,
      firstChunkMs: 600,
    },
  });
  script.stepEnd().answered(answer, thinking + second);
  return script;
}

function hit(
  script: TurnScript,
  answer: string,
  day: number,
  score: number,
  parts: Record<string, number>,
): Json {
  return {
    id: `00000000-0000-4000-8000-0000000000${day}`,
    sessionId: script.sessionId,
    question: "Which cache do we use?",
    answer,
    time: Date.UTC(2026, 2, day, 10, 30),
    kind: "turn",
    score,
    parts,
  };
}
