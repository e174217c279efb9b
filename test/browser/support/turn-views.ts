import { failure } from "../../../src/agent/failure.ts";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { talk, talkEngine, talkModel } from "../../unit/agent/sandbox/bed.ts";
import type { PanelBed } from "../../unit/trace/support/panel-bed.ts";
import { SteadyIdentity } from "../../unit/trace/support/steady-identity.ts";
import { TurnScript } from "../../unit/trace/support/turn-script.ts";
import { withCommitteeTurn, withComparedTurn, withJudgedTurn } from "./judged.ts";
import type { OpenOptions, PanelPage } from "./panel-page.ts";
import { openFirst } from "./turns.ts";

/** A view of the panel, and how to get to it in a wide one. */
export interface View {
  readonly name: string;
  readonly before?: OpenOptions["before"];
  readonly go: (panel: PanelPage) => Promise<unknown>;
}

/** Says of itself that it is a private session's. */
const PRIVATE_SESSION = "0b7e5c1e-8f0a-8b8e-9d4f-3f1d2c4b5a69";

async function openRow({ page }: PanelPage, sign: string): Promise<void> {
  await page.locator(".rows [role=option]").first().click();
  await page.locator(sign).first().waitFor();
}

async function unfold(panel: PanelPage): Promise<void> {
  await openFirst(panel);
  await panel.page.locator("[data-head]").first().focus();
  await panel.page.keyboard.press("+");
  await panel.page.locator(".cell-model .figures").first().waitFor();
}

/** A view that a button of the head leads to. */
export async function press({ page }: PanelPage, name: string, sign: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.locator(sign).first().waitFor();
}

/** Views that hold nothing yet. */
export const EMPTY: readonly View[] = [
  {
    name: "empty",
    before: (bed) => {
      bed.model = "";
      bed.problems = [
        failure("server_unreachable", "Ollama is not running at http://127.0.0.1:11434.", {
          action: "start_ollama",
        }),
        failure("no_model", "No chat model is chosen yet.", { action: "select_model" }),
      ];
    },
    go: ({ page }) => page.locator(".missing li").nth(1).waitFor(),
  },
  { name: "memory-empty", go: (panel) => press(panel, "Memory", "main .hint") },
  { name: "critic-empty", go: (panel) => press(panel, "Critic", "main .hint") },
  {
    name: "eval-empty",
    go: async (panel) => {
      await press(panel, "Critic", "main .hint");
      await panel.page.getByRole("button", { name: "Evaluations" }).click();
      await panel.page.getByText("No evaluation was run yet.").waitFor();
    },
  },
];

/** A talk of the sandbox, one of whose personas failed. */
async function withTalk(bed: PanelBed): Promise<void> {
  const engine = talkEngine({
    models: [talkModel({ Mira: ["Ships.", "Sails."], Tom: ["Stones.", "Walls."] })],
  });
  const { events } = await talk(engine, { scenario: "On a ferry to Pemba.", settings: { rounds: 2 } });
  for (const event of events) bed.log.append(event);
  await bed.log.flush();
}

/** A turn in all the ways in which it may stand. */
export const TURNS: readonly View[] = [
  { name: "turn", before: withJudgedTurn, go: openFirst },
  { name: "unfolded", before: withJudgedTurn, go: unfold },
  { name: "judged", before: (bed) => withComparedTurn(bed), go: unfold },
  { name: "committee", before: withCommitteeTurn, go: openFirst },
  { name: "committee-unfolded", before: withCommitteeTurn, go: unfold },
  { name: "sandbox", before: withTalk, go: (panel) => openRow(panel, ".cell-sandbox") },
  {
    name: "private",
    before: async (bed) => {
      const script = new TurnScript((event) => bed.log.append(privately(event)), {
        sessionId: PRIVATE_SESSION,
        question: "Who may know?",
        identity: new SteadyIdentity(Date.now() - 60_000),
      });
      script.ask().reply({ content: "Nobody." }).stepEnd().answered("Nobody.");
      await bed.log.flush();
    },
    go: openFirst,
  },
  {
    name: "error",
    before: async (bed) => {
      const { script } = bed.engine.begin({ question: "Which boat?" });
      const problem = failure("model_missing", "The model qwen3:8b is not there. Pull it.", {
        action: "pull_model",
        target: "qwen3:8b",
      });
      script.ask().reply({ error: problem }).stepEnd().stopped("failed", problem);
      await bed.log.flush();
    },
    go: (panel) => openRow(panel, ".cell-error"),
  },
  {
    name: "cancelled",
    before: async (bed) => {
      const { script } = bed.engine.begin({ question: "Which boat?" });
      const problem = failure("cancelled", "Cancelled.");
      script.ask().stream("answer", "The red").reply({ content: "The red", error: problem });
      script.stepEnd().stopped("cancelled", problem, "The red");
      await bed.log.flush();
    },
    go: async (panel) => {
      await panel.page.locator(".rows [role=option]").first().click();
      await panel.page.locator(".standing").getByText("cancelled").waitFor();
    },
  },
  {
    name: "loading",
    before: (bed) => {
      bed.loaded = false;
      bed.engine.begin({ question: "Which boat lies at the pier?" }).script.ask();
    },
    go: ({ page }) => page.getByText("Loading qwen3:8b (5.2 GB)").waitFor(),
  },
];

function privately(event: TurnEvent): TurnEvent {
  return event.type === "turn.start"
    ? { ...event, data: { ...event.data, "conclave.private": true } }
    : event;
}
