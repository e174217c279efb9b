import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import {
  AGENTS_VIEW,
  COMMANDS,
  CONTEXT_KEYS,
  EXTENSION_ID,
  FILE_VIEWS,
  HIDDEN_COMMANDS,
  MODEL_VENDOR,
  PANEL_VIEW,
  PARTICIPANT,
  SETTINGS,
  SETTINGS_SECTION,
  settingId,
  TEST_ALLOWED_HOSTS_KEY,
  type SettingName,
} from "../../../src/vscode/contributions.ts";
import { readSettings } from "../../../src/vscode/settings-schema.ts";

const Named = z.looseObject({ command: z.string(), when: z.string().optional() });
const Property = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]),
  default: z.unknown(),
  scope: z.string(),
  enum: z.array(z.string()).optional(),
  enumDescriptions: z.array(z.string()).optional(),
  markdownDescription: z.string(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
const Manifest = z.looseObject({
  name: z.string(),
  publisher: z.string(),
  activationEvents: z.array(z.string()),
  capabilities: z.object({
    untrustedWorkspaces: z.object({
      supported: z.string(),
      description: z.string(),
      restrictedConfigurations: z.array(z.string()),
    }),
    virtualWorkspaces: z.object({ supported: z.boolean() }),
  }),
  contributes: z.looseObject({
    chatParticipants: z.array(
      z.looseObject({
        id: z.string(),
        name: z.string(),
        isSticky: z.boolean(),
        commands: z.array(z.looseObject({ name: z.string(), description: z.string() })),
      }),
    ),
    languageModelChatProviders: z.array(z.looseObject({ vendor: z.string(), managementCommand: z.string() })),
    commands: z.array(z.looseObject({ command: z.string(), title: z.string(), category: z.string() })),
    menus: z.record(z.string(), z.array(Named)),
    keybindings: z.array(Named),
    configuration: z.object({ title: z.string(), properties: z.record(z.string(), Property) }),
  }),
});

const Schemas = z.array(z.looseObject({ url: z.string() }));
const AgentParts = z.looseObject({
  views: z.object({ conclave: z.array(z.looseObject({ id: z.string() })) }),
  jsonValidation: Schemas,
  yamlValidation: Schemas,
});

const FileEditors = z.looseObject({
  customEditors: z.array(
    z.object({
      viewType: z.string(),
      displayName: z.string(),
      priority: z.string(),
      selector: z.array(z.object({ filenamePattern: z.string() })),
    }),
  ),
});

const source = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
const manifest = Manifest.parse(JSON.parse(source));
const { contributes } = manifest;
const { properties } = contributes.configuration;
const names = Object.keys(SETTINGS) as SettingName[];
const sorted = (values: Iterable<string>): string[] => [...values].sort();

describe("package.json and the constants in code", () => {
  it("name the same commands, each once", () => {
    assert.deepEqual(
      sorted(contributes.commands.map((entry) => entry.command)),
      sorted(Object.values(COMMANDS)),
    );
    for (const entry of contributes.commands) assert.equal(entry.category, "Conclave");
  });

  it("name the same settings with the same default and scope", () => {
    assert.deepEqual(sorted(Object.keys(properties)), sorted(names.map(settingId)));
    for (const name of names) {
      const property = properties[settingId(name)];
      assert.ok(property, name);
      assert.deepEqual(property.default, SETTINGS[name].default, name);
      assert.equal(property.scope, SETTINGS[name].scope, name);
    }
  });

  it("agree on which settings an untrusted folder can't set", () => {
    assert.deepEqual(
      sorted(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations),
      sorted(names.filter((name) => SETTINGS[name].restricted).map(settingId)),
    );
  });

  it("agree on participant, slash commands and model vendor", () => {
    const participant = contributes.chatParticipants.at(0);
    assert.equal(participant?.id, PARTICIPANT.id);
    assert.equal(participant.name, PARTICIPANT.name);
    assert.equal(participant.isSticky, true);
    assert.deepEqual(
      participant.commands.map((command) => command.name),
      [...PARTICIPANT.slashCommands],
    );
    assert.deepEqual(
      contributes.languageModelChatProviders.map((provider) => provider.vendor),
      [MODEL_VENDOR],
    );
    assert.equal(`${manifest.publisher}.${manifest.name}`, EXTENSION_ID);
  });

  it("use only known commands and context keys in menus and key bindings", () => {
    const entries = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
    // The one of VS Code's own that has no key in its own notebooks on all systems.
    const commands = new Set<string>([...Object.values(COMMANDS), "notebook.cell.execute"]);
    const keys = new Set<string>([...Object.values(CONTEXT_KEYS), AGENTS_VIEW, PANEL_VIEW]);
    for (const entry of entries) assert.ok(commands.has(entry.command), entry.command);
    for (const [key] of source.matchAll(/"(?:when|enablement)": "[^"]*"/g)) {
      for (const [used] of key.matchAll(/conclave\.\w+/g)) assert.ok(keys.has(used), used);
    }
  });

  it("name the same list of agents, and the schema of agent files", () => {
    const { views, jsonValidation, yamlValidation } = AgentParts.parse(contributes);
    assert.deepEqual(
      views.conclave.map(({ id }) => id),
      [AGENTS_VIEW],
    );
    for (const { url } of [...jsonValidation, ...yamlValidation])
      assert.ok(existsSync(new URL(`../../../${url}`, import.meta.url)), url);
  });

  it("name the same editors of trace files, of which one is the usual one", () => {
    const { customEditors } = FileEditors.parse(contributes);
    assert.deepEqual(
      customEditors.map(({ viewType, priority, selector }) => [
        viewType,
        priority,
        selector[0]?.filenamePattern,
      ]),
      [
        [FILE_VIEWS.trace, "default", "*.conclave"],
        [FILE_VIEWS.lines, "option", "*.jsonl"],
      ],
    );
  });

  it("hide from the Command Palette only what makes no sense there", () => {
    const hidden = (contributes.menus.commandPalette ?? []).filter((entry) => entry.when === "false");
    assert.deepEqual(sorted(hidden.map((entry) => entry.command)), sorted(HIDDEN_COMMANDS));
  });

  it("link from descriptions only to commands and settings that exist", () => {
    for (const property of Object.values(properties)) {
      for (const [, id] of property.markdownDescription.matchAll(/\(command:([\w.]+)\)/g))
        assert.ok(Object.values<string>(COMMANDS).includes(id ?? ""), id);
      for (const [, id] of property.markdownDescription.matchAll(/`#([\w.]+)#`/g))
        assert.ok(id !== undefined && id in properties, id);
    }
  });
});

/** A default as the page shows it: lists by their entries, objects by their fields. */
function shownDefault(value: unknown): string {
  const text =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value)
          .map(([key, one]) => `${key} ${String(one)}`)
          .join(", ")
      : Array.isArray(value)
        ? value.join(", ")
        : String(value);
  return text === "" ? "empty" : `\`${text}\``;
}

describe("docs/settings.md", () => {
  const page = readFileSync(new URL("../../../docs/settings.md", import.meta.url), "utf8");
  const row = (id: string) => page.split("\n").find((line) => line.startsWith(`| \`${id}\` `)) ?? "";

  it("tells of every setting its default, who may set it and its values", () => {
    for (const name of names) {
      const { default: value, scope, restricted } = SETTINGS[name];
      const [, , standard = "", where = "", what = ""] = row(settingId(name)).split("|");
      assert.equal(standard.trim(), shownDefault(value), name);
      assert.equal(where.trim(), scope === "machine" ? "user" : restricted ? "trust" : "any", name);
      for (const one of properties[settingId(name)]?.enum ?? []) assert.ok(what.includes(`\`${one}\``), one);
    }
  });

  it("tells of no setting that there isn't", () => {
    for (const [, id] of page.matchAll(/^\| `(conclave\.[\w.]+)`/gm))
      assert.ok(id !== undefined && id in properties, id);
  });
});

describe("the manifest", () => {
  it("lets the settings editor take exactly what the code takes", () => {
    for (const name of names) {
      const property = properties[settingId(name)];
      const takes = (value: unknown): boolean =>
        readSettings((key) => (key === SETTINGS[name].key ? value : undefined)).problems.length === 0;
      for (const value of property?.enum ?? []) assert.ok(takes(value), `${name}: ${value}`);
      if (property?.enum !== undefined) {
        assert.equal(takes("nonsense"), false, name);
        assert.equal(property.enumDescriptions?.length, property.enum.length, name);
      }
      for (const [bound, outside] of [
        [property?.minimum, -1],
        [property?.maximum, 1],
      ] as const) {
        if (bound === undefined) continue;
        assert.ok(takes(bound), `${name}: ${bound}`);
        assert.equal(takes(bound + outside), false, `${name}: ${bound + outside}`);
      }
    }
  });

  it("keeps the server's address and every tool setting out of a folder's hands", () => {
    for (const name of names) {
      if (!/^(ollama\.|web\.|toolTimeout|webTimeout|memory\.embedder)/.test(SETTINGS[name].key)) continue;
      assert.equal(SETTINGS[name].scope, "machine", name);
      assert.ok(SETTINGS[name].restricted, name);
    }
  });

  it("has both web tools off until the user turns them on", () => {
    assert.equal(SETTINGS.webSearchEnabled.default, false);
    assert.equal(SETTINGS.webFetchEnabled.default, false);
    assert.equal(SETTINGS.webSearchProvider.default, "none");
  });

  it("does not offer the test-only list of hosts to anybody", () => {
    assert.equal(source.includes(TEST_ALLOWED_HOSTS_KEY), false);
  });

  it("works in limited form in an untrusted folder and wakes only after start-up", () => {
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, "limited");
    assert.ok(manifest.activationEvents.includes("onStartupFinished"));
    assert.ok(!manifest.activationEvents.includes("*"));
    assert.ok(manifest.activationEvents.includes(`onWebviewPanel:${PANEL_VIEW}`));
    assert.equal(SETTINGS_SECTION, contributes.configuration.title.toLowerCase());
  });
});
