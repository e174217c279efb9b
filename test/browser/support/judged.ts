import { committeeTurn } from "../../unit/trace/support/committee-turn.ts";
import { SteadyIdentity } from "../../unit/trace/support/steady-identity.ts";
import type { PanelBed } from "../../unit/trace/support/panel-bed.ts";
import { withCacheTurn } from "./turns.ts";

/** The turn of the drawing, with all that can be said of a turn once it is over, and a warning of each kind with a button. */
export async function withJudgedTurn(bed: PanelBed): Promise<void> {
  const script = await withCacheTurn(bed);
  const place = { parentId: script.turnId };
  const { emitter } = script;
  const model = { "gen_ai.request.model": "judge:8b" };
  emitter.emit("warning", place, {
    code: "web_off",
    message: "The web tools are off: no page was read.",
    detail: { tool: "web_fetch" },
  });
  emitter.emit("warning", place, {
    code: "context_cut",
    message: "The result of web_fetch was cut to 2,140 of 6,300 characters for want of room.",
    detail: { kept: 2140, of: 6300 },
  });
  emitter.emit("critique.result", place, {
    score: 4,
    feedback: "Grounded in what was recalled; the date of the second replica is right.",
    ...model,
  });
  emitter.emit("pairwise.result", place, {
    winner: "B",
    feedback: "B names where its date comes from, A does not.",
    ...model,
  });
  emitter.emit("user.feedback", place, {
    rating: "up",
    note: "short and right",
    "conclave.door": "panel",
  });
  emitter.emit("memory.learned", place, {
    "conclave.episode_ids": ["00000000-0000-4000-8000-000000000001"],
    "conclave.extracted": 1,
    "conclave.updated": 1,
    "conclave.by": "model",
    "gen_ai.request.model": "qwen3:8b",
    "gen_ai.usage.input_tokens": 900,
    "gen_ai.usage.output_tokens": 110,
    "conclave.learned": {
      added: [{ id: "a", text: "There are two replicas since 20 March" }],
      repeated: [],
      closed: [{ id: "b", text: "One node serves all requests" }],
      rejected: [],
      entities: 0,
      edges: 0,
    },
    "conclave.duration_ms": 2400,
  });
  await bed.log.flush();
}

/** The turn of a committee. */
export async function withCommitteeTurn(bed: PanelBed): Promise<void> {
  committeeTurn((event) => bed.log.append(event), {
    identity: new SteadyIdentity(Date.now() - 900_000, 700_000),
  });
  await bed.log.flush();
}
