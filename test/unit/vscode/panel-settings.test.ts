import assert from "node:assert/strict";
import fc from "fast-check";
import type { Json } from "../../../src/agent/models/types.ts";
import { parsePanelMessage } from "../../../src/trace/panel-protocol.ts";
import type { SettingHostMessage, SettingPlace, SettingView } from "../../../src/trace/panel-settings.ts";
import { SETTINGS, settingId, type SettingName } from "../../../src/vscode/contributions.ts";
import { settingsOf } from "../../../src/vscode/panel/setting-groups.ts";
import { settingView } from "../../../src/vscode/panel/setting-view.ts";
import { SettingsPart } from "../../../src/vscode/panel/settings-part.ts";
import { readSettings, settingProblem } from "../../../src/vscode/settings-schema.ts";
import { ScriptedSettings } from "../trace/support/scripted-settings.ts";

const NAMES = Object.keys(SETTINGS) as SettingName[];
const GIVEN = "conclave.memory.retrieval.given";

/** Values that a field of a kind can send; some don't fit. */
function sent({ kind }: SettingView): fc.Arbitrary<Json> {
  switch (kind.type) {
    case "boolean":
      return fc.boolean();
    case "choice":
      return fc.constantFrom(...kind.options.map(({ value }) => value), "made up");
    case "number": {
      const within = fc.integer({ min: Math.ceil(kind.min ?? 0), max: Math.floor(kind.max ?? 1_000) });
      return fc.oneof(within, fc.constantFrom<Json>(-7, 1e12, 0.5, "lots", null));
    }
    case "list":
      return fc.array(kind.options === undefined ? fc.string() : fc.constantFrom(...kind.options), {
        maxLength: 4,
      });
    case "json":
      return fc.constantFrom<Json>({}, { Skeptic: "gemma3:4b" }, { system: 30 }, { system: 300 }, [1], 7);
    case "text":
      return fc.constantFrom<Json>("", "qwen3:8b", "30m", "http://127.0.0.1:8080", "ftp://o.test", "  ");
  }
}

describe("settings in the panel", () => {
  let port: ScriptedSettings;
  let posted: SettingHostMessage[];
  let part: SettingsPart;

  beforeEach(() => {
    port = new ScriptedSettings();
    posted = [];
    part = new SettingsPart(port, (message) => posted.push(message));
  });

  afterEach(() => part.dispose());

  /** Says something as the panel does: as JSON, and checked on arrival. */
  async function say(message: object): Promise<void> {
    const checked = parsePanelMessage(JSON.parse(JSON.stringify(message)));
    assert.ok(checked, JSON.stringify(message));
    await part.receive(checked);
  }

  const shown = (): readonly SettingView[] =>
    posted.findLast((message) => message.type === "settings")?.settings ?? [];
  const view = (id: string): SettingView => {
    const found = shown().find((one) => one.id === id);
    assert.ok(found, id);
    return found;
  };

  for (const name of NAMES) {
    it(`${settingId(name)} is read, written and reset at each place where it can stand, and refused in words`, async () => {
      const id = settingId(name);
      const first = settingView(port, name);
      assert.equal(first.from, "default");
      assert.deepEqual(first.value, first.default);
      assert.notEqual(first.description, "");
      assert.doesNotMatch(first.description, /`|\]\(|\*\w/);
      assert.deepEqual(first.scopes, SETTINGS[name].scope === "machine" ? ["user"] : ["user", "workspace"]);
      await fc.assert(
        fc.asyncProperty(
          sent(first),
          fc.constantFrom<SettingPlace>(...first.scopes),
          async (value, scope) => {
            posted.length = 0;
            await say({ type: "setting.write", id, scope, value });
            const problem = settingProblem(name, value);
            if (problem === undefined) {
              assert.deepEqual(port[scope].get(id), value);
              const after = settingView(port, name);
              assert.equal(after.from, scope);
              assert.deepEqual(after.written[scope], value);
              assert.equal(after.problem, undefined);
              assert.deepEqual(posted, [{ type: "setting.written", id }]);
              await say({ type: "setting.reset", id, scope });
            } else {
              assert.deepEqual(posted, [{ type: "setting.refused", id, message: problem }]);
              assert.match(problem, /^conclave\.[\w.]+ must .*[^.]\.$/);
            }
            assert.equal(port.user.size + port.workspace.size, 0);
            assert.deepEqual(settingView(port, name), first);
          },
        ),
        { seed: 7, numRuns: 20 },
      );
    });
  }

  it("the sentence that refuses a value and the reading that passes over it agree, whatever the value", () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.jsonValue(), (name, value) => {
        const { problems } = readSettings((key) => (key === SETTINGS[name].key ? value : undefined));
        // What is not set has the default: null says so for most.
        if (value !== null) assert.equal(settingProblem(name, value) === undefined, problems.length === 0);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it("one that only counts for the user is not written for the workspace, nor one of a folder that is not trusted, nor where no folder is open", async () => {
    const write = (id: string) => say({ type: "setting.write", id, scope: "workspace", value: "x" });
    await write("conclave.memory.uri");
    port.trusted = false;
    await write("conclave.model");
    port.isOpen = false;
    await write("conclave.agent");
    assert.equal(port.workspace.size, 0);
    assert.deepEqual(
      posted.map((message) => (message.type === "setting.refused" ? message.message : message.type)),
      [
        "Only your own settings count for this: a folder can't change it.",
        "A folder can set this once you trust it.",
        "No folder is open.",
      ],
    );
  });

  it("what is changed elsewhere shows at once, as long as settings are shown", async () => {
    await say({ type: "settings", group: "memory" });
    assert.equal(view(GIVEN).value, 3);
    port.set("user", GIVEN, 9);
    assert.deepEqual([view(GIVEN).value, view(GIVEN).from], [9, "user"]);
    port.set("workspace", GIVEN, 4);
    assert.deepEqual(
      [view(GIVEN).value, view(GIVEN).from, view(GIVEN).written],
      [4, "workspace", { user: 9, workspace: 4 }],
    );
    await say({ type: "settings", group: null });
    posted.length = 0;
    port.set("user", GIVEN, 1);
    assert.deepEqual(posted, []);
  });

  it("what stands in a file and can't be used is named, and the default is in force", async () => {
    port.set("user", GIVEN, "many");
    await say({ type: "settings", group: "tool:search_memory" });
    const { value, from, problem, written } = view(GIVEN);
    assert.deepEqual([value, from, written.user], [3, "default", "many"]);
    assert.match(problem ?? "", /must be a whole number from 1 to 50, and is "many": 3 is used instead/);
  });

  it("VS Code's own words say why it did not write", async () => {
    port.refusal =
      "Unable to write into user settings. Please open the user settings to correct errors in it.";
    await say({ type: "setting.write", id: GIVEN, scope: "user", value: 5 });
    assert.deepEqual(posted, [{ type: "setting.refused", id: GIVEN, message: port.refusal }]);
  });

  it("keys stay in the secret store: a button runs the command that asks for them", async () => {
    await say({ type: "settings", group: "tool:web_search" });
    const provider = view("conclave.web.search.provider");
    assert.deepEqual(provider.buttons, ["Set a key"]);
    assert.doesNotMatch(provider.description, /command:|set a key/);
    await say({ type: "setting.command", id: provider.id, index: 0 });
    await say({ type: "setting.command", id: provider.id, index: 7 });
    assert.deepEqual(port.ran, ["conclave.setSearchApiKey"]);
  });

  it("VS Code's settings editor opens at a setting, and at no other name", async () => {
    await say({ type: "setting.open", id: GIVEN, scope: "workspace" });
    await say({ type: "setting.open", id: "workbench.colorTheme", scope: "user" });
    await say({ type: "setting.write", id: "workbench.colorTheme", scope: "user", value: "x" });
    assert.deepEqual(port.opened, [`${GIVEN} workspace`]);
    assert.deepEqual(posted, []);
    assert.equal(port.user.size, 0);
  });

  it("a value that is too long to be edited is not sent to the panel, and said to be so", () => {
    port.set("user", "conclave.systemPrompt", "a".repeat(90_000));
    const long = settingView(port, "systemPrompt");
    assert.equal(long.tooLong, true);
    assert.ok(JSON.stringify(long).length < 2_000);
    assert.equal(
      parsePanelMessage({
        type: "setting.write",
        id: "conclave.systemPrompt",
        scope: "user",
        value: "a".repeat(90_000),
      }),
      undefined,
    );
  });

  it("have the names that VS Code's settings editor gives them", () => {
    const { category, label } = settingView(port, "retrievalHalfLifeDays");
    assert.equal(`${category}: ${label}`, "Memory › Retrieval: Half Life Days");
    assert.equal(settingView(port, "maxSteps").category, "");
  });

  it("are those of the view: each of memory's in memory's, and what turns a tool on in the tool's", () => {
    const memory = new Set(settingsOf("memory"));
    for (const name of NAMES.filter((one) => SETTINGS[one].key.startsWith("memory.")))
      assert.ok(memory.has(name), name);
    const first = (tool: string) => settingsOf(`tool:${tool}`)[0];
    assert.deepEqual(
      ["search_memory", "web_search", "web_fetch", "read_file", "action", "browser_click"].map(first),
      [
        "memoryEnabled",
        "webSearchEnabled",
        "webFetchEnabled",
        "toolsWorkspace",
        "toolsActions",
        "toolTimeout",
      ],
    );
    for (const group of ["memory", "critic", "tool:search", "tool:constructor"])
      assert.equal(new Set(settingsOf(group)).size, settingsOf(group).length, group);
    assert.deepEqual(settingsOf("anything"), []);
  });
});
