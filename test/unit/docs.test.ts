import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  COMMANDS,
  HIDDEN_COMMANDS,
  PARTICIPANT,
  SETTINGS,
  settingId,
} from "../../src/vscode/contributions.ts";
import { createTools, DEFAULT_TOOL_SETTINGS } from "../../src/tools/index.ts";
import { inlineReader } from "../../src/tools/web/read-document.ts";
import { EDITOR } from "./tools/editor.ts";
import { FakeMemory } from "./tools/fake-memory.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const PAGES = ["README.md", "CHANGELOG.md", ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith(".md"))
  .map((path) => ({ path, text: read(path) }));

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
  };
}
const manifest = JSON.parse(read("package.json")) as Manifest;

/** All that a pattern's first group finds in the pages, with the page. */
function found(pattern: RegExp): readonly { readonly path: string; readonly name: string }[] {
  return PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([, name = ""]) => ({ path, name })),
  );
}

describe("what the pages say", () => {
  it("lists every tool in docs/tools.md, in order, with whether it is on", () => {
    const registry = createTools({
      memory: new FakeMemory(),
      settings: () => DEFAULT_TOOL_SETTINGS,
      searchAccess: () => ({}),
      reader: inlineReader,
      answers: { isOn: () => true, compare: () => Promise.reject(new Error("nobody compares here")) },
      ...EDITOR,
    });
    const off = new Set(registry.disabled().map(({ name }) => name));
    const listed = [...read("docs/tools.md").matchAll(/^\| `(\w+)` +\|[^|]*\| (yes|no) +\|$/gm)];
    assert.deepEqual(
      listed.map(([, name, on]) => [name, on]),
      registry.names().map((name) => [name, off.has(name) ? "no" : "yes"]),
    );
  });

  it("names commands by the titles that the Command Palette shows", () => {
    const titles = new Set(manifest.contributes.commands.map(({ title }) => title.replace(/\.\.\.$/, "")));
    const named = found(/\*\*Conclave: ([^*]+)\*\*|`Conclave: ([^`]+)`/g).filter(({ name }) => name !== "");
    assert.ok(named.length > 10);
    for (const { path, name } of named)
      assert.ok(titles.has(name.replace(/\.\.\.$/, "")), `${path}: Conclave: ${name}`);
  });

  it("tells of every command that a user can run", () => {
    const all = PAGES.map(({ text }) => text).join("\n");
    const hidden: readonly string[] = HIDDEN_COMMANDS;
    for (const { command, title } of manifest.contributes.commands) {
      if (hidden.includes(command)) continue;
      assert.ok(all.includes(`Conclave: ${title.replace(/\.\.\.$/, "")}`), title);
    }
    assert.equal(manifest.contributes.commands.length, Object.keys(COMMANDS).length);
    for (const command of PARTICIPANT.slashCommands)
      if (command !== "ask") assert.ok(all.includes(`/${command}`), command);
  });

  it("names only settings, and commands by their ids, that there are", () => {
    const settings = Object.values(SETTINGS).map(({ key }) => `conclave.${key}`);
    const known: readonly string[] = [...settings, ...Object.values(COMMANDS)];
    assert.ok(known.includes(settingId("model")));
    for (const { path, name } of found(/`"?(conclave\.[\w.]*\w)"?(?:`|:)/g)) {
      if (/^conclave\.(parent|messages|door|sources|private|fork)/.test(name)) continue;
      assert.ok(
        known.some((key) => key === name || key.startsWith(`${name}.`)),
        `${path}: ${name}`,
      );
    }
  });

  it("runs only scripts that there are", () => {
    const run = found(/npm (?:run )?([\w:]+)/g).filter(({ name }) => name !== "ci" && name !== "install");
    assert.ok(run.length > 3);
    for (const { path, name } of run) assert.ok(name in manifest.scripts, `${path}: npm ${name}`);
  });

  it("links only to what is there", () => {
    for (const { path, name } of found(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
      if (/^https?:/.test(name)) continue;
      assert.ok(existsSync(join(ROOT, dirname(path), name)), `${path}: ${name}`);
    }
  });

  it("says of every package that the extension is built on why it is there", () => {
    const readme = read("README.md");
    const types = /^@types\//;
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }))
      if (!types.test(name)) assert.ok(readme.includes(`\`${name}\``), name);
  });
});
