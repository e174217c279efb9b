import assert from "node:assert/strict";
import { findAgent, findUnusable } from "../../../../src/agent/agents/definition.ts";
import { makeCatalog, type SourcedFile } from "../../../../src/agent/agents/catalog.ts";
import { checkNames, type KnownNames } from "../../../../src/agent/agents/check-names.ts";
import { parseAgentFile } from "../../../../src/agent/agents/agent-file.ts";
import { BUILT_IN_AGENTS } from "../../../../src/agent/agents/built-in/index.ts";
import { marked, read } from "./support.ts";

const KNOWN: KnownNames = { models: ["qwen3:8b", "llama3.2:latest"], tools: ["web_search", "save_moments"] };

function check(text: string): readonly (readonly [string, string])[] {
  const problems = checkNames(read(text), KNOWN)?.problems ?? [];
  return problems.map((problem) => [
    marked(text, problem),
    /Did you mean `([^`]*)`/.exec(problem.message)?.[1] ?? "",
  ]);
}

describe("the names that an agent file has", () => {
  it("of models and tools that there aren't are underlined, with what is nearest", () => {
    const text = "name: V\nprompt: p\nmodel: Qwen3 8B (local)\ntools: [web_serch, web_search]\n";
    assert.deepEqual(check(text), [
      ["Qwen3 8B (local)", "qwen3:8b"],
      ["web_serch", "web_search"],
    ]);
    const chained =
      "name: V\nprompt: p\nstructured_output: true\nproperties: { a: b }\nchained_tool: save_moment\n";
    assert.deepEqual(check(chained), [["save_moment", "save_moments"]]);
    assert.deepEqual(check("name: V\nprompt: p\nmodel: llama3.2\ntools: []\n"), []);
  });

  it("are not doubted where it is not known what there is", () => {
    const parsed = read("name: V\nprompt: p\nmodel: foo\ntools: [bar]\n");
    assert.deepEqual(checkNames(parsed, {})?.problems, []);
    assert.equal(checkNames(parsed, {})?.modelMissing, false);
  });

  it("keep a model that is not installed, so that no other one answers unasked", () => {
    const checked = checkNames(read("name: V\nprompt: p\nmodel: foo\n"), KNOWN);
    assert.deepEqual([checked?.definition.model, checked?.modelMissing], ["foo", true]);
    assert.match(checked?.problems[0]?.message ?? "", /not installed.*no other model takes its place/);
  });

  it("give the first model of several that is installed", () => {
    const checked = checkNames(read("name: V\nprompt: p\nmodel: [gpt-5, qwen3:8b, llama3.2]\n"), KNOWN);
    assert.deepEqual([checked?.definition.model, checked?.problems], ["qwen3:8b", []]);
  });
});

describe("the catalogue of agents", () => {
  const file = (path: string, origin: SourcedFile["origin"], text: string): SourcedFile => ({
    ...parseAgentFile(path, text, origin),
    origin,
  });
  const catalog = (...files: readonly SourcedFile[]) =>
    makeCatalog({ files, builtIn: BUILT_IN_AGENTS, rules: "", known: {} });

  it("lists the workspace's agents first and the built-in ones last", () => {
    const { agents } = catalog(
      file("/home/.conclave/agents/a.yaml", "user", "name: A\nprompt: p\n"),
      file("/w/.claude/agents/c.md", "claude", "---\nname: C\n---\np\n"),
      file("/w/.conclave/agents/b.yaml", "workspace", "name: B\nprompt: p\n"),
    );
    assert.deepEqual(
      agents.slice(0, 4).map(({ name }) => name),
      ["B", "A", "C", BUILT_IN_AGENTS[0]?.name],
    );
  });

  it("has of two agents with one name the first only, and the other's file says so at its name", () => {
    const text = "prompt: q\nname: vera\n";
    const { agents, problems, shadowed } = catalog(
      file("/w/.conclave/agents/b.yaml", "workspace", text),
      file("/w/.conclave/agents/a.yaml", "workspace", "name: Vera\nprompt: p\n"),
      file("/home/.conclave/agents/v.yaml", "user", "name: VERA\nprompt: r\n"),
    );
    assert.deepEqual(
      agents.filter(({ name }) => /vera/i.test(name)).map(({ prompt }) => prompt),
      ["q"],
    );
    assert.deepEqual(
      problems.map(({ path, line }) => [path, line]),
      [
        ["/w/.conclave/agents/a.yaml", 1],
        ["/home/.conclave/agents/v.yaml", 1],
      ],
    );
    assert.match(problems[0]?.message ?? "", /another agent named Vera.*b\.yaml/);
    assert.deepEqual(
      shadowed.map(({ path, by }) => [path, by]),
      problems.map(({ path }) => [path, "/w/.conclave/agents/b.yaml"]),
    );
  });

  it("lets a file take the place of a built-in agent without a word", () => {
    const made = catalog(file("/w/.conclave/agents/s.yaml", "workspace", "name: skeptic\nprompt: mine\n"));
    assert.equal(findAgent(made, "Skeptic")?.prompt, "mine");
    assert.deepEqual(made.problems, []);
  });

  it("lets nobody else answer to the name of an agent whose file can't be used; all others are there", () => {
    const made = catalog(
      file("/w/.conclave/agents/s.yaml", "workspace", "name: Skeptic\nprompt: p\ntemperature: hot\n"),
      file("/w/.conclave/agents/t.yaml", "workspace", "name: Tess\nprompt: p\n"),
    );
    assert.equal(findAgent(made, "Skeptic"), undefined);
    assert.equal(findUnusable(made, "skeptic")?.path, "/w/.conclave/agents/s.yaml");
    assert.deepEqual(
      made.unusable.map(({ name }) => name),
      ["Skeptic"],
    );
    assert.ok(findAgent(made, "Tess") && findAgent(made, "Pragmatist"));
  });
});
