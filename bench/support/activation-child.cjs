/**
 * Activates a bundle in a fresh process with a stand-in for VS Code and prints how long that took, in milliseconds,
 * which native modules were loaded, and which commands were registered: `{"ms": 12.3, "native": [], "commands": []}`.
 *
 *   node activation-child.cjs BUNDLE EXTENSION_FOLDER [WITHOUT,...]
 *
 * Parts of VS Code's API that are named last are not there, as in some forks.
 */
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { performance } = require("node:perf_hooks");

const [, , bundle, extensionPath, without = ""] = process.argv;

/** Answers every name with something that can be called, made, extended, read and listened to. */
function standIn() {
  const target = function () {};
  const own = { prototype: target.prototype };
  const proxy = new Proxy(target, {
    get(_target, key) {
      if (key === Symbol.toPrimitive) return () => "";
      if (key === Symbol.iterator) return [][Symbol.iterator].bind([]);
      if (key === "then" || typeof key === "symbol") return undefined;
      if (!Object.hasOwn(own, key)) own[key] = standIn();
      return own[key];
    },
    set(_target, key, value) {
      own[key] = value;
      return true;
    },
    apply: () => standIn(),
    construct: (_target, args, made) => (made === proxy ? standIn() : Reflect.construct(Object, args, made)),
  });
  return proxy;
}

const folder = path.join(os.tmpdir(), "conclave-bench-storage");
const uri = { fsPath: folder, path: folder, scheme: "file", toString: () => `file://${folder}` };
const memento = { get: (_key, fallback) => fallback, update: async () => undefined, keys: () => [] };
const context = {
  subscriptions: [],
  extensionPath,
  extensionUri: uri,
  extensionMode: 1,
  extension: { id: "conclave", packageJSON: {} },
  globalStorageUri: uri,
  storageUri: uri,
  logUri: uri,
  globalState: { ...memento, setKeysForSync: () => undefined },
  workspaceState: memento,
  secrets: {
    get: async () => undefined,
    store: async () => undefined,
    onDidChange: () => ({ dispose() {} }),
  },
  asAbsolutePath: (relative) => path.join(extensionPath, relative),
};

const api = standIn();
// Where code goes one way or another by what it reads: no settings, no open tabs, no other extensions.
api.workspace.getConfiguration = () => ({
  get: (_key, fallback) => fallback,
  has: () => false,
  inspect: () => undefined,
  update: async () => undefined,
});
api.window.tabGroups = { all: [], onDidChangeTabs: () => ({ dispose() {} }) };
api.extensions.getExtension = () => undefined;
const commands = [];
api.commands.registerCommand = (id) => {
  commands.push(id);
  return { dispose() {} };
};
for (const part of without.split(",").filter(Boolean)) api[part] = undefined;
// Bundles copy the names that a module owns and inherit the rest.
const vscode = Object.create(api);

const load = Module._load;
Module._load = function (request, ...rest) {
  return request === "vscode" ? vscode : load.call(this, request, ...rest);
};

const native = [];
const dlopen = process.dlopen;
process.dlopen = function (module, file, ...rest) {
  native.push(path.basename(file));
  return dlopen.call(this, module, file, ...rest);
};

async function main() {
  const began = performance.now();
  const extension = require(bundle);
  await extension.activate?.(context);
  const ms = performance.now() - began;
  process.stdout.write(`${JSON.stringify({ ms, native, commands })}\n`);
  process.exit(0);
}

main().catch((error) => {
  process.stderr.write(`${error?.stack ?? error}\n`);
  process.exit(1);
});
