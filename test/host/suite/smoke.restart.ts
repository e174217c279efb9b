import assert from "node:assert/strict";
import * as vscode from "vscode";

describe("after the window was opened again", () => {
  it("the extension is still there", () => {
    assert.ok(vscode.extensions.getExtension("conclave.conclave"));
  });
});
