import eslint from "@eslint/js";
import importX, { createNodeResolver } from "eslint-plugin-import-x";
import tseslint from "typescript-eslint";

/** The layers of docs/architecture.md, top first: a folder may import itself and what stands below it. */
const LAYERS = ["vscode", "webview", "cli", "trace", "memory", "tools", "agent"];

/** Exceptions to "downwards only": browser code never reaches what needs Node, and the host never reaches browser code. */
const EXTRA_ZONES = [
  { target: "./src/webview", from: ["./src/cli", "./src/memory", "./src/tools"] },
  { target: "./src/vscode", from: ["./src/webview"] },
  { target: "./src", from: ["./test", "./bench"] },
];

const layerZones = LAYERS.map((layer, index) => ({
  target: `./src/${layer}`,
  from: ["./src/extension.ts", ...LAYERS.slice(0, index).map((upper) => `./src/${upper}`)],
  message: "imports go downwards only: see docs/architecture.md",
}));

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", "test/host/out/", "test/browser/out/", "test/host/node_modules/"] },
  eslint.configs.recommended,
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [...tseslint.configs.strictTypeChecked],
    plugins: { "import-x": importX },
    settings: {
      "import-x/resolver-next": [createNodeResolver({ extensions: [".ts", ".tsx", ".js", ".json"] })],
      "import-x/parsers": { "@typescript-eslint/parser": [".ts", ".tsx"] },
      "import-x/external-module-folders": ["node_modules"],
    },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "import-x/no-restricted-paths": ["error", { zones: [...layerZones, ...EXTRA_ZONES] }],
      "import-x/no-cycle": "error",
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "no-console": "error",
    },
  },
  {
    files: ["src/**/*.ts", "src/**/*.tsx"],
    ignores: ["src/vscode/**", "src/extension.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        { paths: [{ name: "vscode", message: "only src/vscode/ knows VS Code" }] },
      ],
    },
  },
  {
    files: ["src/**/*.ts"],
    ignores: ["src/vscode/pickers.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "MemberExpression[property.name=/^(showQuickPick|showInputBox)$/]",
          message: "src/vscode/pickers.ts has lists and boxes that stay until they are answered",
        },
      ],
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: { "max-lines-per-function": "off", "@typescript-eslint/no-non-null-assertion": "off" },
  },
  {
    files: ["bench/**/*.ts", "src/cli/**/*.ts"],
    rules: { "no-console": "off" },
  },
  {
    files: ["**/*.mjs", "**/*.cjs"],
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        fetch: "readonly",
        Buffer: "readonly",
        setTimeout: "readonly",
        clearTimeout: "readonly",
        AbortSignal: "readonly",
        AbortController: "readonly",
      },
    },
  },
);
