import assert from "node:assert/strict";
import { createGate } from "../../src/agent/gate.ts";
import { parseHost } from "../../src/agent/models/host.ts";
import { OllamaChatModel } from "../../src/agent/models/ollama.ts";
import { askHelper } from "../../src/agent/remember/ask-helper.ts";
import { extractionMessages } from "../../src/agent/remember/extraction-prompt.ts";
import { EXTRACTION_FORMAT, readExtraction } from "../../src/agent/remember/extraction-schema.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/agent/settings.ts";
import { contract } from "./targets.ts";

/** 23:50 on 19 November 2026, eight hours behind UTC. */
const TOLD = Date.UTC(2026, 10, 20, 7, 50);

contract("reading a turn for memory", (target) => {
  for (const name of ["full", "plain"] as const) {
    it(`is a form that the server takes for a ${name} model; the answer fits it, or is turned down as a value`, async () => {
      const host = parseHost(target.host);
      assert.ok(host.ok);
      const model = new OllamaChatModel({ host: host.value, model: target[name] });
      const job = {
        messages: extractionMessages("I prefer tea over coffee.", TOLD, "America/Los_Angeles"),
        format: EXTRACTION_FORMAT,
      };
      const deps = { settings: { ...DEFAULT_ENGINE_SETTINGS, contextLength: 2_048 }, gate: createGate(1) };
      const answer = await askHelper(model, job, deps, new AbortController().signal);
      if (answer.ok) {
        const extraction = readExtraction(answer.value.text);
        assert.ok(extraction, answer.value.text);
        assert.ok(extraction.facts.length <= 6);
      } else {
        // The smallest of models may go on for ever: it is cut, and rules read the turn.
        assert.deepEqual(
          [answer.failure.code, answer.failure.message],
          ["stream_broken", "The model's answer was cut."],
        );
      }
    });
  }
});
