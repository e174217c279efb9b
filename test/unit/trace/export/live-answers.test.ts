import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { systemTimer } from "../../../../src/agent/timer.ts";
import { tracesAddress } from "../../../../src/trace/export/live/endpoint.ts";
import { SpanSender } from "../../../../src/trace/export/live/sender.ts";
import { Collector, status } from "./support/collector.ts";

describe("what a collector answers", () => {
  let collector: Collector;
  let url: URL;
  let warnings: string[];
  let sender: SpanSender;
  let now: () => number;

  beforeEach(async () => {
    collector = new Collector();
    const address = tracesAddress(await collector.listen());
    assert.ok(address.ok);
    url = address.value;
    warnings = [];
    now = () => 0;
    sender = new SpanSender({
      // A wait is over at once.
      timer: (_ms, fire) => systemTimer(0, fire),
      now: () => now(),
      warn: (message) => void warnings.push(message),
    });
  });

  afterEach(async () => {
    await sender.dispose();
    await collector.close();
  });

  it("is told where it took a part only, whichever way it spells that", async () => {
    const spelled = [
      { partialSuccess: { rejectedSpans: "2", errorMessage: "too old" } },
      { partial_success: { rejected_spans: 3, error_message: "no room" } },
      { partialSuccess: { errorMessage: "old names" } },
    ];
    const nothing = ["", "null", "[]", '{"partialSuccess":null}', '{"partialSuccess":{}}', "thanks"];
    for (const answer of [...spelled.map((one) => JSON.stringify(one)), ...nothing]) {
      collector.answers.push(status(200, {}, answer));
      sender.send({ url, body: "{}" });
    }
    await sender.idle();
    assert.equal(collector.received.length, spelled.length + nothing.length);
    assert.deepEqual(
      warnings.map((text) => text.replace(/^.* in part: /, "")),
      ["2 spans refused: too old.", "3 spans refused: no room.", "no spans refused: old names."],
    );
  });

  it("is not waited for when it comes byte by byte without an end", async () => {
    let [time, isClosed] = [0, false];
    // Each look at the clock finds that much time has gone by.
    now = () => (time += 20_000);
    collector.answers.push((response) => {
      const drip = setInterval(() => response.write(" "), 1);
      response.on("close", () => {
        clearInterval(drip);
        isClosed = true;
      });
    });
    sender.send({ url, body: "{}" });
    await sender.idle();
    while (!isClosed) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(warnings, []);
  });

  it("is missed, and given up on in words, when the line is closed or nobody is there", async () => {
    const hangUp = (response: ServerResponse): void => void response.destroy();
    collector.answers.push(...Array.from({ length: 6 }, () => hangUp));
    sender.send({ url, body: "{}" });
    await sender.idle();
    await collector.close();
    sender.send({ url, body: "{}" });
    await sender.idle();
    assert.equal(warnings.length, 2);
    for (const warning of warnings) assert.match(warning, /after 6 tries and is given up/);
  });
});
