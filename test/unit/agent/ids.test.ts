import assert from "node:assert/strict";
import { systemIdentity } from "../../../src/agent/ids.ts";

describe("ids of the product", () => {
  it("are as long as OpenTelemetry wants them, and never the same", () => {
    const turns = Array.from({ length: 2_000 }, () => systemIdentity.turnId());
    const spans = Array.from({ length: 2_000 }, () => systemIdentity.spanId());
    assert.ok(turns.every((id) => /^[0-9a-f]{32}$/.test(id)));
    assert.ok(spans.every((id) => /^[0-9a-f]{16}$/.test(id)));
    assert.equal(new Set([...turns, ...spans]).size, 4_000);
  });
});
