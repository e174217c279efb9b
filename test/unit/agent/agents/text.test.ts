import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import {
  agentFileName,
  agentText,
  newAgentText,
  type NewAgentKind,
} from "../../../../src/agent/agents/agent-text.ts";
import { BUILT_IN_AGENTS } from "../../../../src/agent/agents/built-in/index.ts";
import { KNOWN_FIELDS } from "../../../../src/agent/agents/fields.ts";
import { AGENT_FIELD_SCHEMAS, AGENT_FILE_SCHEMA } from "../../../../src/agent/agents/json-schema.ts";
import { agent, read, said } from "./support.ts";

const SCHEMA = new URL("../../../../media/agent.schema.json", import.meta.url);

describe("a new agent's file", () => {
  it("is valid as it stands, of every kind and whatever the name", () => {
    const name = fc.oneof(
      fc.constantFrom("no", "a: b", "3.10", "# x", "it's", '"q"', "Ünï ✓"),
      fc.string({ minLength: 1, maxLength: 60 }),
    );
    const kind = fc.constantFrom<NewAgentKind>("persona", "agent", "synthesizer", "structured");
    const usable = name
      .map((one) => one.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "").trim())
      .filter((one) => one !== "");
    const valid = (called: string, of: NewAgentKind): void => {
      const text = newAgentText(called, of);
      assert.deepEqual(said(text), []);
      const made = agent(text);
      assert.deepEqual([made.name, made.kind], [called, of === "structured" ? "agent" : of]);
      assert.match(agentFileName(called), /^[\p{L}\p{M}\p{N}-]{1,60}$/u);
    };
    fc.assert(fc.property(usable, kind, valid), { numRuns: 200 });
  });

  it("is valid, too, with all that its comments propose", () => {
    const text = newAgentText("V", "persona").replace(/^# (?=[a-z]+:| {2})/gmu, "");
    assert.deepEqual(said(text), []);
    assert.equal(agent(text).persona?.relationships.length, 1);
  });
});

describe("a built-in agent's text", () => {
  it("says the same when it is read as a file", () => {
    for (const one of BUILT_IN_AGENTS) {
      const { definition, problems } = read(agentText(one));
      assert.deepEqual(problems, [], one.name);
      assert.deepEqual({ ...definition, source: one.source }, one);
    }
  });
});

describe("the JSON schema of agent files", () => {
  it("in media/ is what the code says", () => {
    const text = `${JSON.stringify(AGENT_FILE_SCHEMA, null, 2)}\n`;
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(SCHEMA, text);
    assert.deepEqual(JSON.parse(readFileSync(SCHEMA, "utf8")), AGENT_FILE_SCHEMA);
  });

  it("knows exactly the fields that are read", () => {
    assert.deepEqual(
      [...Object.keys(AGENT_FIELD_SCHEMAS), "type", "$schema"].sort(),
      [...(KNOWN_FIELDS[""] ?? [])].sort(),
    );
  });
});
