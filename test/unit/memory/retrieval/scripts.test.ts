import assert from "node:assert/strict";
import { openStore } from "../store-support.ts";
import { cleanUp } from "../support.ts";
import { alone, ask, found, without } from "./ask-support.ts";

describe("Searching memory by words of any script", () => {
  afterEach(cleanUp);

  for (const [language, told, other, question] of [
    ["Thai", "กุญแจเรืออยู่ในลิ้นชัก", "วันนี้ฝนตกหนักมาก", "กุญแจอยู่ที่ไหน"],
    ["Hindi", "नाव की चाबी दराज में है।", "आज बहुत बारिश हुई।", "चाबी कहाँ है?"],
    ["Chinese", "船的钥匙在抽屉里。", "今天下了大雨。", "钥匙在哪里？"],
    ["Japanese", "船の鍵は引き出しにあります。", "今日は大雨でした。", "鍵はどこですか？"],
    ["Korean", "배 열쇠 는 서랍 에 있어요.", "오늘 비가 왔어요.", "열쇠 어디 있어요?"],
  ] as const) {
    it(`finds what was told in ${language} first`, async () => {
      const store = await openStore();
      const [key, rain] = [alone(told), alone(other)];
      await store.add([rain, key]);
      assert.equal(found(await ask(store, question, without))[0], key.id);
    });
  }
});
