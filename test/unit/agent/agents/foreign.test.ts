import assert from "node:assert/strict";
import { agent, assertSaid, CLAUDE, read, said, VSCODE } from "./support.ts";

const file = (fields: string, body = "Be exact."): string => `---\n${fields}\n---\n\n${body}\n`;

describe("an agent file of VS Code (*.agent.md)", () => {
  it("gives name, description and tools in its front matter, and the prompt below", () => {
    const text = file(
      "description: Plans\ntools: [search, web/fetch, search_memory]\nargument-hint: what?",
      "Plan: first.\n\nThen.",
    );
    assert.deepEqual(said(text, VSCODE), []);
    const { name, description, tools, prompt, kind, source } = agent(text, VSCODE);
    assert.deepEqual([name, description, kind, source.origin], ["planner", "Plans", "agent", "github"]);
    assert.equal(prompt, "Plan: first.\n\nThen.");
    assert.deepEqual(
      tools?.map((tool) => tool.name),
      ["search_files", "list_files", "web_fetch", "search_memory"],
    );
  });

  it("names what has no meaning here, at its place in the whole file", () => {
    const text = file("description: Plans\nhandoffs:\n  - label: Go\n    agent: coder");
    assertSaid(text, "warning", "handoffs", /no meaning here/, VSCODE);
    assert.equal(read(text, VSCODE).problems[0]?.line, 3);
  });

  it("may wish for one model or several, of our own vendor by its name alone", () => {
    assert.equal(agent(file("model: qwen3:8b (conclave)"), VSCODE).model, "qwen3:8b");
    const several = read(file("model: ['GPT-5 (copilot)', 'qwen3:8b']"), VSCODE);
    assert.deepEqual(several.models, ["qwen3:8b"]);
    assert.match(several.problems[0]?.message ?? "", /GPT-5 \(copilot\).*the chat model answers/);
  });

  it("without front matter is all prompt, and with one that does not end is not used", () => {
    assert.equal(agent("Be exact.\n", VSCODE).prompt, "Be exact.");
    assertSaid("---\nname: x\n\nBe exact.\n", "error", "---", /three dashes/, VSCODE);
  });

  it("is read leniently in its front matter too", () => {
    const text = file("description: Use for boats: hulls");
    assert.equal(agent(text, VSCODE).description, "Use for boats: hulls");
    assertSaid(text, "warning", "Use for boats: hulls", /Quote the value/, VSCODE);
  });
});

describe("an agent file of Claude", () => {
  it("names tools with commas between them, which come to ours where there is one", () => {
    const text = file(
      "name: reviewer\ndescription: Reads\ntools: Read, Grep, WebSearch, mcp__docs__find\nmodel: inherit\ncolor: blue",
    );
    assert.deepEqual(said(text, CLAUDE), []);
    const { tools, model, source } = agent(text, CLAUDE);
    assert.deepEqual(
      tools?.map(({ name }) => name),
      ["read_file", "search_files", "web_search", "mcp_docs_find"],
    );
    assert.deepEqual([model, source.origin], [undefined, "claude"]);
  });

  it("with tools that there are none of here does without them, and never gets all for that", () => {
    const text = file("name: r\ntools: Bash(git add:*, git commit:*)");
    assert.deepEqual(agent(text, CLAUDE).tools, []);
    assertSaid(text, "warning", "Bash(git add:*, git commit:*)", /no tool like/, CLAUDE);
  });

  it("that is kept from some tools does not get them", () => {
    const named = agent(file("name: r\ntools: Read, WebFetch\ndisallowedTools: WebFetch"), CLAUDE);
    assert.deepEqual(named.tools, [{ name: "read_file" }]);
    const all = agent(file("name: r\ndisallowedTools: WebFetch, WebSearch, Bash"), CLAUDE);
    assert.ok(all.tools?.some(({ name }) => name === "read_file"));
    assert.ok(!all.tools?.some(({ name }) => name.startsWith("web_")));
  });

  it("that wishes for Claude's models says that the chat model answers", () => {
    const text = file("name: r\nmodel: sonnet");
    assert.equal(agent(text, CLAUDE).model, undefined);
    assertSaid(text, "warning", "sonnet", /the chat model answers/, CLAUDE);
  });
});
