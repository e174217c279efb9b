import assert from "node:assert/strict";
import { cleanUp, later, temporaryFolder } from "../support.ts";
import * as ollama from "../../../support/ollama/index.ts";
import type { ChatBody } from "../../../support/ollama/index.ts";
import { answers, fact, hasResult, messageIn, openBed, type Bed, type BedOptions } from "./bed.ts";

/** 23:50 on Thursday 19 November 2026, eight hours behind UTC, where it is the 20th already. */
const TOLD = Date.UTC(2026, 10, 20, 7, 50);
/** Noon on Saturday 5 December, there. */
const ASKED = Date.UTC(2026, 11, 5, 20);
const SAID = "The dentist is tomorrow at 3pm, and we moved last week.";
const NONE = "No relevant memories found.";

/** A machine's time zone, until the test is over. */
function live(zone: string): void {
  const before = process.env["TZ"];
  process.env["TZ"] = zone;
  later(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
    return Promise.resolve();
  });
}

/** Looks up what the user asks, in the user's words, and says what was found. */
const chat = (body: ChatBody) => {
  const last = body.messages.at(-1)?.content ?? "";
  if (hasResult(body)) return answers("It is as you see.");
  return last.endsWith("?") ? [ollama.toolCall("search_memory", { query: last })] : answers("Noted.");
};

/** Words as a careless model copies them, its relative times included. */
const read: NonNullable<BedOptions["read"]> = (shown) =>
  shown.includes("dentist")
    ? {
        facts: [
          fact("The dentist is tomorrow at 3pm", "The user has a dentist appointment tomorrow at 3pm", {
            kind: "event",
          }),
          fact("we moved last week", "The user moved last week", { kind: "event" }),
        ],
      }
    : {};

/** What the user told at the first clock, in the same words whoever reads it. */
async function told(learning: "model" | "rules", folder?: string): Promise<Bed> {
  live("America/Los_Angeles");
  const bed = await openBed({ chat, read, memory: { learning }, now: TOLD, ...(folder && { folder }) });
  bed.at(TOLD - 20_000);
  const { learned } = await bed.turn(SAID);
  assert.equal(learned?.data["conclave.by"], learning);
  return bed;
}

describe("What is told with words such as tomorrow", () => {
  afterEach(cleanUp);

  for (const learning of ["model", "rules"] as const) {
    it(`keeps its words, and beside them the time that they meant, with its turn as the source, read by ${learning}`, async () => {
      const bed = await told(learning);
      const facts = await bed.facts();
      const dentist = facts.find(({ text }) => text.includes("dentist"));
      assert.ok(dentist);
      assert.match(dentist.text, /tomorrow at 3pm/);
      assert.equal(dentist.eventFrom, Date.UTC(2026, 10, 20, 23));
      assert.match(dentist.source.turnId, /^[0-9a-f]+$/);
      const move = facts.find(({ text }) => text.includes("moved"));
      if (learning === "model") {
        assert.ok(move);
        assert.match(move.text, /last week/);
        // Monday 9 to Sunday 15 November, there.
        assert.equal(move.eventFrom, Date.UTC(2026, 10, 9, 8));
        assert.equal(move.eventTo, Date.UTC(2026, 10, 16, 8) - 1);
      }
    });
  }

  it("is found two weeks later by what it was, not by last week or tomorrow", async () => {
    const bed = await told("model");
    bed.at(ASKED);
    const [dentist] = (await bed.turn("When was the dentist?")).results;
    assert.match(dentist!, /2026-11-20/);
    const week = await bed.turn("What did I tell you last week?");
    assert.deepEqual(week.results, [NONE]);
    const result = week.events.find((event) => event.type === "tool.result");
    assert.deepEqual(
      result?.type === "tool.result" && result.data.details?.data?.["range"],
      // Monday 23 to Sunday 29 November, there.
      { from: Date.UTC(2026, 10, 23, 8), to: Date.UTC(2026, 10, 30, 8) - 1 },
    );
    assert.deepEqual((await bed.turn("What is tomorrow?")).results, [NONE]);
  });

  it("means the same moment to a reader in another time zone, by the clock there", async () => {
    for (const [zone, there] of [
      ["Asia/Tokyo", "2026-11-21 08:00"],
      ["Pacific/Kiritimati", "2026-11-21 13:00"],
      ["UTC", "2026-11-20 23:00"],
    ] as const) {
      const folder = await temporaryFolder();
      const writer = await told("model", folder);
      await writer.engine.dispose();
      live(zone);
      const bed = await openBed({ chat, folder, now: ASKED });
      const [result] = (await bed.turn("When was the dentist?")).results;
      assert.ok(result!.includes(`tomorrow at 3pm [${there}]`), result);
      const facts = await bed.facts();
      assert.equal(facts.find(({ text }) => text.includes("dentist"))?.eventFrom, Date.UTC(2026, 10, 20, 23));
    }
  });

  it("is given to a model without tools with the time beside it", async () => {
    live("America/Los_Angeles");
    const bed = await openBed({
      chat: () => answers("I see."),
      read,
      settings: { model: "scripted-plain:latest", toolProtocol: "none" },
      now: TOLD,
    });
    await bed.turn(SAID);
    bed.at(ASKED);
    const given = async (question: string): Promise<string> => {
      await bed.turn(question);
      return bed
        .chats()
        .at(-1)!
        .messages.map(({ content }) => content)
        .join("\n");
    };
    assert.match(await given("When was the dentist?"), /2026-11-20/);
    const later = await given("What did I tell you last week?");
    assert.match(later, /moved last week \[2026-11-09 to 2026-11-15\]/, "which week was the last one then");
  });

  const NOVEMBER = Date.UTC(2026, 10, 19, 12);
  for (const [zone, now, said, from] of [
    // The clocks go back in the night between.
    ["Europe/Berlin", Date.UTC(2026, 9, 24, 21, 50), "tomorrow at 3pm", "2026-10-25T14:00"],
    ["Pacific/Auckland", Date.UTC(2026, 10, 19, 11, 50), "tomorrow at 3pm", "2026-11-21T02:00"],
    ["Asia/Kolkata", Date.UTC(2026, 11, 31, 18, 20), "tomorrow at 9:30", "2027-01-01T04:00"],
    ["UTC", NOVEMBER, "the day after tomorrow", "2026-11-21T00:00"],
    ["UTC", NOVEMBER, "on Friday", "2026-11-20T00:00"],
    ["UTC", NOVEMBER, "next Monday", "2026-11-23T00:00"],
    ["UTC", NOVEMBER, "in three days", "2026-11-22T00:00"],
    ["UTC", NOVEMBER, "next month", "2026-12-01T00:00"],
    ["UTC", NOVEMBER, "next year", "2027-01-01T00:00"],
    ["UTC", NOVEMBER, "last year", "2025-01-01T00:00"],
    ["UTC", NOVEMBER, "morgen", "2026-11-20T00:00"],
    ["UTC", NOVEMBER, "demain", "2026-11-20T00:00"],
    ["UTC", NOVEMBER, "pasado mañana", "2026-11-21T00:00"],
  ] as const) {
    it(`has beside it the time it stood for in ${zone}: ${said}`, async () => {
      live(zone);
      const bed = await openBed({
        chat,
        now: now - 20_000,
        read: (shown) => ({ facts: [fact(messageIn(shown), messageIn(shown), { kind: "event" })] }),
      });
      await bed.turn(`The exam is ${said}.`);
      const [kept] = await bed.facts();
      assert.ok(kept);
      assert.ok(kept.text.includes(said));
      assert.equal(new Date(kept.eventFrom ?? 0).toISOString().slice(0, 16), from);
    });
  }
});
