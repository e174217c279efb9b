import assert from "node:assert/strict";
import { DEFAULT_BUDGET } from "../../../src/agent/budget/settings.ts";
import fc from "fast-check";
import { DEFAULT_COMMITTEE } from "../../../src/agent/committee/settings.ts";
import { DEFAULT_ENGINE_SETTINGS, DEFAULT_MEMORY_SETTINGS } from "../../../src/agent/settings.ts";
import { SETTINGS, settingId, type SettingName } from "../../../src/vscode/contributions.ts";
import { engineSettings, readSettings } from "../../../src/vscode/settings-schema.ts";
import { warningOf } from "../../../src/vscode/settings-warning.ts";

const names = Object.keys(SETTINGS) as SettingName[];
const reading = (values: Readonly<Record<string, unknown>>) => readSettings((key) => values[key]);

describe("settings as a user writes them", () => {
  it("are the defaults when nothing is set, and every default passes its own check", () => {
    const { settings, problems } = reading({});
    assert.deepEqual(problems, []);
    for (const name of names) assert.deepEqual(settings[name], SETTINGS[name].default, name);
  });

  it("give a sentence with name, rule, value and replacement for a wrong type, and the default", () => {
    const { settings, problems } = reading({ contextLength: "lots", maxSteps: 0, think: "hard" });
    assert.equal(settings.contextLength, 32_768);
    assert.equal(settings.maxSteps, 5);
    assert.equal(settings.think, "on");
    assert.deepEqual(problems.map((problem) => problem.message).sort(), [
      'conclave.contextLength must be a whole number from 512 to 4194304, and is "lots": 32768 is used instead.',
      "conclave.maxSteps must be a whole number from 1 to 50, and is 0: 5 is used instead.",
      'conclave.think must be one of off, on, low, medium, high, max, and is "hard": "on" is used instead.',
    ]);
  });

  it("keep their good values beside a bad one", () => {
    const { settings, problems } = reading({ model: "qwen3:8b", keepAlive: "soon", webTimeout: 3 });
    assert.equal(settings.model, "qwen3:8b");
    assert.equal(settings.webTimeout, 3);
    assert.equal(settings.keepAlive, "30m");
    assert.deepEqual(
      problems.map((problem) => problem.setting),
      ["conclave.keepAlive"],
    );
  });

  it("leave a strange server address as it is, so that no question goes to another server than the one written", () => {
    const { settings, problems } = reading({ "ollama.host": " ftp://o.test " });
    assert.equal(settings.ollamaHost, "ftp://o.test");
    assert.deepEqual(problems, []);
    assert.equal(reading({ "ollama.host": 11_434 }).settings.ollamaHost, "http://127.0.0.1:11434");
  });

  it("take a search address with or without its protocol", () => {
    const url = (value: unknown) => reading({ "web.search.url": value });
    assert.equal(url("searx.test:8080").settings.webSearchUrl, "http://searx.test:8080");
    assert.equal(url(" https://searx.test/ ").settings.webSearchUrl, "https://searx.test");
    for (const bad of ["ftp://o.test", "file:///etc/passwd", "http://", "two words", 80]) {
      assert.equal(url(bad).settings.webSearchUrl, "", String(bad));
      assert.equal(url(bad).problems.length, 1, String(bad));
    }
  });

  for (const keepAlive of ["30m", "1h30m", "-1", "0", -1, 600]) {
    it(`take ${JSON.stringify(keepAlive)} as the time a model stays loaded`, () => {
      assert.equal(reading({ keepAlive }).settings.keepAlive, keepAlive);
    });
  }

  it("never throw and never lose a setting, whatever stands in the file", () => {
    const anything = fc.dictionary(
      fc.constantFrom(...names.map((name) => SETTINGS[name].key)),
      fc.anything(),
    );
    fc.assert(
      fc.property(anything, (values) => {
        const { settings, problems } = reading(values);
        for (const name of names) {
          assert.notEqual(settings[name], undefined);
          const refused = problems.some((problem) => problem.setting === settingId(name));
          if (refused) assert.deepEqual(settings[name], SETTINGS[name].default);
        }
      }),
      { seed: 7 },
    );
  });
});

describe("settings on their way to the engine", () => {
  it("are the engine's own defaults when nothing is set", () => {
    const { memory, helperModel, committee, hosts, budget, ...rest } = engineSettings(reading({}).settings);
    assert.deepEqual(rest, DEFAULT_ENGINE_SETTINGS);
    assert.deepEqual(committee, DEFAULT_COMMITTEE);
    assert.deepEqual(hosts, []);
    assert.deepEqual(budget, DEFAULT_BUDGET);
    assert.deepEqual(memory, DEFAULT_MEMORY_SETTINGS);
    assert.equal(helperModel, "");
  });

  it("turn thinking off, on, or to a level", () => {
    const think = (value: string) => engineSettings(reading({ think: value }).settings).think;
    assert.deepEqual([think("off"), think("on"), think("low")], [false, true, "low"]);
  });

  it("send a temperature only where one is set", () => {
    assert.equal("temperature" in engineSettings(reading({ temperature: null }).settings), false);
    assert.equal(engineSettings(reading({ temperature: 0 }).settings).temperature, 0);
  });

  it("tell how memory is searched, what is drawn from turns, and where", () => {
    const { settings } = reading({
      "memory.retrieval.given": 7,
      "memory.retrieval.halfLifeDays": 0,
      "memory.contextCard": "always",
      "memory.confidence": 0.8,
      "memory.extraction": "rules",
    });
    const { memory } = engineSettings(settings, { scope: "boat", scopes: ["boat", ""] });
    assert.deepEqual(
      [memory?.retrieval?.given, memory?.retrieval?.halfLifeDays, memory?.card, memory?.minConfidence],
      [7, 0, "always", 0.8],
    );
    assert.deepEqual([memory?.learning, memory?.scope, memory?.scopes], ["rules", "boat", ["boat", ""]]);
  });
});

describe("the warning of settings that can't be used", () => {
  const wrong = (count: number) =>
    names.slice(0, count).map((name) => ({ setting: settingId(name), message: `${name} is wrong.` }));

  it("is nothing while all can", () => {
    assert.equal(warningOf([]), undefined);
  });

  it("leads to the one that can't", () => {
    assert.deepEqual(warningOf(wrong(1)), wrong(1)[0]);
  });

  it("is one for many, which it names and counts", () => {
    const { message = "", setting } = warningOf(wrong(12)) ?? {};
    assert.equal(setting, undefined);
    assert.match(message, /^12 settings can't be used/);
    for (const { setting: named } of wrong(8)) assert.ok(message.includes(named), named);
    assert.match(message, /and 4 more\./);
  });
});
