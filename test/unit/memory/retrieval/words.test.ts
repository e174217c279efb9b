import assert from "node:assert/strict";
import fc from "fast-check";
import { contentWords } from "../../../../src/memory/retrieval/words.ts";

describe("The words of a question", () => {
  it("are those it is about, not those that make it a question", () => {
    assert.deepEqual(contentWords("What did we decide about the cache?"), ["decide", "cache"]);
    assert.deepEqual(contentWords("And where is Dara's boat now?"), ["dara", "boat"]);
  });

  it("are found in languages other than English, too", () => {
    assert.deepEqual(contentWords("Wo haben wir das Boot von Dara gelassen?"), ["boot", "dara", "gelassen"]);
    assert.deepEqual(contentWords("¿Quién se queda con la llave de los barcos?"), [
      "quién",
      "queda",
      "llave",
      "barcos",
    ]);
    assert.deepEqual(contentWords("Où est-ce que l'on a mis la clé du bateau ?"), ["mis", "clé", "bateau"]);
    assert.deepEqual(contentWords("Где у нас лежит ключ от лодки?"), ["лежит", "ключ", "лодки"]);
  });

  it("keep the signs that belong to their letters", () => {
    assert.deepEqual(contentWords("नाव की चाबी कहाँ है?"), ["नाव", "चाबी", "कहाँ"]);
    assert.ok(contentWords("กุญแจเรืออยู่ที่ไหน").includes("กุญแจ"));
  });

  it("stand apart in scripts that put no space between them", () => {
    assert.deepEqual(contentWords("船の鍵はどこにありますか？").slice(0, 3), ["船", "鍵", "どこ"]);
    assert.ok(contentWords("船的钥匙在哪里？").includes("钥匙"));
  });

  it("are none when it is about nothing", () => {
    assert.deepEqual(contentWords("what is it?"), []);
    assert.deepEqual(contentWords(" ?! "), []);
  });

  it("keep letters of every script, and numbers", () => {
    assert.deepEqual(contentWords("Größe 東京 Жизнь 2026?"), ["größe", "東京", "жизнь", "2026"]);
  });

  it("are letters and digits only and of a bounded number, whatever is asked", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 9_000 }), (query) => {
        const words = contentWords(query);
        assert.ok(words.length <= 64);
        assert.ok(words.every((word) => /^[\p{L}\p{M}\p{N}]+$/u.test(word)));
      }),
    );
    assert.equal(contentWords(Array.from({ length: 500 }, (_, index) => `w${index}`).join(" ")).length, 64);
  });
});
