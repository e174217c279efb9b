import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ESLint } from "eslint";
import tseslint from "typescript-eslint";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

describe("the layers", () => {
  let eslint: ESLint;
  before(() => {
    // Types and cycles take long to find out, and are not asked about here.
    const quick = [tseslint.configs.disableTypeChecked, { rules: { "import-x/no-cycle": "off" } } as const];
    eslint = new ESLint({ cwd: ROOT, overrideConfig: quick });
  });

  /** The rules that refuse this import in this file. */
  async function refusing(filePath: string, imported: string): Promise<readonly (string | null)[]> {
    const [result] = await eslint.lintText(`import { x } from "${imported}";\n\nexport const y = x;\n`, {
      filePath,
    });
    const rules = result?.messages.map(({ ruleId }) => ruleId) ?? [];
    return rules.filter((rule) => rule?.includes("restricted"));
  }

  it("fail the check when an import goes upwards", async () => {
    const upwards = [
      ["src/agent/ids.ts", "../tools/index.ts"],
      ["src/agent/ids.ts", "../memory/process/client.ts"],
      ["src/tools/cache.ts", "../memory/process/client.ts"],
      ["src/memory/process/client.ts", "../../trace/log.ts"],
      ["src/trace/log.ts", "../vscode/container.ts"],
      ["src/trace/log.ts", "../extension.ts"],
      ["src/trace/log.ts", "../cli/services.ts"],
      ["src/cli/services.ts", "../vscode/container.ts"],
      ["src/cli/services.ts", "../../test/unit/agent/support.ts"],
      ["src/webview/store.ts", "../vscode/container.ts"],
      ["src/webview/store.ts", "../memory/process/client.ts"],
      ["src/vscode/container.ts", "../webview/store.ts"],
      ["src/agent/ids.ts", "../../test/unit/agent/support.ts"],
    ] as const;
    for (const [file, imported] of upwards) {
      assert.deepEqual(
        await refusing(file, imported),
        ["import-x/no-restricted-paths"],
        `${file} > ${imported}`,
      );
    }
  });

  it("fail the check when anything but src/vscode knows VS Code", async () => {
    for (const file of ["src/agent/ids.ts", "src/tools/cache.ts", "src/trace/log.ts", "src/webview/store.ts"])
      assert.deepEqual(await refusing(file, "vscode"), ["no-restricted-imports"], file);
    assert.deepEqual(await refusing("src/vscode/container.ts", "vscode"), []);
  });

  it("let imports go downwards", async () => {
    assert.deepEqual(await refusing("src/vscode/container.ts", "../agent/ids.ts"), []);
    assert.deepEqual(await refusing("src/vscode/container.ts", "../cli/services.ts"), []);
    assert.deepEqual(await refusing("src/tools/cache.ts", "../agent/ids.ts"), []);
    assert.deepEqual(await refusing("src/webview/store.ts", "../trace/model.ts"), []);
  });
});
