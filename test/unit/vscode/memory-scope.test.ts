import assert from "node:assert/strict";
import { memoryScopes, scopeId, scopeOf } from "../../../src/vscode/memory/scope.ts";

const boat = { uri: "file:///w/boat", name: "boat" };
const house = { uri: "file:///w/house", name: "house" };

describe("the folder that a question belongs to", () => {
  it("is the only one, whatever file is open", () => {
    assert.equal(scopeOf([boat], undefined)?.name, "boat");
    assert.equal(scopeOf([boat], "file:///elsewhere")?.name, "boat");
  });

  it("is, of several, that of the active file, and never the first by chance", () => {
    assert.equal(scopeOf([boat, house], house.uri)?.name, "house");
    const whole = scopeOf([boat, house], undefined);
    assert.equal(whole?.name, "boat, house");
    assert.notEqual(whole.id, scopeId(boat.uri));
    assert.deepEqual(scopeOf([house, boat], undefined)?.id, whole.id);
  });

  it("is none in an empty window", () => {
    assert.equal(scopeOf([], undefined), undefined);
  });

  it("has an id that is the same each time and does not tell the path", () => {
    assert.equal(scopeId(boat.uri), scopeId(boat.uri));
    assert.match(scopeId(boat.uri), /^[0-9a-f]{32}$/);
    assert.notEqual(scopeId(boat.uri), scopeId(house.uri));
  });
});

describe("which memories a question uses", () => {
  const of = (memoryScope: "workspace" | "global", memorySearchScope: "workspace" | "all") =>
    memoryScopes({ id: "boat", name: "boat" }, { memoryScope, memorySearchScope });

  it("are this folder's and the global ones, so that projects don't leak into each other", () => {
    assert.deepEqual(of("workspace", "workspace"), { scope: "boat", scopes: ["boat", ""] });
  });

  it("are all when the user wants it so", () => {
    assert.deepEqual(of("workspace", "all"), { scope: "boat" });
  });

  it("are written without a folder where the user or the window has none", () => {
    assert.equal(of("global", "workspace").scope, "");
    const none = memoryScopes(undefined, { memoryScope: "workspace", memorySearchScope: "workspace" });
    assert.deepEqual(none, { scope: "", scopes: [""] });
  });
});
