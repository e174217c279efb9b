import assert from "node:assert/strict";
import * as vscode from "vscode";

describe("what VS Code knows of Conclave", () => {
  it("every command of the manifest exists", async () => {
    const extension = vscode.extensions.getExtension("conclave.conclave");
    assert.ok(extension);
    const manifest = extension.packageJSON as { contributes: { commands: { command: string }[] } };
    const known = new Set(await vscode.commands.getCommands(true));
    const missing = manifest.contributes.commands.filter(({ command }) => !known.has(command));
    assert.deepEqual(missing, []);
  });

  it("its models stand in the picker", async () => {
    const models = await vscode.lm.selectChatModels({ vendor: "conclave" });
    assert.ok(models.length > 0);
  });
});
