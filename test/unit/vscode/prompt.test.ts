import assert from "node:assert/strict";
import fc from "fast-check";
import { readPrompt } from "../../../src/vscode/chat/prompt.ts";
import { PARTICIPANT } from "../../../src/vscode/contributions.ts";

describe("what was typed in a chat that is with us already", () => {
  it("means the same with our name before it as without", () => {
    assert.deepEqual(readPrompt("@conclave what did we decide?"), { prompt: "what did we decide?" });
    assert.deepEqual(readPrompt("  @Conclave\n@conclave why?"), { prompt: "why?" });
  });

  for (const command of PARTICIPANT.slashCommands)
    it(`is read as /${command} where that was pasted with our name`, () => {
      assert.deepEqual(readPrompt(`@conclave /${command} the cache`), { prompt: "the cache", command });
      assert.deepEqual(readPrompt(`@conclave /${command}`), { prompt: "", command });
    });

  for (const prompt of [
    "who is @conclave?",
    "@conclaves are old",
    "@conclave/recall",
    "/recall as text",
    "@other /recall x",
    "",
  ])
    it(`stays text: ${JSON.stringify(prompt)}`, () => assert.deepEqual(readPrompt(prompt), { prompt }));

  it("is no command where none of ours is named", () => {
    assert.deepEqual(readPrompt("@conclave /etc/hosts holds what?"), { prompt: "/etc/hosts holds what?" });
    assert.deepEqual(readPrompt("@conclave /forgetful people"), { prompt: "/forgetful people" });
  });

  it("is word for word the user's own once VS Code has read the command", () => {
    fc.assert(
      fc.property(fc.string(), (prompt) => {
        assert.deepEqual(readPrompt(`@conclave ${prompt}`, "remember"), {
          prompt: `@conclave ${prompt}`,
          command: "remember",
        });
      }),
      { seed: 3 },
    );
  });
});
