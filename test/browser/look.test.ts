import { cacheTurn, SteadyIdentity } from "../unit/trace/support/turn-script.ts";
import { useFixture } from "./support/fixture.ts";

describe("panel: looks", () => {
  const fixture = useFixture();

  for (const theme of ["dark", "light"] as const) {
    it(`draws a turn in ${theme}`, async () => {
      const panel = await fixture.open({
        theme,
        before: async (bed) => {
          cacheTurn((event) => bed.log.append(event), {
            question: "What did we decide about the cache, and does it still hold?",
            identity: new SteadyIdentity(Date.now() - 60_000),
          });
          await bed.log.flush();
        },
      });
      await panel.page.getByRole("option").first().click();
      await panel.page.locator(".cell-answer .markdown").waitFor();
      await panel.picture(`turn-${theme}`);
      console.log(panel.complaints);
    });
  }
});
