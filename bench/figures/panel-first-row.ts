import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { interleave, median, quartiles, type Figure, type Measured } from "../frame.ts";
import { naiveState, readNaively } from "../support/naive-state.ts";
import { FIRST } from "../support/panel-probe.ts";
import { withPanels, type Panels } from "../support/panels.ts";
import { logFile, writeLongTurn, type TurnName } from "../support/trace-data.ts";

const EVENTS = 10_000;
const ROUNDS = 7;
const WARM_UP = 1;

/** From the page's `ready` to its first row and cell on the screen, in milliseconds; nothing of the log was read before. */
async function real({ open }: Panels, log: string, turn: TurnName): Promise<number> {
  const panel = await open({
    script: FIRST,
    before: async (bed) => {
      await copyFile(log, join(bed.folder, basename(log)));
      bed.host.show(turn);
    },
  });
  const first = await panel.evaluate<number>("window.__first");
  await panel.close();
  return first;
}

async function naive({ openNaive }: Panels, log: string): Promise<number> {
  const events = await readNaively(log);
  const panel = await openNaive(() => naiveState(events), FIRST);
  const first = await panel.page.evaluate<number>("window.__first");
  await panel.close();
  return first;
}

async function measure(): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
  try {
    const turn = await writeLongTurn(folder, EVENTS, { thinking: 60, result: 120 });
    const log = logFile(folder, turn);
    const pair = await withPanels((panels) =>
      interleave(
        ROUNDS,
        WARM_UP,
        () => real(panels, log, turn),
        () => naive(panels, log),
      ),
    );
    return {
      value: median(pair.ours),
      reference: {
        name: "the whole state posted and drawn, log read before",
        value: median(pair.reference),
        unit: "ms",
      },
      rounds: ROUNDS,
      spread: quartiles(pair.ours),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How long the panel is empty once its page is there. */
export const panelFirstRow: Figure = {
  name: "panel.first_row.ms",
  unit: "ms",
  goal: 1_000,
  about: `a turn of ${EVENTS} events, from the page being ready to the first row and cell on the screen`,
  measure,
};
