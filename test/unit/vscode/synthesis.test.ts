import assert from "node:assert/strict";
import { planFork } from "../../../src/agent/fork/plan.ts";
import { askForSynthesis } from "../../../src/vscode/synthesis.ts";
import { committeeTurn } from "../trace/support/committee-turn.ts";
import { PanelBed } from "../trace/support/panel-bed.ts";
import { SteadyIdentity } from "../trace/support/steady-identity.ts";
import { TurnScript } from "../trace/support/turn-script.ts";

describe("summing a committee up once more", () => {
  let bed: PanelBed;
  beforeEach(async () => {
    bed = await PanelBed.create();
  });
  afterEach(() => bed.close());

  const place = (): { readonly sessionId: string; readonly turnId: string } =>
    committeeTurn((event) => bed.log.append(event), { identity: new SteadyIdentity(), synthesis: "missing" });

  it("asks the same question in the same session, with what was said by round, failures included", async () => {
    const turn = place();
    const asked = await askForSynthesis(bed, turn, "panel");
    assert.ok(asked.ok);
    const [request] = bed.engine.asked;
    assert.equal(request?.sessionId, turn.sessionId);
    assert.equal(request.question, "Should the cache stay in process now that there are two replicas?");
    assert.equal(request.fork?.turnId, turn.turnId);
    const planned = planFork(request.fork, request.fork.events);
    const rounds = planned.ok ? (planned.value.committee?.rounds ?? []) : [];
    assert.deepEqual(
      rounds.map(({ members }) => members.map(({ name, said }) => `${name}: ${said?.outcome ?? "anew"}`)),
      [
        [
          "Skeptic: answered",
          "Evidence Seeker: answered",
          "Pragmatist: answered",
          "Newcomer's Advocate: failed",
        ],
        ["Skeptic: answered", "Evidence Seeker: answered", "Pragmatist: answered"],
      ],
    );
    assert.match(rounds[1]?.members[0]?.said?.answer ?? "", /^No\. Stale reads/);
  });

  it("asks nobody where no committee said anything, and says so", async () => {
    const script = new TurnScript((event) => bed.log.append(event), { identity: new SteadyIdentity() });
    script.answered("Yes.");
    const asked = await askForSynthesis(bed, script, "panel");
    assert.ok(!asked.ok);
    assert.match(asked.failure.message, /nothing that this committee said/);
    assert.deepEqual(bed.engine.asked, []);
  });

  it("does not sum up what was forgotten", async () => {
    const turn = place();
    await bed.log.flush();
    assert.ok((await bed.log.bury({ turns: [turn], time: Date.now() })).ok);
    const asked = await askForSynthesis(bed, turn, "panel");
    assert.ok(!asked.ok);
    assert.match(asked.failure.message, /forgotten/);
  });
});
