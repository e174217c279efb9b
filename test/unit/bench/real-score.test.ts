import assert from "node:assert/strict";
import type { Question } from "../../../bench/real/main-job/schema.ts";
import { score, type TurnResult } from "../../../bench/real/main-job/score.ts";
import { refuses } from "../../../bench/real/refusal.ts";
import { asPattern } from "../../../src/cli/eval/case/pattern.ts";

const some = (...sources: readonly string[]) =>
  sources.map((source) => ({ ...asPattern(`/${source}/iu`), source }));

function question(part: Partial<Question["expect"]>, kind: Question["kind"] = "reason") {
  return { kind, expect: { all: [], none: [], refuses: false, ...part } };
}

function answered(answer: string, part: Partial<TurnResult> = {}): TurnResult {
  return { ended: "answered", answer, tools: [], ...part };
}

describe("an answer of the main job", () => {
  it("is right when it holds all that it must and nothing that it must not", () => {
    const wanted = question({ all: some("sqlite", "two workers"), none: some("redis") });
    assert.equal(score(wanted, answered("SQLITE, since Two Workers write.")).right, true);
    const lacking = score(wanted, answered("SQLite or Redis."));
    assert.deepEqual(lacking.why, ["lacks /two workers/", "has /redis/"]);
    assert.equal(lacking.right, false);
  });

  it("may have other forms of the same letters", () => {
    assert.equal(score(question({ all: some("4時30分") }), answered("４時３０分です。")).right, true);
    assert.equal(score(question({ all: some("café") }), answered("Le cafe\u0301.")).right, true);
  });

  it("that is empty, late, failed or cancelled is wrong, and why is said", () => {
    const wanted = question({ all: some("x") });
    const why = (result: TurnResult) => score(wanted, result).why;
    assert.deepEqual(why(answered(" \n")), ["is empty"]);
    assert.deepEqual(why(answered("x", { ended: "late" })), ["had not ended when its time was up"]);
    assert.deepEqual(why(answered("x", { ended: "failed", error: "No." })), ["failed: No."]);
    assert.deepEqual(why(answered("x", { ended: "cancelled" })), ["was cancelled"]);
  });

  it("to a question that needs no tool is right only without one, and both facts are kept apart", () => {
    const wanted = question({ all: some("\\b5\\b") }, "no_tool");
    assert.deepEqual(score(wanted, answered("5")), {
      ...{ right: true, answerRight: true, calledTool: false, why: [] },
    });
    const called = answered("5", { tools: ["search_memory", "search_memory"] });
    assert.deepEqual(score(wanted, called), {
      ...{ right: false, answerRight: true, calledTool: true, why: ["called search_memory"] },
    });
    assert.equal(score(question({ all: some("5") }), called).right, true);
  });

  it("to what was never said is right when it says so, and wrong when it asserts something all the same", () => {
    const wanted = question({ refuses: true, none: some("\\b\\d{4}\\b") }, "never_said");
    assert.equal(score(wanted, answered("I don't know which port that is.")).right, true);
    assert.deepEqual(score(wanted, answered("It is a port.")).why, ["does not say that it does not know"]);
    const asserts = score(wanted, answered("I have no record of that, but it runs on 8080."));
    assert.equal(asserts.right, false);
    assert.deepEqual(asserts.why, ["has /\\b\\d{4}\\b/"]);
  });
});

describe("saying that one does not know", () => {
  const SAYS_SO = {
    English: [
      "I don't know.",
      "I don’t have any information about the Brackwater port.",
      "There is no record of that in our earlier conversations.",
      "I couldn't find anything about it in memory.",
      "You haven't told me which port it uses.",
      "That was never mentioned.",
      "I'm sorry, but I'm not sure which port it is.",
      "The port is not specified in what I remember.",
      "Unfortunately I was unable to find it.",
      "I cannot recall a budget for Lanternfish.",
      "Nothing was found about it.",
      "Could you please provide more details?",
    ],
    German: [
      "Das weiß ich leider nicht.",
      "Ich weiss es nicht.",
      "Dazu habe ich keine Informationen.",
      "Dazu liegen mir keine Angaben vor.",
      "Ich konnte dazu nichts finden.",
      "Das wurde bisher nicht erwähnt.",
      "In meinem Gedächtnis ist dazu nichts gespeichert.",
      "Ich kann mich an keinen solchen Eintrag erinnern, davon ist nichts bekannt.",
      "Der Port ist mir nicht bekannt.",
      "Darüber haben wir nie gesprochen.",
    ],
    Spanish: [
      "No lo sé.",
      "No tengo información sobre el presupuesto.",
      "No hay ningún registro de eso.",
      "No encuentro nada sobre eso en la memoria.",
      "No se ha mencionado el precio.",
      "Lo siento, no recuerdo que lo hayamos hablado.",
      "Nunca me dijiste quién lo paga.",
      "Desconozco ese dato.",
    ],
    French: [
      "Je ne sais pas.",
      "Je n'ai pas d'information à ce sujet.",
      "Je n’ai trouvé aucune mention de ce prix.",
      "Il n'y a aucune trace de cela.",
      "Cela n'a jamais été mentionné.",
      "Je ne trouve rien dans ma mémoire.",
      "Désolé, je ne dispose d'aucune donnée sur ce point.",
      "Aucun souvenir de cette discussion.",
    ],
    Japanese: [
      "わかりません。",
      "申し訳ありませんが、その情報はありません。",
      "その件については記録が見つかりませんでした。",
      "存じません。",
      "ポート番号は不明です。",
      "その話は聞いていません。",
      "予算については記憶に残っていません。",
      "確認できませんでした。",
    ],
    Portuguese: [
      "Não sei.",
      "Não tenho informações sobre isso.",
      "Não há nenhum registro disso.",
      "Não encontrei nada sobre o prazo.",
      "Isso não foi mencionado.",
      "Desconheço esse dado.",
    ],
    Russian: [
      "Я не знаю.",
      "У меня нет информации об этом.",
      "В заметках это не упоминается.",
      "Я ничего не нашёл об этом.",
      "К сожалению, это неизвестно.",
    ],
    Chinese: [
      "我不知道。",
      "抱歉，我没有找到相关信息。",
      "笔记里没有提到这一点。",
      "无法确定是谁。",
      "之前没有告诉我。",
    ],
  } as const;

  for (const [language, answers] of Object.entries(SAYS_SO))
    it(`is heard in ${language}`, () => {
      for (const answer of answers) assert.equal(refuses(answer), true, answer);
    });

  it("is not heard in answers that assert something, in any of the languages", () => {
    const asserting = [
      "The Brackwater API uses port 8080.",
      "Tamsin Orlwick approves it.",
      "We chose SQLite because two workers write at once.",
      "Der Port ist 8080.",
      "Jorun Hasselbek kümmert sich darum.",
      "El servidor está en el sótano.",
      "El presupuesto es de 4000 euros.",
      "Le prix est de 4 euros par mois.",
      "C'est Maëlle qui publie.",
      "ポートは8080です。",
      "久世さんが管理しています。",
      "O servidor fica no porão.",
      "A Marta publica as versões.",
      "Сервер стоит в подвале.",
      "Этим занимается Марта.",
      "服务器在地下室。",
      "由王芳负责发布。",
    ];
    for (const answer of asserting) assert.equal(refuses(answer), false, answer);
  });
});
