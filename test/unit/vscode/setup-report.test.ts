import assert from "node:assert/strict";
import { failed, success } from "../../../src/agent/failure.ts";
import type { SetupFacts } from "../../../src/vscode/setup/lines.ts";
import { setupLines, setupReport } from "../../../src/vscode/setup/report.ts";
import { readSettings } from "../../../src/vscode/settings-schema.ts";

const settings = (values: Readonly<Record<string, unknown>>) =>
  readSettings((key) => ({ model: "qwen3:8b", ...values })[key]).settings;

const GOOD: SetupFacts = {
  extensionVersion: "0.1.0",
  vscodeVersion: "1.104.0",
  host: "http://127.0.0.1:11434",
  settings: settings({}),
  settingProblems: [],
  version: success("0.17.4"),
  models: success([{ name: "qwen3:8b", sizeBytes: 5_200_000_000, capabilities: ["completion", "tools"] }]),
  loaded: [{ name: "qwen3:8b", contextLength: 32_768, sizeBytes: 7_000_000_000 }],
  chosen: success({
    name: "qwen3:8b",
    capabilities: ["completion", "tools", "thinking"],
    contextLength: 40_960,
    parameterSize: "8.2B",
  }),
  memory: { state: "ready", episodes: 41, embedder: "Xenova/all-MiniLM-L6-v2", pid: 77 },
  searchKeySet: false,
  chat: true,
};

const lineOf = (facts: Partial<SetupFacts>, part: string) =>
  setupLines({ ...GOOD, ...facts }).find((line) => line.part === part);

describe("the set-up report", () => {
  it("says that all is well, with version, models, context, memory and embedder", () => {
    const report = setupReport(GOOD);
    assert.match(report, /Everything that is needed is there\./);
    for (const part of [
      "version 0.17.4",
      "qwen3:8b (5.2 GB)",
      "32,768 tokens of the model's 40,960",
      "41 memories",
      "process 77",
      "Xenova/all-MiniLM-L6-v2",
    ])
      assert.ok(report.includes(part), `${part}\n${report}`);
  });

  it("has something to do for every fault", () => {
    const down = failed("server_unreachable", "Ollama is not running.", { action: "start_ollama" });
    const worst: SetupFacts = {
      ...GOOD,
      settings: settings({ model: "", "web.search.enabled": true }),
      settingProblems: ["conclave.maxSteps must be a number"],
      version: down,
      models: down,
      memory: { state: "failed", message: "No build for this machine." },
      chat: false,
    };
    const faults = setupLines(worst).filter((line) => line.state === "fault");
    assert.deepEqual(
      faults.map((line) => line.part),
      ["Ollama", "Chat model", "Memory", "Web search", "Settings"],
    );
    for (const line of faults) assert.ok((line.todo ?? "") !== "", line.part);
    assert.match(setupReport(worst), /5 things need attention/);
  });

  it("tells a missing model from a missing server", () => {
    const missing = failed("model_missing", "Ollama has no qwen3:8b.", { action: "pull_model" });
    assert.equal(lineOf({ chosen: missing }, "Chat model")?.state, "fault");
    assert.equal(lineOf({ models: success([]) }, "Models")?.state, "fault");
  });

  it("says where the model's own context is the limit, and when another program loaded it differently", () => {
    const small = success({ name: "qwen3:8b", capabilities: ["completion"], contextLength: 8_192 } as const);
    assert.match(lineOf({ chosen: small }, "Context")?.found ?? "", /8,192 tokens: the model's own limit/);
    const loaded = [{ name: "qwen3:8b", contextLength: 4_096 }];
    assert.match(lineOf({ loaded }, "Loaded")?.todo ?? "", /loads it anew/);
  });

  it("says where a model's calls come as text, with the Modelfile that has the server read them", () => {
    const template = "<|im_start|>user\n{{ .Prompt }}<|im_end|>";
    const coder = { name: "coder:1.5b", capabilities: ["completion", "tools"], template } as const;
    const report = setupReport({ ...GOOD, chosen: success(coder), calls: success("text") });
    assert.match(report, /as text: the model writes its calls into its answer/);
    assert.match(report, /`ollama create coder-1\.5b-tools -f Modelfile`/);
    assert.match(report, /\nFROM coder:1\.5b\nTEMPLATE """/);
  });

  it("offers no Modelfile where calls are read, or where it does not know the model's template", () => {
    const other = { name: "other", capabilities: ["completion", "tools"], template: "[INST]" } as const;
    assert.ok(!setupReport({ ...GOOD, calls: success("native") }).includes("FROM "));
    assert.ok(!setupReport({ ...GOOD, chosen: success(other), calls: success("text") }).includes("FROM "));
  });

  it("says so where a call could not be asked for, or none came", () => {
    const late = failed("timeout", "The model said nothing for 60 s.");
    assert.match(lineOf({ calls: late }, "Tool calls")?.found ?? "", /not checked: The model said nothing/);
    assert.match(lineOf({ calls: success("none") }, "Tool calls")?.found ?? "", /called none/);
  });

  it("does not take a model without tools or thinking for a fault", () => {
    const plain = success({ name: "m", capabilities: ["completion"] } as const);
    assert.equal(lineOf({ chosen: plain }, "Tool calls")?.state, "note");
    assert.equal(lineOf({ chosen: plain }, "Thinking")?.state, "note");
  });

  it("knows what a search provider lacks", () => {
    const search = (values: Readonly<Record<string, unknown>>) =>
      lineOf({ settings: settings({ "web.search.enabled": true, ...values }) }, "Web search");
    assert.match(search({ "web.search.provider": "brave" })?.found ?? "", /brave without a key/);
    assert.match(search({ "web.search.provider": "searxng" })?.found ?? "", /searxng without an address/);
    assert.equal(search({ "web.search.provider": "mock" })?.state, "ok");
  });

  it("shows words of servers and folders as text", () => {
    const report = setupReport({
      ...GOOD,
      version: success("1 | <img src=x> [x](command:y)"),
      refusedLine: "a | b",
    });
    assert.equal(/[^\\]\| <img|[^\\]\[x\]\(command/.test(report), false, report);
    const table = report.split("\n").filter((line) => line.startsWith("|"));
    for (const row of table) assert.equal(row.match(/(?<!\\)\|/g)?.length, 5, row);
  });

  it("says where memory is, what still waits for its embedding, and what is amiss with its upkeep", () => {
    const memory = {
      ...GOOD.memory,
      ...{ facts: 12, waiting: 300, storePath: "s3://bucket/memory", message: "The disk is full." },
    };
    assert.match(lineOf({ memory }, "Memory")?.found ?? "", /41 memories, 12 facts/);
    assert.match(lineOf({ memory }, "Store")?.found ?? "", /bucket\/memory/);
    assert.match(lineOf({ memory }, "Embedder")?.found ?? "", /300 memories still wait/);
    assert.equal(lineOf({ memory }, "Memory's upkeep")?.state, "note");
    const none = { settings: settings({ "memory.embedder.provider": "none" }) };
    assert.match(lineOf(none, "Embedder")?.found ?? "", /^none: memory is searched by words alone/);
  });

  it("takes embedding that is under way, here or in another window, for no trouble", () => {
    const memory = { ...GOOD.memory, doing: "Another window embeds memories for the search by meaning." };
    assert.equal(lineOf({ memory }, "Memory's upkeep")?.state, "note");
    assert.match(setupReport({ ...GOOD, memory }), /Everything that is needed is there/);
  });

  it("says first that memory is searched by words alone, and what to do, where there is no embedder", () => {
    const memory = { state: "ready", episodes: 41, pid: 77 } as const;
    const headOf = (facts: Partial<SetupFacts>): string =>
      setupReport({ ...GOOD, ...facts }).split("\n")[2] ?? "";
    const missing = { ...memory, message: "Full-text search only: the model is not in the folder." };
    for (const found of [{ memory }, { memory: missing }])
      assert.match(
        headOf(found),
        /to ask is there, but .*words alone: .*`conclave\.memory\.embedder\.folder`/,
      );
    const none = settings({ "memory.embedder.provider": "none" });
    assert.match(headOf({ memory, settings: none }), /words alone: .*`conclave\.memory\.embedder\.provider`/);
    const coming = { ...memory, message: "Full-text search only for now: the embedding model is loaded." };
    assert.match(headOf({ memory: coming }), /words alone until its embedding model is loaded\.$/);
    assert.equal(lineOf({ memory: coming }, "Embedder")?.todo, "Check again in a moment.");
    assert.equal(
      headOf({ memory, settings: settings({ "memory.enabled": false }) }),
      "Everything that is needed is there.",
    );
  });

  it("lets long paths break within the table, and leaves short words and code as they are", () => {
    const storePath = `/home/somebody/${"long-name/".repeat(8)}memory`;
    const report = setupReport({ ...GOOD, memory: { ...GOOD.memory, storePath } });
    const row = report.split("\n").find((line) => line.includes("long-name")) ?? "";
    assert.ok(row.includes("long-name/<wbr>long-name"), row);
    assert.equal(row.replaceAll("<wbr>", "").includes(storePath), true);
    for (const word of row.split(/<wbr>|\s/)) assert.ok(word.length < 40, word);
    const windows = `C:\\Users\\somebody\\${"long-name\\".repeat(5)}memory`;
    const there = setupReport({ ...GOOD, memory: { ...GOOD.memory, storePath: windows } });
    assert.ok(there.includes("long-name\\\\<wbr>long-name"), there);
    assert.ok(setupReport(GOOD).includes("Xenova/all-MiniLM-L6-v2"));
  });

  it("reports memory that is switched off as the user's choice", () => {
    assert.equal(lineOf({ settings: settings({ "memory.enabled": false }) }, "Memory")?.state, "note");
  });
});
