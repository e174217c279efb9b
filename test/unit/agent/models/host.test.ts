import assert from "node:assert/strict";
import { parseHost } from "../../../../src/agent/models/host.ts";

function display(setting: string): string {
  const host = parseHost(setting);
  assert.ok(host.ok, `${setting} was refused`);
  return host.value.display;
}

describe("the host setting", () => {
  const forms: readonly (readonly [string, string])[] = [
    ["", "http://127.0.0.1:11434"],
    ["127.0.0.1:11434", "http://127.0.0.1:11434"],
    ["127.0.0.1", "http://127.0.0.1:11434"],
    [":4000", "http://127.0.0.1:4000"],
    ["localhost", "http://localhost:11434"],
    [" http://box.local:11434/ ", "http://box.local:11434"],
    ["http://box.local", "http://box.local"],
    ["https://models.example.test/ollama/", "https://models.example.test/ollama"],
    ["http://127.0.0.1:11434/api", "http://127.0.0.1:11434"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["http://0.0.0.0:8080", "http://127.0.0.1:8080"],
    ["::1", "http://[::1]:11434"],
    ["[::1]:8080", "http://[::1]:8080"],
    ["[::]:8080", "http://[::1]:8080"],
    ["HTTP://Box:11434", "http://box:11434"],
  ];
  for (const [setting, expected] of forms) {
    it(`reads "${setting}" as ${expected}`, () => assert.equal(display(setting), expected));
  }

  for (const setting of [
    "ftp://box:21",
    "http://",
    "not a host",
    "box:99999",
    "http://box/?q=1",
    "http://box/#x",
  ]) {
    it(`refuses "${setting}" with a sentence that names the setting`, () => {
      const host = parseHost(setting);
      assert.ok(!host.ok);
      assert.equal(host.failure.code, "bad_input");
      assert.match(host.failure.message, /conclave\.ollama\.host/);
      assert.ok(host.failure.message.includes(setting));
    });
  }

  it("sends name and password as a header and never shows them", () => {
    const host = parseHost("https://ada:s%40fe@models.example.test");
    assert.ok(host.ok);
    assert.equal(host.value.authorization, `Basic ${Buffer.from("ada:s@fe").toString("base64")}`);
    assert.equal(host.value.display, "https://models.example.test");
  });

  it("does not repeat a password in the sentence about a bad address", () => {
    const host = parseHost("ftp://ada:secret@box");
    assert.ok(!host.ok);
    assert.ok(!host.failure.message.includes("secret"));
  });
});
