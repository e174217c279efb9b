/**
 * Measures what Conclave costs:
 *
 *   npm run bench -- [--only PREFIX,...] [--json FILE] [--data FILE] [--rows N]
 *
 * Prints a table for people; with --json also writes a list of `{name, value, unit, goal, holds, reference, rounds,
 * spread}`. `--data` names a file of conversations (.json), or of texts of tool calls (.jsonl); `--rows` makes the
 * synthetic store smaller. Ends with 1 when a figure could not be measured; a goal that is missed is said in the table.
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { FIGURES } from "./figures/index.ts";
import { Skipped, type BenchOptions, type Figure, type FigureRecord } from "./frame.ts";
import { toRecord, toTable } from "./table.ts";

/** The figures whose names begin with one of the prefixes; all when there are none. */
function choose(only: string | undefined): readonly Figure[] {
  const prefixes = (only ?? "").split(",").filter((prefix) => prefix !== "");
  if (prefixes.length === 0) return FIGURES;
  return FIGURES.filter(({ name }) => prefixes.some((prefix) => name.startsWith(prefix)));
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      json: { type: "string" },
      data: { type: "string" },
      rows: { type: "string" },
    },
  });
  const chosen = choose(values.only);
  if (chosen.length === 0) {
    console.error(
      `No figure begins with ${values.only}. There are: ${FIGURES.map(({ name }) => name).join(", ")}`,
    );
    return 1;
  }
  const options: BenchOptions = {
    ...(values.data === undefined ? {} : { data: values.data }),
    ...(values.rows === undefined ? {} : { rows: Number(values.rows) }),
  };
  const records: FigureRecord[] = [];
  let failed = 0;
  for (const figure of chosen) {
    console.log(`${figure.name}: ${figure.about}`);
    try {
      const measured = await figure.measure(options);
      records.push(toRecord(figure, measured));
      if (measured.note !== undefined) console.log(`  ${measured.note}`);
    } catch (error) {
      if (error instanceof Skipped) {
        console.log(`  skipped: ${error.message}`);
        continue;
      }
      failed += 1;
      console.error(`  could not be measured: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  console.log(`\n${toTable(records)}`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(records, null, 2)}\n`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
