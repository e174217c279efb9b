import assert from "node:assert/strict";
import * as vscode from "vscode";

describe("the extension in a real VS Code", () => {
  it("is installed and activates", async () => {
    const extension = vscode.extensions.getExtension("conclave.conclave");
    assert.ok(extension, "the extension is not installed");
    await extension.activate();
    assert.ok(extension.isActive);
  });
});
