import assert from "node:assert/strict";
import { useFixture } from "./support/fixture.ts";
import { openFirst, withAnswer } from "./support/turns.ts";

/** Words that look like markup and are none. */
const AS_WRITTEN = [
  "On [2026-11-28] we set list[0] and args[i][j].",
  "An ![alarm] went off, and [so] on",
  "It costs $5 and then $6.",
  "The name snake_case_name stays one word.",
  "Also a__b and x_1_2 too, and früh_übt.",
  "Three times four: 3 * 4 * 5.",
  "A Map<string, number> is not an element.",
  "See https://example.test/a_b_c?d_e=f_g and go on_and_on.",
  "Ends with an address: https://example.test/a_b_c",
];

describe("panel: an answer", () => {
  const fixture = useFixture();

  for (const line of AS_WRITTEN) {
    it(`is shown as it was written: ${line}`, async () => {
      const panel = await fixture.open({ before: (bed) => withAnswer(bed, line) });
      await openFirst(panel);
      assert.equal(await panel.page.locator(".cell-answer .markdown").innerText(), line);
    });
  }
});
