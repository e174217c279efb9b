import assert from "node:assert/strict";
import { BUILT_IN_AGENTS } from "../../../src/agent/agents/built-in/index.ts";
import { makeCatalog, type SourcedFile } from "../../../src/agent/agents/catalog.ts";
import { parseAgentFile } from "../../../src/agent/agents/agent-file.ts";
import { failed, success, type Result } from "../../../src/agent/failure.ts";
import { KnownModels } from "../../../src/vscode/agents/known-models.ts";
import { fieldHelp, proposals, takesModel } from "../../../src/vscode/agents/language-model.ts";
import { agentGroups } from "../../../src/vscode/agents/tree-model.ts";

describe("the list of agents", () => {
  const own = (name: string, text: string): SourcedFile => ({
    ...parseAgentFile(`/w/.conclave/agents/${name}.yaml`, text, "workspace"),
    origin: "workspace",
  });
  const files = [
    own("vera", "name: Vera\nkind: persona\nprompt: p\nmodel: qwen3:8b\ntools: []\n"),
    own("odd", "name: Odd\nprompt: p\nmodel: gone:1b\n"),
    own("broken", "name: Broken\ntools: [a\nb: [\n"),
  ];
  const known = { models: ["qwen3:8b"] };
  const groups = agentGroups(makeCatalog({ files, builtIn: BUILT_IN_AGENTS, rules: "", known }));

  it("has the agents of each source together, built-in ones last", () => {
    assert.deepEqual(
      groups.map(({ label }) => label),
      ["Workspace", "Built in"],
    );
    assert.equal(groups[1]?.rows.length, BUILT_IN_AGENTS.length);
    assert.equal(groups[1].rows[0]?.path, undefined);
  });

  it("says kind and model, which model is missing, and which file can't be used", () => {
    assert.deepEqual(
      groups[0]?.rows.map(({ name, note, icon, severity }) => [name, note, icon, severity]),
      [
        ["broken", "can't be used", "error", "error"],
        ["Odd", "agent · gone:1b is not installed", "warning", "warning"],
        ["Vera", "persona · qwen3:8b", "person", undefined],
      ],
    );
    assert.ok(groups[0].rows[2]?.tooltip.includes("Tools: none"));
    assert.match(groups[0].rows[0]?.tooltip.join("\n") ?? "", /Line \d/);
  });

  it("has both of two with one name, each with its folder, and says which one is used", () => {
    const critic = (root: string): SourcedFile => ({
      ...parseAgentFile(`${root}/.conclave/agents/critic.yaml`, "name: critic\nprompt: p\n", "workspace"),
      origin: "workspace",
    });
    const both = [critic("/w/boat"), critic("C:\\w\\house")];
    const [workspace] = agentGroups(makeCatalog({ files: both, builtIn: [], rules: "", known: {} }));
    assert.deepEqual(
      workspace?.rows.map(({ name, note, icon }) => [name, note, icon]),
      [
        ["critic", "agent · boat", "hubot"],
        ["critic", "not used · house", "warning"],
      ],
    );
    assert.match(workspace.rows[1]?.tooltip[0] ?? "", /is used: \/w\/boat\//);
  });
});

describe("completion in agent files", () => {
  const known = { models: ["qwen3:8b"], tools: ["web_search", "save_moments"] };
  const labels = (before: string, written: readonly string[] = []): readonly string[] =>
    proposals(before, known, written).map(({ label }) => label);

  it("proposes the fields that are not there yet", () => {
    const all = labels("name: V\n", ["name"]);
    assert.ok(all.includes("prompt") && all.includes("structured_output"));
    assert.ok(!all.includes("name") && !all.includes("type") && !all.includes("$schema"));
    assert.deepEqual(labels("limits:\n  st"), ["steps", "tokens", "seconds"]);
    assert.deepEqual(labels("relationships:\n  - "), ["to", "type", "strength", "since"]);
  });

  it("proposes what a field takes", () => {
    assert.deepEqual(labels("kind: "), ["persona", "agent", "synthesizer"]);
    assert.deepEqual(labels("model: q"), ["qwen3:8b"]);
    assert.deepEqual(labels("chained_tool: "), known.tools);
    assert.deepEqual(labels("tools: [web_search, "), known.tools);
    assert.deepEqual(labels("tools:\n  - "), known.tools);
    assert.deepEqual(labels("tools:\n- web"), known.tools);
  });

  it("knows where a model is meant: only there the server is waited for", () => {
    for (const before of ["model: ", "name: A\nmodel: ti"]) assert.equal(takesModel(before), true, before);
    for (const before of ["", "mod", "tools:\n  - ", "prompt: |\n  model: "])
      assert.equal(takesModel(before), false, before);
  });

  it("proposes nothing in texts and comments", () => {
    for (const before of ["prompt: |\n  Be ", "# na", "description: Looks for ", "tools: [a] "])
      assert.deepEqual(labels(before), []);
  });

  it("explains fields, and nothing else", () => {
    assert.match(fieldHelp("tools") ?? "", /Left out: all/);
    assert.equal(fieldHelp("toString"), undefined);
  });
});

describe("the models that agent files are checked against", () => {
  const make = () => {
    const answers: ((answer: Result<readonly { name: string }[]>) => void)[] = [];
    const server = {
      list: () => new Promise<Result<readonly { name: string }[]>>((resolve) => answers.push(resolve)),
    };
    const state = { now: 0, changes: 0, server };
    const models = new KnownModels({
      server: () => state.server,
      now: () => state.now,
      timer: () => () => undefined,
      onChange: () => void (state.changes += 1),
    });
    const settle = async (answer: Result<readonly { name: string }[]>): Promise<void> => {
      answers.shift()?.(answer);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { models, state, settle, asked: () => answers.length, server };
  };

  it("are asked for in the background, once in a while, and a change is told", async () => {
    const { models, state, settle, asked } = make();
    assert.equal(models.names(), undefined);
    models.names();
    assert.equal(asked(), 1, "not asked again while the answer is fresh");
    await settle(success([{ name: "b" }, { name: "a" }]));
    assert.deepEqual([models.names(), state.changes], [["a", "b"], 1]);
    state.now = 60_000;
    models.names();
    await settle(success([{ name: "a" }, { name: "b" }]));
    assert.equal(state.changes, 1, "the same names are no change");
  });

  it("stay what they were while the server can't say, and are unknown of another server", async () => {
    const { models, state, settle, server } = make();
    models.names();
    await settle(success([{ name: "a" }]));
    state.now = 60_000;
    models.names();
    await settle(failed("server_unreachable", "gone"));
    assert.deepEqual(models.names(), ["a"]);
    state.server = { ...server };
    assert.equal(models.names(), undefined);
  });

  it("are waited for where somebody wants them, until the server answers or it takes too long", async () => {
    const { models, settle } = make();
    const late = new AbortController();
    const gaveUp = models.settled(late.signal);
    late.abort();
    await gaveUp;
    assert.equal(models.names(), undefined);
    const waited = models.settled(new AbortController().signal);
    await settle(success([{ name: "a" }]));
    await waited;
    assert.deepEqual(models.names(), ["a"]);
    await models.settled(new AbortController().signal);
  });

  it("are asked of nobody any more once all is closed", async () => {
    const { models, state, settle } = make();
    models.names();
    models.dispose();
    await settle(success([{ name: "a" }]));
    assert.equal(state.changes, 0);
  });
});
