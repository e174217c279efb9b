import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { failed, success, type Result } from "../../agent/failure.ts";
import type { ChatModel } from "../../agent/models/types.ts";
import { isSet, numberOf, textOf, textsOf, wordsOf, type Given } from "../arguments.ts";
import { flagsOf } from "../ask/command.ts";
import { createModels } from "../models.ts";
import type { CliParts } from "../places.ts";
import { REPORT_FORMATS, type ReportFormat } from "../report/write.ts";
import { givenSettings } from "../settings/given-settings.ts";
import type { Settings } from "../settings/schema.ts";
import { harmless, type Terminal } from "../terminal.ts";
import { findCases } from "./case/find.ts";
import type { CaseProblem } from "./case/file.ts";
import type { EvalCase } from "./case/types.ts";
import { configurationFault, parseConfiguration, type Configuration } from "./configurations.ts";
import { readLabelledSet, type LabelledSet } from "./judge/labelled-set.ts";
import { liveServer, type ModelServer } from "./model-server.ts";
import { problemLine } from "./words.ts";

/** Where cases are looked for when none are named. */
export const CASES_FOLDER = join(".conclave", "evals");

/** How long a server may take to say its version, in milliseconds; a report can do without. */
const VERSION_MS = 5_000;
/** Faults of files that are told at once. */
const MAX_TOLD = 10;

/** A judge that is to be judged. */
export interface JudgeWish {
  readonly set: LabelledSet;
  readonly model: ChatModel;
}

/** How an evaluation is to be run. */
export interface EvalWish {
  readonly cases: readonly EvalCase[];
  readonly settings: Settings;
  /** Left out: no case is run. */
  readonly server?: ModelServer;
  readonly configurations: readonly Configuration[];
  readonly repeats: number;
  readonly seed: number;
  readonly isForEqualTokens: boolean;
  readonly judge?: JudgeWish;
  readonly formats: readonly ReportFormat[];
  /** Absolute path of the report's folder. */
  readonly report?: string;
}

/** Whether the judge is to be judged. */
export function wantsJudge(given: Given): boolean {
  return isSet(given, "judge") || textOf(given, "judge-set") !== undefined;
}

/** Reads the cases that are named, or those there are. Warnings are told; anything worse is a failure in words. */
export async function readCases(
  given: Given,
  terminal: Terminal,
  parts: CliParts,
): Promise<Result<readonly EvalCase[]>> {
  if (given.rest.length === 0 && wantsJudge(given)) return success([]);
  const standard = (parts.cases ?? [CASES_FOLDER]).filter((path) => existsSync(resolve(terminal.cwd, path)));
  const named = given.rest.length > 0 ? given.rest : standard;
  if (named.length === 0)
    return bad(`There are no cases: name files or folders, or put them into ${CASES_FOLDER}.`);
  const { cases, problems, missing } = await findCases(named, terminal.cwd);
  // Folders that nobody named may be empty.
  const [lost] = missing;
  if (lost !== undefined && (given.rest.length > 0 || cases.length + problems.length === 0)) return bad(lost);
  const problem = tellProblems(problems, terminal);
  if (problem !== undefined) return bad(problem);
  const tags = textsOf(given, "tag");
  const wanted =
    tags.length === 0 ? cases : cases.filter((one) => one.tags.some((tag) => tags.includes(tag)));
  return wanted.length > 0 ? success(wanted) : bad(`No case has the tag ${tags.join(" or ")}.`);
}

/** Tells warnings; gives the errors, one a line. */
function tellProblems(problems: readonly CaseProblem[], terminal: Terminal): string | undefined {
  const errors = problems.filter(({ severity }) => severity === "error");
  for (const problem of problems)
    if (problem.severity === "warning") terminal.err(`${harmless(problemLine(problem))}\n`);
  if (errors.length === 0) return undefined;
  const left = errors.length - MAX_TOLD;
  const told = errors.slice(0, MAX_TOLD).map(problemLine);
  return [...told, ...(left > 0 ? [`and ${left} more.`] : [])].join("\n");
}

/** Reads how cases are to be run; a failure in words where that can't be. */
export async function readWish(
  cases: readonly EvalCase[],
  given: Given,
  terminal: Terminal,
  parts: CliParts,
): Promise<Result<EvalWish>> {
  const configurations = configurationsOf(given);
  if (!configurations.ok) return configurations;
  const stray = casesNobodyRuns(cases, configurations.value);
  if (stray !== undefined) return bad(stray);
  const repeats = numberOf(given, "repeat", 1, 1_000, 1);
  if (!repeats.ok) return repeats;
  const seed = numberOf(given, "seed", 0, 2_000_000_000, 1);
  if (!seed.ok) return seed;
  const formats = wordsOf(given, "format", REPORT_FORMATS);
  if (!formats.ok) return formats;
  const file = textOf(given, "settings");
  const sources = {
    pairs: textsOf(given, "set"),
    flags: flagsOf(given, terminal),
    ...(file !== undefined && { file }),
  };
  const settings = await givenSettings(sources, terminal.cwd);
  if (!settings.ok) return settings;
  const server =
    cases.length === 0 ? undefined : await serverOf(textOf(given, "live"), settings.value, parts);
  if (server?.ok === false) return server;
  const judge = wantsJudge(given) ? await judgeOf(given, settings.value, terminal, parts) : undefined;
  if (judge?.ok === false) return judge;
  const report = textOf(given, "report");
  return success({
    ...{ cases, settings: settings.value, configurations: configurations.value },
    ...{ repeats: repeats.value, seed: seed.value, isForEqualTokens: isSet(given, "equal-tokens") },
    ...(server && { server: server.value }),
    ...(judge && { judge: judge.value }),
    formats: formats.value.length > 0 ? formats.value : report === undefined ? ["md"] : REPORT_FORMATS,
    ...(report !== undefined && { report: resolve(terminal.cwd, report) }),
  });
}

function configurationsOf(given: Given): Result<readonly Configuration[]> {
  const names = textsOf(given, "config").flatMap((list) => list.split(","));
  const configurations: Configuration[] = [];
  for (const name of names.map((one) => one.trim())) {
    const configuration = parseConfiguration(name);
    if (configuration === undefined) return bad(`--config ${name} ${configurationFault(name) ?? ""}.`);
    if (!configurations.some((one) => one.name === configuration.name)) configurations.push(configuration);
  }
  return success(configurations);
}

/** Says so where no case makes sense in any of the configurations: that nothing ran must not look like success. */
function casesNobodyRuns(
  cases: readonly EvalCase[],
  configurations: readonly Configuration[],
): string | undefined {
  if (cases.length === 0 || configurations.length === 0) return undefined;
  const names = configurations.map(({ name }) => name);
  const isRun = cases.some(
    ({ configurations: own }) => own === undefined || names.some((name) => own.includes(name)),
  );
  return isRun
    ? undefined
    : `No case is meant for ${names.join(", ")}: each names its own \`configurations\`, and these are none of them.`;
}

/** Who answers: a model that is there, or a script. */
async function serverOf(
  live: string | undefined,
  settings: Settings,
  { scripted }: CliParts,
): Promise<Result<ModelServer>> {
  const model = live ?? (scripted === undefined ? settings.model : "");
  if (model === "") {
    if (live !== undefined) return bad("--live takes the name of a model.");
    return scripted === undefined ? bad("Say which model answers: --live MODEL.") : success(scripted());
  }
  const there = await isThere(model, settings);
  if (!there.ok) return there;
  const version = await createModels(settings).version(AbortSignal.timeout(VERSION_MS));
  return success(liveServer(model, settings.ollamaHost, version.ok ? version.value : undefined));
}

async function isThere(model: string, settings: Settings): Promise<Result<true>> {
  const names = await createModels(settings).names(AbortSignal.timeout(settings.requestTimeout * 1_000));
  if (!names.ok) return names;
  const full = (name: string): string => (/:[^/]*$/u.test(name) ? name : `${name}:latest`);
  if (names.value.some((name) => full(name) === full(model))) return success(true);
  const some = names.value.slice(0, 8).join(", ");
  return bad(
    `The model ${model} is not installed at ${settings.ollamaHost}. Pull it${some === "" ? "." : `, or name one of ${some}.`}`,
  );
}

/** The judge and the set it is judged by. */
async function judgeOf(
  given: Given,
  settings: Settings,
  terminal: Terminal,
  parts: CliParts,
): Promise<Result<JudgeWish>> {
  const named = textOf(given, "judge-set");
  const file = named ?? parts.judgeSet;
  if (file === undefined) return bad("Say which labelled set the judge is judged by: --judge-set FILE.");
  const { set, problems } = await readLabelledSet(resolve(terminal.cwd, file), file);
  const problem = tellProblems(problems, terminal);
  if (set === undefined || problem !== undefined) return bad(problem ?? `${file} holds nothing to judge.`);
  const [model] = [
    textOf(given, "judge-model"),
    settings.criticModel,
    textOf(given, "live"),
    settings.model,
  ].filter((name) => name !== undefined && name !== "");
  if (model === undefined) return bad("Say which model judges: --judge-model MODEL.");
  const there = await isThere(model, settings);
  if (!there.ok) return there;
  const found = createModels(settings).model(model);
  return "code" in found ? { ok: false, failure: found } : success({ set, model: found });
}

function bad(message: string): {
  readonly ok: false;
  readonly failure: ReturnType<typeof failed>["failure"];
} {
  return failed("bad_input", message);
}
